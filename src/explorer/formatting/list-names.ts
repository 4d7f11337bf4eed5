const MAX_LISTED = 6;

/** `Q1, Q2, Q3`, or the first of many names and the number of the others. */
export function listNames(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
