/** Names on one line, because a message is one line; there may be thousands of names. */
export function formatNames(names: readonly string[], max = 50): string {
  const listed = names.slice(0, max).join(', ');
  const more = names.length > max ? ` and ${names.length - max} more` : '';
  return listed.replaceAll(/\p{Cc}/gu, ' ') + more;
}
