import { alignedColumn, splitColumns } from '../api/aligned.ts';
import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { type BreakdownComponent, decodeKey } from '../breakdown/breakdown-components.ts';
import type { FigureSource } from '../comparison/build-comparison.ts';
import { splitByDimensions } from './dimensions.ts';
import { buildSeriesData, getHeadline, SUM_TITLE } from './series-data.ts';

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

/** A figure of a series. */
export interface SeriesFigure extends FigureSource {
  readonly entry: DatasetEntry;
  readonly reference: FigureReference;
  /** Tells it from the other figures of its series. */
  readonly optionTitle: string;
}

/**
 * The figure of a key: its columns without the name of the series, with colons between those that it
 * is the sum of. Undefined where no field has it.
 */
export function describeFigure(entry: DatasetEntry, key: string): SeriesFigure | undefined {
  const columns = key.split(':').map((column) => `${entry.name}.${column}`);
  const [, measure = '', dimensions = ''] = /\.([^(]*)(.*)$/.exec(columns[0] ?? '') ?? [];
  const [name, ...member] = decodeKey(measure).split('.');
  const field = entry.fields.find((each) => each.name === name);
  if (!field) return undefined;
  const isSum = columns.length > 1;
  const figure = isSum ? SUM_TITLE : member.join('.') || field.meaning;
  const isMain = isSum || name === entry.chart?.total;
  const values = Array.from(dimensions.matchAll(/=([^,)]*)/g), ([, text = '']) => decodeKey(text));
  return {
    ...{ entry, columns, key: columns.join(':') },
    reference: { series: entry.name, key },
    unitInfo: field.fields?.find((inner) => inner.name === 'value') ?? field,
    route: { view: 'payments', params: { series: entry.name } },
    title: [isMain ? entry.title : `${entry.title}: ${figure}`, ...values].join(', '),
    optionTitle: [figure, ...values].join(', '),
  };
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

/** Undefined where there are none, which removes the parameter. */
export function formatFigureReferences(names: readonly FigureReference[]): string | undefined {
  const parts = names.map(({ series, key }) => (key === undefined ? series : `${series}~${key}`));
  return parts.join(',') || undefined;
}
