/** A short form for each identifier, of its ends, by which they can still be told apart. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const kept = LENGTHS.find(
    (length) => new Set(ids.map((id) => shortened(id, length))).size === ids.length,
  );
  return (id) => (kept === undefined ? id : shortened(id, kept));
}

const LENGTHS = [4, 6, 8, 12];

/** What a few more characters would make whole is left whole. */
function shortened(id: string, ends: number): string {
  return id.length <= 2 * ends + 4 ? id : `${id.slice(0, ends)}…${id.slice(-ends)}`;
}
