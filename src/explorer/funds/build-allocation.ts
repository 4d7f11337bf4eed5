import type { UnitInfo } from '../formatting/numbers.ts';
import {
  assignColors,
  type BreakdownComponent,
  type ColoredComponent,
  combineAsOthers,
  OTHERS_KEY,
  type Palette,
} from '../series/breakdown-components.ts';
import type { FundAllocationRecord, FundPeriod } from './fund-record.ts';

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

export type TimeSpan = readonly [number, number];

/** The allocation over at least `span`, oldest first. Gaps have an x, but no period or values. */
export function buildAllocation(
  { periods, rows }: FundAllocationRecord,
  {
    palette,
    unitInfo,
    span,
  }: { palette: Palette; unitInfo: UnitInfo; span?: TimeSpan | undefined },
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
  return {
    xs: slots.map(({ x }) => x),
    periods: slots.map(({ index }) => periods[index]),
    components,
    gaps,
  };
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
