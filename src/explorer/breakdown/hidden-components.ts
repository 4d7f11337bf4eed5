export function parseHidden(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? '').split(',').filter(Boolean).map(decodeKey));
}

/** The URL parameter after a component is hidden, or shown again. */
export function toggleHidden(hidden: ReadonlySet<string>, key: string): string | undefined {
  const next = new Set(hidden);
  if (!next.delete(key)) next.add(key);
  // A key may contain a comma.
  return [...next].map(encodeURIComponent).join(',') || undefined;
}

/** A URL typed by hand may hold a bare percent sign. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
