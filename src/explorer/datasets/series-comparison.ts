import { isNumericField } from '../../catalogue/model/diff-records.ts';
import { alignedColumn, splitColumns } from '../api/aligned.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import type { FigureSource } from '../comparison/build-comparison.ts';
import { CURVE_RATES, describeRate } from '../market/yield-curves.ts';
import { type BreakdownComponent, decodeKey } from '../series/breakdown-components.ts';
import { buildSeriesData, getHeadline, SUM_TITLE } from '../series/series-data.ts';
import { getValueLabel, splitByDimensions } from './dimensions.ts';

/** What can be compared: series, and the figures of securities and of the curve, which have one for each day. */
export function listComparable(catalogue: readonly DatasetEntry[]): DatasetEntry[] {
  const series = catalogue.filter(({ shape }) => shape === 'series');
  const quotes = catalogue.find(({ shape }) => shape === 'quotes');
  const ytm = quotes?.fields.find(({ name }) => name === 'ytm');
  if (!quotes || !ytm) return series;
  const daily = { ...quotes, period: { field: 'date', kind: 'daily' as const, yearStart: null } };
  const fields = CURVE_RATES.map((name) => ({ ...ytm, name, meaning: describeRate(name) }));
  return [...series, daily, { ...daily, name: 'curve', title: 'Government curve', fields }];
}

/** The keys of all figures that records have, the main one first. */
export function listFigureKeys(entry: DatasetEntry, data: readonly JsonRecord[]): string[] {
  return splitByDimensions(entry, data).flatMap(({ dimensions, records }) => {
    const toKey = ({ key }: BreakdownComponent) =>
      alignedColumn(entry.name, key, dimensions).slice(entry.name.length + 1);
    const series = buildSeriesData(entry, records);
    const { total, components, allComponents } = series;
    const main = total?.isComputed ? components : [getHeadline(series)].filter((each) => !!each);
    return [...new Set([main.map(toKey).join(':'), ...allComponents.map(toKey)])].filter(Boolean);
  });
}

/**
 * The figure of a key: the columns that it is the sum of, without the name of the series, separated by
 * colons. Undefined if no field has it.
 */
export function describeFigure(entry: DatasetEntry, key: string) {
  const columns = key.split(':').map((column) => `${entry.name}.${column}`);
  const [, measure = '', dimensions = ''] = /\.([^(]*)(.*)$/s.exec(columns[0] ?? '') ?? [];
  const [name, ...member] = decodeKey(measure).split('.');
  const field = entry.fields.find((each) => each.name === name);
  if (!field) return undefined;
  const isSum = columns.length > 1;
  const figure = isSum ? SUM_TITLE : member.join('.') || field.meaning;
  const isMain = isSum || name === entry.chart?.total;
  const values = Array.from(
    dimensions.matchAll(/(?<![^(,])([^(,]+)=([^,)]*)/g),
    ([, dimension = '', value = '']) => ({ dimension, value: decodeKey(value) }),
  );
  const of = values.map(({ value }) => value).join();
  const labels = values.map(({ dimension, value }) => getValueLabel(entry, dimension, value));
  return {
    entry,
    columns,
    key: columns.join(':'),
    reference: { series: entry.name, key },
    unitInfo: field.fields?.find((inner) => inner.name === 'value') ?? field,
    route: getRoute(entry, of),
    title: [isMain ? entry.title : `${entry.title}: ${figure}`, ...labels].join(', '),
    // Distinguishes it from the other figures of its series.
    optionTitle: [figure, ...labels].join(', '),
  };
}

function getRoute({ name, shape }: DatasetEntry, of: string): FigureSource['route'] {
  if (name === 'curve') return { view: 'market', params: { through: of } };
  if (shape === 'quotes') return { view: 'security', params: { symbol: of } };
  return { view: 'payments', params: { series: name, ...(of && { of }) } };
}

export type ChosenFigure = ReturnType<typeof chooseFigures>[number];

/**
 * The known figures of the URL, each once, with the keys of all figures of their series; `data` has records
 * of each entry.
 */
export function chooseFigures(
  references: readonly FigureReference[],
  entries: readonly DatasetEntry[],
  data: readonly (readonly JsonRecord[] | undefined)[],
) {
  const chosen = references.flatMap((name) => {
    const index = entries.findIndex((entry) => entry.name === name.series);
    const [entry, records] = [entries[index], data[index]];
    if (!entry || !records) return [];
    const [selection = ''] = /\(.*$/s.exec(name.key ?? '') ?? [];
    const keys =
      entry.shape === 'quotes'
        ? entry.fields.filter(isNumericField).map((field) => `${field.name}${selection}`)
        : listFigureKeys(entry, records);
    const figures = [name.key, ...keys].map((key = '') => describeFigure(entry, key));
    const figure = figures.find(Boolean);
    return figure ? [{ ...figure, keys, name }] : [];
  });
  const groups = Map.groupBy(chosen, ({ key }) => key);
  return Array.from(groups.values(), (group) => {
    return { ...(group[0] as (typeof group)[0]), names: group.map(({ name }) => name) };
  });
}

/** The URL parameter after replacing a figure with others of its series, or removing it. */
export function replaceFigure(
  references: readonly FigureReference[],
  { names }: ChosenFigure,
  ...keys: string[]
): string | undefined {
  const others = ({ series }: FigureReference) => keys.map((key) => ({ series, key }));
  return formatFigureReferences(
    references.flatMap((each) => (names.includes(each) ? others(each) : each)),
  );
}

/** A figure in the URL: the name of its series, and its key unless it is the main one. */
export interface FigureReference {
  readonly series: string;
  readonly key: string | undefined;
}

export function parseFigureReferences(text: string | undefined): FigureReference[] {
  return Array.from(new Set(splitColumns(text ?? '')), (part) => {
    const [series = '', ...key] = part.split('~');
    return { series, key: key.join('~') || undefined };
  });
}

/** Undefined without figures, which removes the parameter. */
export function formatFigureReferences(names: readonly FigureReference[]): string | undefined {
  const parts = names.map(({ series, key }) => (key === undefined ? series : `${series}~${key}`));
  return parts.join(',') || undefined;
}
