import type { ReadResult } from '../reader.ts';
import type { SqlRows } from './query-steps.ts';

interface AggregatedRow {
  readonly revision: number | null;
  readonly count: number | string;
  readonly records: string | null;
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
