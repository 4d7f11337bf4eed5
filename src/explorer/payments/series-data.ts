import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { type BreakdownComponent, sumComponents } from '../breakdown/component.ts';
import { extractComponents } from '../breakdown/extract-figures.ts';
import { buildTimeline, type Timeline } from '../breakdown/timeline.ts';
import { getUnit } from '../formatting/numbers.ts';

/** A series as it is drawn. */
export interface SeriesData extends Timeline {
  readonly kind: SeriesChartKind;
  /** Everything that has figures, in the order of the fields. */
  readonly allComponents: readonly BreakdownComponent[];
  /** What is drawn of that. */
  readonly components: readonly BreakdownComponent[];
  readonly total: SeriesTotal | undefined;
}

/** What the parts make up. */
export interface SeriesTotal extends BreakdownComponent {
  /** Whether the page added it up itself, because the source gives no total. */
  readonly isComputed: boolean;
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
  const components = isOdd ? figures : drawn;
  return {
    ...timeline,
    kind,
    allComponents: figures,
    components,
    total: getTotal(kind, components, figures, total),
  };
}

/** The figure that tells most of a series: the whole, or the largest part where there is none. */
export function getHeadline({ components, total }: SeriesData): BreakdownComponent | undefined {
  const bySize = components.toSorted((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  return total ?? bySize[0];
}

/** What the headline is, in a few words. */
export function describeHeadline(
  { total, kind }: SeriesData,
  { title }: BreakdownComponent,
): string {
  if (total) return total.isComputed ? `${title}, computed here` : title;
  return kind === 'shares' ? `${title}, the largest share` : `${title}, the largest figure`;
}

/** The units of the parts, each once. */
export function getUnits(components: readonly BreakdownComponent[]): string[] {
  return [...new Set(components.map(({ measure }) => getUnit(measure)))];
}

function getTotal(
  kind: SeriesChartKind,
  components: readonly BreakdownComponent[],
  figures: readonly BreakdownComponent[],
  total: string | null,
): SeriesTotal | undefined {
  const stated = figures.find(({ field }) => field === total);
  if (stated) return { ...stated, isComputed: false };
  const [first] = components;
  if (kind !== 'stacked' || !first) return undefined;
  const { field, measure } = first;
  const sum = sumComponents(components, {
    key: SUM_KEY,
    title: 'Sum of the parts',
    field,
    measure,
  });
  return { ...sum, isComputed: true };
}

/** No field is called so. */
const SUM_KEY = '=';
