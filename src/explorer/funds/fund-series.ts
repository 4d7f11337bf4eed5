import { DAY_MS, formatDay } from '../../shared/calendar.ts';
import type { DatasetEntry } from '../api/types.ts';
import type { UnitInfo } from '../formatting/numbers.ts';
import {
  assignColors,
  type BreakdownComponent,
  type ColoredComponent,
  combineAsOthers,
  OTHERS_KEY,
  type Palette,
} from '../series/breakdown-components.ts';
import { findDecimals } from '../series/compute-changes.ts';
import type { SeriesData } from '../series/series-data.ts';
import { type FundAllocationRecord, type FundPeriod, getShareUnit } from './fund-record.ts';

/** How funds are shown; shared by two compared funds. */
export interface FundViewOptions {
  readonly entry: DatasetEntry;
  readonly nameFund: (id: string) => string;
  readonly unitInfo: UnitInfo;
  readonly palette: Palette;
  /** The common span of the charts of two compared funds. */
  readonly span: TimeSpan | undefined;
}

export type TimeSpan = readonly [number, number];

/** Colours and units for one fund, or for two that are compared. */
export function createFundViewOptions(
  entry: DatasetEntry,
  records: readonly FundAllocationRecord[],
  nameFund: FundViewOptions['nameFund'],
): FundViewOptions {
  const shareUnit = getShareUnit(entry);
  const shares = records.flatMap(({ rows }) => rows.flatMap(({ values }) => values));
  const unitInfo = { ...shareUnit, roundedTo: findDecimals(shares, shareUnit) };
  const palette = assignClassColors(records, unitInfo);
  const span = records.length > 1 ? getPeriodSpan(records) : undefined;
  return { entry, nameFund, unitInfo, palette, span };
}

/** Colours for all classes of the funds, so that each class has one colour. */
export function assignClassColors(
  records: readonly FundAllocationRecord[],
  unitInfo: UnitInfo,
): Palette {
  const newestShares = new Map<string, number>();
  for (const { label, values } of records.flatMap(({ rows }) => rows))
    newestShares.set(label, (newestShares.get(label) ?? 0) + (values[0] ?? 0));
  const components = [...newestShares].map(([label, share]) =>
    toComponent(label, [share], unitInfo),
  );
  return assignColors(components, true);
}

/** The allocation as a series over at least the span. Gaps have a day, but no record or values. */
export function buildFundSeries(
  { periods, rows }: FundAllocationRecord,
  { palette, unitInfo, span }: Pick<FundViewOptions, 'palette' | 'unitInfo' | 'span'>,
) {
  const { slots, gaps } = arrangePeriods(periods, span);
  const classes = rows.map(({ label, values }) => {
    const slotValues = slots.map(({ index }) => values[index]);
    return toComponent(label, slotValues, unitInfo);
  });
  const components = palette.components.flatMap(({ key, colorIndex }): ColoredComponent[] => {
    const keys = key === OTHERS_KEY ? palette.smallest.map((small) => small.key) : [key];
    const matches = classes.filter((component) => keys.includes(component.key));
    if (matches.length === 0) return [];
    if (key === OTHERS_KEY) return [{ ...combineAsOthers(matches), colorIndex }];
    return matches.map((component) => ({ ...component, colorIndex }));
  });
  const days = slots.map(({ x }) => Math.floor(x / DAY_MS));
  const series: SeriesData = {
    kind: 'shares',
    allComponents: classes,
    components: classes,
    palette: { components, smallest: palette.smallest },
    total: undefined,
    hasMainFirst: false,
    ordinals: days,
    lastDays: days,
    labels: days.map(formatDay),
    names: slots.map(({ index }) => periods[index]?.label ?? ''),
    records: slots.map(({ index }) => periods[index]),
    periodsPerYear: 365,
    periodNoun: 'period',
    hasHolidays: false,
    getYearBefore: () => undefined,
  };
  return { series, gaps };
}

/** The span from the end of the funds' first period to the end of their last. */
export function getPeriodSpan(records: readonly FundAllocationRecord[]): TimeSpan {
  const ends = records.flatMap(({ periods }) => periods.map(({ date }) => Date.parse(date)));
  return [Math.min(...ends), Math.max(...ends)];
}

function toComponent(
  label: string,
  values: BreakdownComponent['values'],
  unitInfo: UnitInfo,
): BreakdownComponent {
  return { key: label, title: label, field: 'rows', unitInfo, values };
}

/** Months differ in length by a tenth, never by half. */
const GAP_FACTOR = 1.5;
const GAP_INDEX = -1;

function arrangePeriods(periods: readonly FundPeriod[], span: TimeSpan | undefined) {
  const ends = periods.map(({ date }, index) => ({ x: Date.parse(date), index })).reverse();
  const steps = ends.slice(1).map(({ x }, index) => x - (ends[index]?.x ?? 0));
  const medianStep = steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 0;
  const gaps: [FundPeriod, FundPeriod][] = [];
  const slots: typeof ends = [];
  for (const end of ends) {
    const previous = slots.at(-1);
    if (previous && end.x - previous.x > GAP_FACTOR * medianStep) {
      slots.push({ x: (previous.x + end.x) / 2, index: GAP_INDEX });
      gaps.push([periods[previous.index] as FundPeriod, periods[end.index] as FundPeriod]);
    }
    slots.push(end);
  }
  const [first, last] = [ends[0]?.x ?? 0, ends.at(-1)?.x ?? 0];
  if (span && span[0] < first) slots.unshift({ x: span[0], index: GAP_INDEX });
  if (span && span[1] > last) slots.push({ x: span[1], index: GAP_INDEX });
  return { slots, gaps };
}
