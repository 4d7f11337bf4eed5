import { isNumericField } from '../../catalogue/model/diff-records.ts';
import { quoteItem } from '../../client/build-url.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';
import type { ApiRequest, DatasetEntry, JsonRecord } from '../api/types.ts';

/** Whether a dataset was declared by the publisher: it may have dimensions and any number of records. */
export const isDeclared = ({ path }: Pick<DatasetEntry, 'path'>) => path.startsWith('/datasets/');

/** At most as many as fit a page of the service. */
const MAX_RECORDS = 10_000;

/** The request for the records of a series, which parameters may select and transform. */
export function createSeriesRequest(
  { name }: Pick<DatasetEntry, 'name'>,
  parameters: ApiRequest['parameters'] = {},
  limit = MAX_RECORDS,
): ApiRequest {
  return { path: `/datasets/${name}`, parameters: { ...parameters, limit } };
}

/** A series of a dataset: the records with one combination of dimension values. */
export interface Combination {
  /** The values separated by commas; one with a comma is in double quotes. */
  readonly key: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly records: readonly JsonRecord[];
}

type KeyInfo = Pick<DatasetEntry, 'key' | 'period'>;

/** Every combination of dimension values, sorted; one if there are no dimensions. */
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

/** The key of all combinations together, which no value equals. */
export const ALL_COMBINATIONS = '*';

/** The first figure of each combination as a series of its own, for small charts side by side. */
export function combineSeries(entry: DatasetEntry, combinations: readonly Combination[]) {
  const { field = '' } = entry.period ?? {};
  const numeric = entry.fields.filter((each) => isNumericField(each));
  const measure = numeric.find(({ name }) => name === entry.chart?.fields[0]) ?? numeric[0];
  const keys = combinations.map(({ key }) => key);
  const records = new Map<unknown, JsonRecord>();
  for (const { key, records: own } of combinations) {
    for (const record of own) {
      const period = record[field];
      const merged = records.get(period) ?? { [field]: period };
      records.set(period, createLookupTable({ ...merged, [key]: record[measure?.name ?? ''] }));
    }
  }
  const fields = entry.fields.filter(({ name }) => name === field);
  return {
    entry: {
      ...entry,
      fields: [
        ...fields,
        ...keys.flatMap((name) => (measure ? { ...measure, name, meaning: name } : [])),
      ],
      chart: { kind: 'multiples' as const, fields: keys, total: null },
      checks: [],
    },
    records: [...records.values()],
  };
}

/** The key of the combination that a record belongs to; empty if there are no dimensions. */
export function formatCombination(entry: KeyInfo, record: JsonRecord): string {
  return listDimensions(entry)
    .map((field) => quoteItem(String(record[field])))
    .join();
}

export function listDimensions({ key, period }: KeyInfo): string[] {
  return key.filter((field) => field !== period?.field);
}

/** The parameters that select a combination: a value with a comma is in double quotes. */
export function toParameters(
  dimensions: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(dimensions).map(([name, value]) => [name, quoteItem(value)]),
  );
}
