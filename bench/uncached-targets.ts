const COUNT = 20_000;

/** Histories and snapshots in turn, more of them than a server keeps; other ones in every round. */
export function coldTargets(
  round: number,
  symbols: readonly string[],
  days: readonly string[],
): string[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const turn = round * COUNT + at;
    const symbol = symbols[(turn * 7_919) % symbols.length];
    const day = days[(turn * 104_729) % days.length];
    return `/2.0/bnb/quote?${turn % 2 === 0 ? `symbol=${symbol}&to=${day}` : `date=${day}`}`;
  });
}
