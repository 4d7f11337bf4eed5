/** Like `Math.max`, for more values than a call can take as arguments. */
export function maxOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
