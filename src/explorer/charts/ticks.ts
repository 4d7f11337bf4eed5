import { scaleUtc } from 'd3-scale';
import { MONTH_ABBREVIATIONS } from '../../calendar.ts';

export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Creates about `count` ticks between two values of a horizontal axis. */
export type CreateTicks = (from: number, to: number, count: number) => Tick[];

/** Ticks on an axis of instants, in UTC: years, months or days. */
export const createDayTicks: CreateTicks = (from, to, count) => {
  const dates = scaleUtc()
    .domain([new Date(from), new Date(to)])
    .ticks(Math.max(3, count))
    .filter((date) => date.getUTCHours() === 0);
  return dates.map((date) => ({ value: date.getTime(), label: formatDayTick(date) }));
};

function formatDayTick(date: Date): string {
  const month = MONTH_ABBREVIATIONS[date.getUTCMonth()] ?? '';
  if (date.getUTCDate() !== 1) return `${date.getUTCDate()} ${month}`;
  return date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : month;
}

/** Ticks on an axis of period ordinals. The newest period always has one. */
export const createPeriodTicks =
  (getLabel: (ordinal: number) => string): CreateTicks =>
  (from, to, count) => {
    const step = Math.max(1, Math.ceil((to - from + 1) / Math.max(1, count)));
    const ticks: Tick[] = [];
    for (let value = to; value >= from; value -= step) {
      ticks.unshift({ value, label: getLabel(value) });
    }
    return ticks;
  };
