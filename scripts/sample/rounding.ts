export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/** Splits `units` into integers in proportion to the weights, by the largest remainders. */
export function apportion(weights: readonly number[], units: number): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const exact = weights.map((weight) => (weight / sum) * units);
  const parts = exact.map(Math.floor);
  const remaining = units - parts.reduce((total, part) => total + part, 0);
  const remainder = (index: number) => (exact[index] ?? 0) % 1;
  const byRemainder = [...parts.keys()].sort((a, b) => remainder(b) - remainder(a));
  const roundedUp = new Set(byRemainder.slice(0, remaining));
  return parts.map((part, index) => (roundedUp.has(index) ? part + 1 : part));
}
