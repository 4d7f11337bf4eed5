import { NORMAL_STATUS, OBSERVATION_STATUSES } from '../../catalogue/model/observation-status.ts';
import type { DatasetEntry, FieldInfo, JsonRecord } from '../api/types.ts';
import { getUnit } from '../formatting/numbers.ts';
import { type BreakdownComponent, type Palette, sumComponents } from './breakdown-components.ts';
import { isPercentage, unifyDecimals } from './compute-changes.ts';
import { buildPeriodTimeline, type PeriodTimeline } from './period-timeline.ts';

export interface SeriesData extends PeriodTimeline {
  readonly kind: SeriesChartKind;
  /** Everything that has figures, in the order of the fields. */
  readonly allComponents: readonly BreakdownComponent[];
  readonly components: readonly BreakdownComponent[];
  readonly total: SeriesTotal | undefined;
  /** The colours of components, if other series share them. */
  readonly palette?: Palette;
  /** Whether a publisher has put the main figure first. */
  readonly hasMainFirst: boolean;
}

interface SeriesTotal extends BreakdownComponent {
  /** Whether the page computes it, because the source has no total. */
  readonly isComputed: boolean;
}

const SERIES_CHART_KINDS = ['stacked', 'lines', 'shares', 'multiples'] as const;
type SeriesChartKind = (typeof SERIES_CHART_KINDS)[number];

/** The series of a dataset's records. Chart kinds that do not fit series are drawn as lines. */
export function buildSeriesData(
  entry: Pick<DatasetEntry, 'period' | 'fields' | 'chart'> & Partial<Pick<DatasetEntry, 'path'>>,
  data: readonly JsonRecord[],
): SeriesData {
  const timeline = buildPeriodTimeline(entry, data);
  const allComponents = extractComponents(entry, timeline);
  const { fields = [], total = null, kind: chartKind } = entry.chart ?? {};
  const drawn = fields.flatMap((name) => allComponents.filter(({ field }) => field === name));
  const declaredKind = SERIES_CHART_KINDS.find((kind) => kind === chartKind);
  const components = declaredKind && drawn.length > 0 ? drawn : allComponents;
  // Components in different units cannot be stacked.
  const canStack = declaredKind !== 'stacked' || listUnits(drawn).length === 1;
  const kind = (drawn.length > 0 && canStack && declaredKind) || 'lines';
  const statedTotal = allComponents.find(({ field }) => field === total);
  return {
    ...timeline,
    kind,
    allComponents,
    components,
    total: statedTotal ? { ...statedTotal, isComputed: false } : computeTotal(kind, components),
    hasMainFirst: entry.path?.startsWith('/datasets/') === true,
  };
}

/** The main figure of a series: the total, else the first that a publisher declared, else the largest. */
export function getHeadline(series: SeriesData): BreakdownComponent | undefined {
  const { components, total, hasMainFirst } = series;
  if (hasMainFirst) return total ?? components[0];
  const bySize = components.toSorted((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  return total ?? bySize[0];
}

export function describeHeadline(
  { total, kind, components, hasMainFirst }: SeriesData,
  { title, unitInfo }: BreakdownComponent,
): string {
  if (hasMainFirst && !total?.isComputed) return title;
  // The largest of several rates is no more meaningful than the others.
  if (components.length === 1 || (kind !== 'shares' && isPercentage(unitInfo))) return title;
  if (total) return total.isComputed ? `${title}, computed here` : title;
  return `${title}, the largest ${kind === 'shares' ? 'share' : 'figure'}`;
}

/** The description of a record's status; undefined if it is normal. */
export function describeStatus(record: JsonRecord | undefined): string | undefined {
  const { status = NORMAL_STATUS } = record ?? {};
  if (status === NORMAL_STATUS) return undefined;
  return (
    new Map<unknown, string>(Object.entries(OBSERVATION_STATUSES)).get(status) ?? String(status)
  );
}

function listUnits(components: readonly BreakdownComponent[]): string[] {
  return [...new Set(components.map(({ unitInfo }) => getUnit(unitInfo)))];
}

/** The key of the computed total: no field has this name. */
const SUM_KEY = '=';
export const SUM_TITLE = 'Sum of the components';

function computeTotal(
  kind: SeriesChartKind,
  components: readonly BreakdownComponent[],
): SeriesTotal | undefined {
  if (kind !== 'stacked') return undefined;
  const sum = sumComponents(components, { key: SUM_KEY, title: SUM_TITLE });
  return { ...sum, isComputed: true };
}

type ComponentInfo = Omit<BreakdownComponent, 'values'>;

/** The components that records have figures for, those of the newest record first. */
export function extractComponents(
  { fields }: Pick<DatasetEntry, 'fields'>,
  { records }: Pick<PeriodTimeline, 'records'>,
): BreakdownComponent[] {
  const components = new Map<string, ComponentInfo & { values: (number | undefined)[] }>();
  for (const [index, record] of [...records.entries()].reverse()) {
    for (const { value, ...info } of record ? extractFigures(fields, record) : []) {
      const component = components.get(info.key) ?? {
        ...info,
        values: records.map(() => undefined),
      };
      component.values[index] = value;
      components.set(info.key, component);
    }
  }
  const inFieldOrder = fields.flatMap(({ name }) =>
    [...components.values()].filter(({ field }) => field === name),
  );
  return disambiguateTitles(inFieldOrder.map(unifyDecimals));
}

function extractFigures(fields: readonly FieldInfo[], record: JsonRecord) {
  return fields.flatMap((field): (ComponentInfo & { value: number })[] => {
    const { name, meaning } = field;
    const value = record[name];
    if (typeof value === 'number')
      return [{ key: name, title: meaning, hint: name, field: name, unitInfo: field, value }];
    const unitInfo = field.fields?.find((inner) => inner.name === 'value');
    if (!unitInfo || !Array.isArray(value)) return [];
    return value.flatMap((element) => {
      if (typeof element.value !== 'number') return [];
      const title = String(element.key);
      return { key: `${name}.${title}`, title, field: name, unitInfo, value: element.value };
    });
  });
}

function disambiguateTitles(components: readonly BreakdownComponent[]): BreakdownComponent[] {
  return components.map((component) => {
    const isUnique = components.filter(({ title }) => title === component.title).length === 1;
    return isUnique ? component : { ...component, title: `${component.title} (${component.key})` };
  });
}
