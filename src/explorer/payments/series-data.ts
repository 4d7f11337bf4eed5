import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { type BreakdownComponent, sumComponents } from '../breakdown/component.ts';
import { extractComponents } from '../breakdown/extract-figures.ts';
import { buildTimeline, type Timeline } from '../breakdown/timeline.ts';
import { getUnit } from '../formatting/numbers.ts';

/** A series as it is drawn. */
export interface SeriesData extends Timeline {
  readonly kind: SeriesChartKind;
  /** Everything that has figures, in the order of the fields. */
  readonly figures: readonly BreakdownComponent[];
  /** What is drawn of that. */
  readonly parts: readonly BreakdownComponent[];
  readonly whole: SeriesTotal | undefined;
}

/** What the parts make up. */
export interface SeriesTotal extends BreakdownComponent {
  /** Whether the page added it up itself, because the source gives no total. */
  readonly isSum: boolean;
}

export const SERIES_CHART_KINDS = ['stacked', 'lines', 'shares', 'multiples'] as const;
export type SeriesChartKind = (typeof SERIES_CHART_KINDS)[number];

/** The series that the records of a dataset make. A kind that is not known is drawn as lines. */
export function buildSeriesData(
  entry: Pick<DatasetEntry, 'period' | 'fields' | 'chart'>,
  data: readonly JsonRecord[],
): SeriesData {
  const timeline = buildTimeline(entry, data);
  const figures = extractComponents(entry, timeline);
  const { fields, total } = entry.chart;
  const drawn = fields.flatMap((name) => figures.filter(({ field }) => field === name));
  const wanted = SERIES_CHART_KINDS.find((kind) => kind === entry.chart.kind);
  // What differs in unit cannot stand one upon the other.
  const isOdd = wanted === undefined || drawn.length === 0;
  const kind = isOdd || (wanted === 'stacked' && getUnits(drawn).length > 1) ? 'lines' : wanted;
  const parts = isOdd ? figures : drawn;
  return { ...timeline, kind, figures, parts, whole: getTotal(kind, parts, figures, total) };
}

/** The figure that tells most of a series: the whole, or the largest part where there is none. */
export function getHeadline({ parts, whole }: SeriesData): BreakdownComponent | undefined {
  const bySize = parts.toSorted((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  return whole ?? bySize[0];
}

/** What the headline is, in a few words. */
export function describeHeadline(
  { whole, kind }: SeriesData,
  { title }: BreakdownComponent,
): string {
  if (whole) return whole.isSum ? `${title}, computed here` : title;
  return kind === 'shares' ? `${title}, the largest share` : `${title}, the largest figure`;
}

/** The units of the parts, each once. */
export function getUnits(parts: readonly BreakdownComponent[]): string[] {
  return [...new Set(parts.map(({ measure }) => getUnit(measure)))];
}

function getTotal(
  kind: SeriesChartKind,
  parts: readonly BreakdownComponent[],
  figures: readonly BreakdownComponent[],
  total: string | null,
): SeriesTotal | undefined {
  const stated = figures.find(({ field }) => field === total);
  if (stated) return { ...stated, isSum: false };
  const [first] = parts;
  if (kind !== 'stacked' || !first) return undefined;
  const { field, measure } = first;
  const sum = sumComponents(parts, { key: SUM_KEY, title: 'Sum of the parts', field, measure });
  return { ...sum, isSum: true };
}

/** No field is called so. */
const SUM_KEY = '=';
