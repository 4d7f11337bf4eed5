import { isNumericField } from '../../catalogue/model/diff-records.ts';
import { quoteItem } from '../../client/build-url.ts';
import { createLookupTable } from '../../shared/lookup-table.ts';
import { splitQuotedList } from '../../shared/quoted-list.ts';
import type { ApiRequest, DatasetEntry, JsonRecord } from '../api/types.ts';
import { decodeKey } from '../series/breakdown-components.ts';

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
interface Combination {
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

/** A dimension with its values, known and seen, and those that are chosen. */
export interface DimensionChoice {
  readonly field: string;
  readonly title: string;
  /** The known values in the order of the declaration, then others. */
  readonly options: readonly { readonly key: string; readonly text: string }[];
  /** Undefined for all. */
  readonly chosen: readonly string[] | undefined;
}

/** The values of each dimension that a URL chooses; by default those of the first combination. */
export function parseChoices(
  entry: KeyInfo & Pick<DatasetEntry, 'fields'>,
  offered: readonly JsonRecord[],
  of: string | undefined,
): DimensionChoice[] {
  const dimensions = listDimensions(entry).map((name) => {
    const field = entry.fields.find((each) => each.name === name);
    const known = (field?.codes ?? []).map(({ value, label }) => ({ key: value, text: label }));
    const seen = new Set(offered.map((record) => String(record[name])));
    const others = [...seen.difference(new Set(known.map(({ key }) => key)))].sort();
    const options = [...known, ...others.map((key) => ({ key, text: key }))];
    return { field: name, title: field?.meaning ?? name, options, seen };
  });
  const parts = of === ALL_VALUES ? [] : (splitQuotedList(of ?? '') ?? []);
  const parsed = dimensions.map(({ options }, index) =>
    parsePart(parts[index]).filter((value) => options.some(({ key }) => key === value)),
  );
  const isValid =
    of === ALL_VALUES || parts.every((part, index) => part === ALL_VALUES || parsed[index]?.length);
  return dimensions.map(({ seen, ...dimension }, index) => {
    const first = dimension.options.find(({ key }) => seen.has(key)) ?? dimension.options[0];
    const isAll = (parts[index] ?? ALL_VALUES) === ALL_VALUES;
    if (of === undefined || !isValid) return { ...dimension, chosen: first ? [first.key] : [] };
    return { ...dimension, chosen: isAll ? undefined : (parsed[index] ?? []) };
  });
}

/** In URLs: every value of a dimension, or of all dimensions. */
export const ALL_VALUES = '*';

/** The choice of all dimensions as a URL parameter: `Karachi;Lahore,*`. */
export function formatChoices(choices: readonly Pick<DimensionChoice, 'chosen'>[]): string {
  return choices
    .map(({ chosen }) => (chosen ? quoteItem(chosen.map(escapeValue).join(';')) : ALL_VALUES))
    .join();
}

const parsePart = (part = '') => part.split(';').map(decodeKey);
const escapeValue = (value: string) =>
  value.replaceAll(/[%;*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** A figure of each combination as a series of its own, to be drawn as lines or as small charts. */
export function combineSeries(
  entry: DatasetEntry,
  combinations: readonly (Combination & { readonly title: string })[],
  kind: 'lines' | 'multiples',
  measureName?: string,
) {
  const { field = '' } = entry.period ?? {};
  const numeric = entry.fields.filter((each) => isNumericField(each));
  const measure =
    numeric.find(({ name }) => name === measureName) ??
    numeric.find(({ name }) => name === entry.chart?.fields[0]) ??
    numeric[0];
  const records = new Map<unknown, JsonRecord>();
  for (const { key, records: own } of combinations) {
    for (const record of own) {
      const period = record[field];
      const merged = records.get(period) ?? { [field]: period };
      records.set(period, createLookupTable({ ...merged, [key]: record[measure?.name ?? ''] }));
    }
  }
  const figures = combinations.flatMap(({ key, title }) =>
    measure ? { ...measure, name: key, meaning: title } : [],
  );
  return {
    measure,
    entry: {
      ...entry,
      fields: [...entry.fields.filter(({ name }) => name === field), ...figures],
      chart: { kind, fields: combinations.map(({ key }) => key), total: null },
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

/** The label of a value by the code list of its dimension, or the value itself. */
export function getValueLabel(
  { fields }: Pick<DatasetEntry, 'fields'>,
  dimension: string,
  value: unknown,
): string {
  const codes = fields.find(({ name }) => name === dimension)?.codes;
  return codes?.find((code) => code.value === value)?.label ?? String(value);
}

/** As many as the service takes for one dimension. */
const MAX_VALUES = 50;

/** The parameters that select the chosen values, as far as the service can. */
export function toParameters(
  choices: readonly DimensionChoice[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    choices.flatMap(({ field, chosen }) =>
      chosen?.length && chosen.length <= MAX_VALUES ? [[field, chosen.map(quoteItem).join()]] : [],
    ),
  );
}
