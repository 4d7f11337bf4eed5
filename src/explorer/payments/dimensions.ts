import type { ApiRequest, DatasetEntry, JsonRecord } from '../api/types.ts';

/** Whether the publisher has declared a dataset: it may have dimensions, and any number of records. */
export const isDeclared = ({ path }: Pick<DatasetEntry, 'path'>) => path.startsWith('/datasets/');

/** More than fit a page of the service are not drawn. */
const MAX_RECORDS = 10_000;

/** The request for the records of a series, or for those of one combination of dimension values. */
export function createSeriesRequest(
  { path }: Pick<DatasetEntry, 'path'>,
  dimensions: Readonly<Record<string, string>> = {},
  limit = MAX_RECORDS,
): ApiRequest {
  if (!isDeclared({ path })) return { path };
  return { path, parameters: { ...dimensions, limit } };
}

/** A series of a dataset: the records with one combination of dimension values. */
export interface Combination {
  /** The values with commas between them, which no value has. */
  readonly key: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly records: readonly JsonRecord[];
}

type KeyInfo = Pick<DatasetEntry, 'key' | 'period'>;

/** Every combination of dimension values, by these; one if there are no dimensions. */
export function splitByDimensions(entry: KeyInfo, records: readonly JsonRecord[]): Combination[] {
  const groups = Map.groupBy(records, (record) => formatCombination(entry, record));
  return [...groups]
    .map(([key, group]) => ({
      key,
      dimensions: Object.fromEntries(
        listDimensions(entry).map((field) => [field, String(group[0]?.[field])]),
      ),
      records: group,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The key of the combination that a record belongs to; empty if there are no dimensions. */
export function formatCombination(entry: KeyInfo, record: JsonRecord): string {
  return listDimensions(entry)
    .map((field) => record[field])
    .join();
}

function listDimensions({ key, period }: KeyInfo): string[] {
  return key.filter((field) => field !== period?.field);
}
