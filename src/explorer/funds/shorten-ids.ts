/** A short form for each identifier, of its ends, by which they can still be told apart. */
export function createIdShortener(ids: readonly string[]): (id: string) => string {
  const kept = END_LENGTHS.find(
    (length) => new Set(ids.map((id) => shortenId(id, length))).size === ids.length,
  );
  return (id) => (kept === undefined ? id : shortenId(id, kept));
}

const END_LENGTHS = [4, 6, 8, 12];

/** What a few more characters would make whole is left whole. */
function shortenId(id: string, ends: number): string {
  return id.length <= 2 * ends + 4 ? id : `${id.slice(0, ends)}…${id.slice(-ends)}`;
}
