export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that a share of the values is below; not a number if there are none. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
