/** What is hidden, from how it stands in the address. */
export function parseHidden(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? '').split(',').filter(Boolean).map(decodeKey));
}

/** How it stands in the address once something else is hidden, or shown again. */
export function toggleHidden(hidden: ReadonlySet<string>, key: string): string | undefined {
  const next = new Set(hidden);
  if (!next.delete(key)) next.add(key);
  // A key may have a comma in it.
  return [...next].map(encodeURIComponent).join(',') || undefined;
}

/** An address that somebody wrote by hand is taken as it is. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
