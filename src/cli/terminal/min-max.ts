/** The smallest of any number of values; without any, infinity. */
export function minOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

/** The largest of any number of values; without any, minus infinity. */
export function maxOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
