/** The day that serial numbers count from: Excel's own, or that of its Macintosh past. */
export type Epoch = 1900 | 1904;

/**
 * What a number format shows: a date (a time may stand behind it), a time alone, a hundred times
 * the number with a percent sign, or just a number.
 */
export type NumberFormatKind = 'date' | 'time' | 'percent' | 'number';

const DAY_SECONDS = 86_400;
const DAY_MS = 86_400_000;

/**
 * What a serial number shows: `2024-01-31`, `2024-01-31T08:30:00`, or `08:30:00` for less than a
 * day in a format without a date. Undefined where there is no such day.
 */
export function formatSerial(
  serial: number,
  shows: NumberFormatKind,
  epoch: Epoch,
): string | undefined {
  const seconds = Math.round(serial * DAY_SECONDS);
  if (shows === 'time' && serial >= 0 && serial < 1) return formatClock(seconds % DAY_SECONDS);
  const day = serialToDay(Math.floor(seconds / DAY_SECONDS), epoch);
  const rest = seconds % DAY_SECONDS;
  return day === undefined || rest === 0 ? day : `${day}T${formatClock(rest)}`;
}

/** The serial number of a day since March 1900, before which programs disagree; else undefined. */
export function toSerial(day: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const number = Date.parse(day) / DAY_MS;
  const isDay = !Number.isNaN(number) && formatIsoDay(number) === day;
  return isDay && number > PHANTOM_LEAP_DAY - 25_569 ? number + 25_569 : undefined;
}

/** A date as ISO 8601 writes it, in the words of `serialText`; undefined where it is not one. */
export function normalizeIsoDate(text: string): string | undefined {
  const [, day, time = '00:00:00', fraction = '0'] = ISO.exec(text) ?? [];
  const instant = Date.parse(`${day ?? '1970-01-01'}T${time}Z`);
  if (!ISO.test(text) || Number.isNaN(instant)) return undefined;
  if (day !== undefined && formatIsoDay(Math.floor(instant / DAY_MS)) !== day) return undefined;
  const seconds = instant / 1000 + Math.round(Number(`0${fraction}`));
  const rest = ((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  if (day === undefined) return formatClock(rest);
  const date = formatIsoDay(Math.floor(seconds / DAY_SECONDS));
  return rest === 0 ? date : `${date}T${formatClock(rest)}`;
}

/** 1900 was no leap year; Lotus 1-2-3 thought so, and Excel took it over. */
export const PHANTOM_LEAP_DAY = 60;

const MAX_DAY_NUMBER = Date.parse('9999-12-31') / DAY_MS;
const ISO = /^(\d{4}-\d{2}-\d{2})?(?:(?:^|T)(\d{2}:\d{2}:\d{2})(\.\d+)?Z?)?$/;

function serialToDay(serial: number, epoch: Epoch): string | undefined {
  if (epoch === 1900 && (serial < 1 || serial === PHANTOM_LEAP_DAY)) return undefined;
  const number = serial - (epoch === 1904 ? 24_107 : serial < PHANTOM_LEAP_DAY ? 25_568 : 25_569);
  return serial < 0 || number > MAX_DAY_NUMBER ? undefined : formatIsoDay(number);
}

const formatIsoDay = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);

function formatClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
