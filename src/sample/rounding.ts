/** The number with at most so many decimals. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/**
 * Whole units in proportion to the weights, which add up to exactly `units`: what rounding down
 * leaves over goes to the largest remainders.
 */
export function apportion(weights: readonly number[], units: number): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const exact = weights.map((weight) => (weight / sum) * units);
  const parts = exact.map(Math.floor);
  const left = units - parts.reduce((total, part) => total + part, 0);
  const remainder = (place: number) => (exact[place] ?? 0) % 1;
  const byRemainder = [...parts.keys()].sort((a, b) => remainder(b) - remainder(a));
  const lifted = new Set(byRemainder.slice(0, left));
  return parts.map((part, index) => (lifted.has(index) ? part + 1 : part));
}
