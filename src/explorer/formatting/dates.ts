import { DAY_MS, MONTH_ABBREVIATIONS } from '../../calendar.ts';

/** A day for a person: `30 Jun 2026`. */
export function formatDayLabel(day: string): string {
  const [year, month, date] = day.split('-');
  return `${Number(date)} ${MONTH_ABBREVIATIONS[Number(month) - 1]} ${year}`;
}

/** An instant for a person, in UTC: `3 Jul 2026, 06:13 UTC`. */
export function formatInstantLabel(instant: string): string {
  const iso = new Date(instant).toISOString();
  const seconds = iso.slice(17, 19) === '00' ? '' : iso.slice(16, 19);
  return `${formatDayLabel(iso.slice(0, 10))}, ${iso.slice(11, 16)}${seconds} UTC`;
}

/** So many days later. */
export function addDaysToDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day so many months later, or the month's last where it is shorter. */
export function addMonthsToDay(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)))
    .toISOString()
    .slice(0, 10);
}

/** The last instant at which what was published then was not yet there. */
export function getInstantBefore(publishedAt: string): string {
  return new Date(Date.parse(publishedAt) - 1).toISOString();
}
