import type { BreakdownComponent } from '../breakdown/component.ts';
import {
  assignColors,
  type ColoredComponent,
  combineAsOthers,
  OTHERS_KEY,
  type Palette,
} from '../breakdown/palette.ts';
import type { UnitInfo } from '../formatting/numbers.ts';
import type { FundPeriod, FundRecord } from './fund-record.ts';

/** What a fund held over time, oldest first. A place without a period has no values. */
export interface FundAllocation {
  /** When periods ended, as instants. */
  readonly xs: readonly number[];
  readonly periods: readonly (FundPeriod | undefined)[];
  readonly parts: readonly ColoredComponent[];
  /** The ends of stretches without a period, where there should be some. */
  readonly gaps: readonly (readonly [after: FundPeriod, before: FundPeriod])[];
}

/** The colours of all classes of some funds, so that a class has the same one in each. */
export function assignClassColors(records: readonly FundRecord[], measure: UnitInfo): Palette {
  const labels = new Set(records.flatMap(({ rows }) => rows.map(({ label }) => label)));
  const newest = (label: string) =>
    records.reduce((sum, { rows }) => {
      return sum + (rows.find((row) => row.label === label)?.values[0] ?? 0);
    }, 0);
  const components = [...labels].map((label) => toComponent(label, [newest(label)], measure));
  return assignColors(components, true);
}

/** The fund's periods in time, stretched to `span` where another fund is to stand beside it. */
export function buildAllocation(
  { periods, rows }: FundRecord,
  { parts: colours, rest }: Palette,
  measure: UnitInfo,
  span?: readonly [number, number],
): FundAllocation {
  const { places, gaps } = arrangePeriods(periods, span);
  const own = rows.map(({ label, values }) => {
    const inTime = places.map(({ index }) => (index === undefined ? undefined : values[index]));
    return toComponent(label, inTime, measure);
  });
  const components = colours.flatMap(({ key, colorIndex }): ColoredComponent[] => {
    if (key !== OTHERS_KEY)
      return own.filter((component) => component.key === key).map((p) => ({ ...p, colorIndex }));
    const small = own.filter((part) => rest.some((each) => each.key === part.key));
    return small.length > 0 ? [{ ...combineAsOthers(small), colorIndex }] : [];
  });
  return {
    xs: places.map(({ x }) => x),
    periods: places.map(({ index }) => (index === undefined ? undefined : periods[index])),
    parts: components,
    gaps,
  };
}

/** When the first period of the funds ended, and when the last. */
export function getPeriodSpan(records: readonly FundRecord[]): readonly [number, number] {
  const ends = records.flatMap(({ periods }) => periods.map(({ date }) => Date.parse(date)));
  return [Math.min(...ends), Math.max(...ends)];
}

function toComponent(
  label: string,
  values: BreakdownComponent['values'],
  measure: UnitInfo,
): BreakdownComponent {
  return { key: label, title: label, field: 'rows', measure, values };
}

interface TimelineSlot {
  readonly x: number;
  /** Where the period stands in the record. */
  readonly index?: number;
}

/** A month may be a tenth longer than another, never half as long again. */
const GAP_FACTOR = 1.5;

function arrangePeriods(
  periods: readonly FundPeriod[],
  span: readonly [number, number] | undefined,
) {
  const known = periods.map(({ date }, index) => ({ x: Date.parse(date), index })).reverse();
  const steps = known.slice(1).map(({ x }, before) => x - (known[before]?.x ?? 0));
  const usual = steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 0;
  const gaps: [FundPeriod, FundPeriod][] = [];
  const places: TimelineSlot[] = [];
  for (const [place, { x, index }] of known.entries()) {
    const before = known[place - 1];
    if (before && x - before.x > GAP_FACTOR * usual) {
      places.push({ x: (before.x + x) / 2 });
      gaps.push([periods[before.index] as FundPeriod, periods[index] as FundPeriod]);
    }
    places.push({ x, index });
  }
  const [first, last] = [known[0]?.x ?? 0, known.at(-1)?.x ?? 0];
  if (span && span[0] < first) places.unshift({ x: span[0] });
  if (span && span[1] > last) places.push({ x: span[1] });
  return { places, gaps };
}
