import { scaleLinear, scaleUtc } from 'd3-scale';
import { formatDayOfMonthLabel, formatMonthLabel } from '../formatting/dates.ts';

/** The width of a character in the font of the axes, in pixels. */
export const DIGIT_WIDTH = 6.6;

export interface Tick {
  readonly value: number;
  readonly label: string;
  /** Text that neighbouring labels share, such as the year, shown once below them. */
  readonly group?: string | undefined;
}

/** Creates the ticks between two values of a horizontal axis of this many pixels. */
export type CreateTicks = (from: number, to: number, width: number) => Tick[];

const DAY_TICK_WIDTH = 84;
const MIN_DAY_TICK_DISTANCE = 46;

/** Ticks on an axis of instants, in UTC: years, months or days. */
export const createDayTicks: CreateTicks = (from, to, width) => {
  const dates = scaleUtc()
    .domain([new Date(from), new Date(to)])
    .ticks(Math.max(3, Math.floor(width / DAY_TICK_WIDTH)))
    .filter((date) => date.getUTCHours() === 0);
  const isYears = dates.every((date) => date.getUTCMonth() === 0 && date.getUTCDate() === 1);
  const ticks = dates.map((date) => {
    const year = String(date.getUTCFullYear());
    const value = date.getTime();
    return isYears ? { value, label: year } : { value, label: formatDayTick(date), group: year };
  });
  return thinTicks(ticks, scaleLinear([from, to], [0, width]), MIN_DAY_TICK_DISTANCE);
};

function formatDayTick(date: Date): string {
  return date.getUTCDate() === 1 ? formatMonthLabel(date) : formatDayOfMonthLabel(date);
}

/** Ticks on an axis of period ordinals, as many as fit: at the first period of years, and parts of years. */
export const createPeriodTicks =
  (getLabel: (ordinal: number) => string, periodsPerYear: number): CreateTicks =>
  (from, to, width) => {
    const periodWidth = width / (to - from + 1);
    const ticks: Tick[] = [];
    for (let value = to; value >= from; value--) {
      // `Q4 2023` has its year below.
      const [label = '', group] = getLabel(value).split(' ');
      ticks.unshift({ value, label, group });
    }
    const step = choosePeriodStep(ticks, periodsPerYear, periodWidth);
    // Years alone have no first period, so that the newest one has a tick.
    const anchor = periodsPerYear === 1 ? to : 0;
    return ticks.filter(({ value }) => (anchor - value) % step === 0);
  };

const LABEL_GAP = 12;

/** The smallest step that leaves room for the labels: part of a year, or a round number of years. */
function choosePeriodStep(
  ticks: readonly Tick[],
  periodsPerYear: number,
  periodWidth: number,
): number {
  const measure = (texts: readonly string[]) =>
    Math.max(0, ...texts.map(({ length }) => length)) * DIGIT_WIDTH + LABEL_GAP;
  const labelWidth = measure(ticks.map(({ label }) => label));
  const groupWidth = measure(ticks.map(({ group = '' }) => group));
  const steps = [
    ...[1, 2, 3, 6].filter((step) => step < periodsPerYear && periodsPerYear % step === 0),
    ...[1, 2, 5, 10, 20, 50, 100].map((years) => years * periodsPerYear),
  ];
  const hasRoom = (step: number) =>
    step * periodWidth >= labelWidth &&
    Math.max(step, periodsPerYear) * periodWidth >= Math.max(labelWidth, groupWidth);
  return steps.find(hasRoom) ?? ticks.length;
}

/** Drops ticks closer than `minDistance` pixels, backwards from the last tick, which always stays. */
export function thinTicks(
  ticks: readonly Tick[],
  x: (value: number) => number,
  minDistance: number,
): Tick[] {
  const remaining: Tick[] = [];
  for (const tick of ticks.toReversed()) {
    const next = remaining[0];
    if (!next || x(next.value) - x(tick.value) > minDistance) remaining.unshift(tick);
  }
  return remaining;
}
