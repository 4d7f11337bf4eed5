/** Shortens identifiers to their ends, with as many characters as keep them distinct. */
export function createIdShortener(ids: readonly string[]): (id: string) => string {
  const endLength = END_LENGTHS.find(
    (length) => new Set(ids.map((id) => shortenId(id, length))).size === ids.length,
  );
  return (id) => (endLength === undefined ? id : shortenId(id, endLength));
}

const END_LENGTHS = [4, 6, 8, 12];

/** An identifier that would become hardly shorter stays whole. */
function shortenId(id: string, endLength: number): string {
  return id.length <= 2 * endLength + 4 ? id : `${id.slice(0, endLength)}…${id.slice(-endLength)}`;
}
