const MOST = 1_000;

/** Values in batches, as they come. */
export function* batched<T>(values: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const value of values) {
    if (batch.push(value) < MOST) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
