import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';

/** A record of a series, and its place in it. */
export interface SeriesRecord {
  readonly record: AnyRecord;
  readonly place: number;
  readonly isChanged: boolean;
}

export interface SeriesPair {
  readonly previous: SeriesRecord;
  readonly current: SeriesRecord;
}

/** The label of a record, and its dimension values. */
export function nameRecord({ period, declaration }: Dataset, { record }: SeriesRecord) {
  const label = String(record[period?.field ?? '']);
  return {
    label,
    values: (declaration?.dimensions ?? []).map(({ field }) => String(record[field])),
  };
}

/** Reads up to some records of a series before a place, oldest first. */
export type ReadPast = (
  values: readonly string[],
  before: number,
  limit: number,
) => Promise<readonly AnyRecord[]>;
