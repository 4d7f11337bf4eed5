import type { ReadResult, Selection } from '../reader.ts';
import type { SqlRows } from './query-steps.ts';

interface AggregatedRow {
  readonly revision: number | null;
  readonly count: number | string;
  readonly records: string | null;
}

/** Removes the last record of a result, which is one above its limit; also returns the one before it. */
export function dropLastRecord(
  { records: all, count, ...result }: ReadResult,
  { dataset, asNdjson }: Pick<Selection, 'dataset' | 'asNdjson'>,
): { result: ReadResult; last: string } {
  const [firstField] = Object.keys(dataset.fields);
  // Quotes within a record's texts are escaped, so only a record can start like this.
  const start = `{"${firstField}":`;
  const records = all.slice(0, all.lastIndexOf(`${asNdjson ? '\n' : ','}${start}`));
  const last = records.slice(records.lastIndexOf(start));
  return { result: { ...result, count: count - 1, records }, last };
}

/** The result of a statement that aggregates records, which returns one row. */
export function toReadResult([first]: SqlRows): ReadResult {
  const row = first as AggregatedRow | undefined;
  return {
    revision: row?.revision ?? 0,
    // Engines may return large numbers as text.
    count: Number(row?.count),
    records: row?.records ?? '',
  };
}
