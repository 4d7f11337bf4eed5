import { scaleUtc } from 'd3-scale';
import { MONTH_ABBREVIATIONS } from '../../calendar.ts';

/** A place on an axis, and what stands there. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Chooses the ticks between two places of a horizontal axis, about so many. */
export type CreateTicks = (from: number, to: number, about: number) => Tick[];

/** Ticks on an axis of instants, in UTC: years, months or days, as fits. */
export const createDayTicks: CreateTicks = (from, to, about) => {
  const dates = scaleUtc()
    .domain([new Date(from), new Date(to)])
    .ticks(Math.max(3, about))
    .filter((date) => date.getUTCHours() === 0);
  return dates.map((date) => ({ at: date.getTime(), text: formatDayTick(date) }));
};

function formatDayTick(date: Date): string {
  const month = MONTH_ABBREVIATIONS[date.getUTCMonth()] ?? '';
  if (date.getUTCDate() !== 1) return `${date.getUTCDate()} ${month}`;
  return date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : month;
}

/** Ticks on an axis of periods, which are numbered one after the other. */
export const createPeriodTicks =
  (textOf: (place: number) => string): CreateTicks =>
  (from, to, about) => {
    const step = Math.max(1, Math.ceil((to - from + 1) / Math.max(1, about)));
    const ticks: Tick[] = [];
    // From the newest on: that one is always named.
    for (let at = to; at >= from; at -= step) ticks.unshift({ at, text: textOf(at) });
    return ticks;
  };
