const COUNT = 20_000;

/** Histories and snapshots, more than a server caches and different in every round. */
export function buildUncachedTargets(
  round: number,
  symbols: readonly string[],
  days: readonly string[],
): string[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const iteration = round * COUNT + index;
    const symbol = symbols[(iteration * 7_919) % symbols.length];
    const day = days[(iteration * 104_729) % days.length];
    return `/2.0/bnb/quote?${iteration % 2 === 0 ? `symbol=${symbol}&to=${day}` : `date=${day}`}`;
  });
}
