import type { DatasetEntry, JsonRecord } from '../api/types.ts';
import { type BreakdownComponent, sumComponents } from '../breakdown/component.ts';
import { extractComponents } from '../breakdown/extract-components.ts';
import { buildTimeline, type Timeline } from '../breakdown/timeline.ts';
import { getUnit } from '../formatting/numbers.ts';

/** A series as it is drawn. */
export interface SeriesData extends Timeline {
  readonly kind: SeriesChartKind;
  /** Everything that has figures, in the order of the fields. */
  readonly allComponents: readonly BreakdownComponent[];
  /** Those of the components that are drawn. */
  readonly components: readonly BreakdownComponent[];
  readonly total: SeriesTotal | undefined;
}

export interface SeriesTotal extends BreakdownComponent {
  /** Whether the page computes it, because the source gives no total. */
  readonly isComputed: boolean;
}

const SERIES_CHART_KINDS = ['stacked', 'lines', 'shares', 'multiples'] as const;
type SeriesChartKind = (typeof SERIES_CHART_KINDS)[number];

/** The series of a dataset's records. A chart kind that is not one of a series is drawn as lines. */
export function buildSeriesData(
  entry: Pick<DatasetEntry, 'period' | 'fields' | 'chart'>,
  data: readonly JsonRecord[],
): SeriesData {
  const timeline = buildTimeline(entry, data);
  const allComponents = extractComponents(entry, timeline);
  const { fields, total } = entry.chart;
  const drawn = fields.flatMap((name) => allComponents.filter(({ field }) => field === name));
  const declaredKind = SERIES_CHART_KINDS.find((kind) => kind === entry.chart.kind);
  const components = declaredKind && drawn.length > 0 ? drawn : allComponents;
  // Components in different units cannot be stacked.
  const canStack = declaredKind !== 'stacked' || getUnits(drawn).length === 1;
  const kind = (drawn.length > 0 && canStack && declaredKind) || 'lines';
  const statedTotal = allComponents.find(({ field }) => field === total);
  return {
    ...timeline,
    kind,
    allComponents,
    components,
    total: statedTotal ? { ...statedTotal, isComputed: false } : computeTotal(kind, components),
  };
}

/** The main figure of a series: the total, or the largest component where there is none. */
export function getHeadline({ components, total }: SeriesData): BreakdownComponent | undefined {
  const bySize = components.toSorted((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  return total ?? bySize[0];
}

export function describeHeadline(
  { total, kind }: SeriesData,
  { title }: BreakdownComponent,
): string {
  if (total) return total.isComputed ? `${title}, computed here` : title;
  return kind === 'shares' ? `${title}, the largest share` : `${title}, the largest figure`;
}

/** The distinct units of the components. */
export function getUnits(components: readonly BreakdownComponent[]): string[] {
  return [...new Set(components.map(({ unitInfo }) => getUnit(unitInfo)))];
}

/** The key of the computed total: no field has this name. */
const SUM_KEY = '=';

function computeTotal(
  kind: SeriesChartKind,
  components: readonly BreakdownComponent[],
): SeriesTotal | undefined {
  if (kind !== 'stacked') return undefined;
  const sum = sumComponents(components, { key: SUM_KEY, title: 'Sum of the components' });
  return { ...sum, isComputed: true };
}
