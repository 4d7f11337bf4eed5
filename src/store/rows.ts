/** The values of a table's key columns, in the table's order. */
export type RecordKey = readonly (string | number)[];

/** A key as one text, the same whether an engine returns its numbers as text. */
export function formatKey(key: RecordKey): string {
  return JSON.stringify(key.map(String));
}

/** A record ready to be stored: the values of the table's columns, in order, and its JSON. */
export interface EncodedRow {
  readonly columns: readonly (string | number)[];
  readonly json: string;
}

/** A record as it is stored, current or not. */
export interface StoredRow extends EncodedRow {
  readonly since: number;
  /** The revision that replaced or retired it; null if it is current. */
  readonly until: number | null;
}

/** The rows of a summary, with its columns in order. */
export type SummaryRows = readonly (readonly (string | number)[])[];

/** Values in batches, so that an asynchronous step costs once for many of them. */
export type Batches<T> = Iterable<readonly T[]> | AsyncIterable<readonly T[]>;

const BATCH_SIZE = 1_000;

export function* toBatches<T>(values: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const value of values) {
    if (batch.push(value) < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Joins batches until each has a number of rows; the last one may have fewer. */
export async function* joinBatches<T extends object>(
  batches: Batches<T>,
  minRows: number,
): AsyncGenerator<readonly T[]> {
  if (minRows === 0) return yield* batches;
  let joined: T[] = [];
  for await (const batch of batches) {
    // Copied, because the same object may come again, and both would count as duplicates.
    for (const row of batch) joined.push({ ...row });
    if (joined.length < minRows) continue;
    yield joined;
    joined = [];
  }
  if (joined.length > 0) yield joined;
}

export async function* toBatchesAsync<T>(
  values: Iterable<T> | AsyncIterable<T>,
  size = BATCH_SIZE,
): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const value of values) {
    if (batch.push(value) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
