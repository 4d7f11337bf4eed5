import { DAY_MS } from '../../shared/calendar.ts';

/** The date system of a workbook; 1904 comes from Excel for Macintosh. */
export type Epoch = 1900 | 1904;

/** A date may include a time. */
export type NumberFormatKind = 'date' | 'time' | 'percent' | 'number';

const DAY_SECONDS = 86_400;

/** `2024-01-31`, `2024-01-31T08:30:00`, or `08:30:00`; undefined for days that do not exist. */
export function formatSerial(
  serial: number,
  kind: NumberFormatKind,
  epoch: Epoch,
): string | undefined {
  const seconds = Math.round(serial * DAY_SECONDS);
  if (kind === 'time' && serial >= 0 && serial < 1) return formatTimeOfDay(seconds % DAY_SECONDS);
  const day = serialToDay(Math.floor(seconds / DAY_SECONDS), epoch);
  const timeOfDay = seconds % DAY_SECONDS;
  return day === undefined || timeOfDay === 0 ? day : `${day}T${formatTimeOfDay(timeOfDay)}`;
}

/** The serial number of a day from March 1900 on; programs disagree about earlier days. */
export function toSerial(day: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const number = Date.parse(day) / DAY_MS;
  const isDay = !Number.isNaN(number) && formatIsoDay(number) === day;
  return isDay && number > PHANTOM_LEAP_DAY - 25_569 ? number + 25_569 : undefined;
}

/** An ISO 8601 date in the format of `formatSerial`; undefined if it is invalid. */
export function normalizeIsoDate(text: string): string | undefined {
  const [, day, time = '00:00:00', fraction = '0'] = ISO.exec(text) ?? [];
  const instant = Date.parse(`${day ?? '1970-01-01'}T${time}Z`);
  if (!ISO.test(text) || Number.isNaN(instant)) return undefined;
  if (day !== undefined && formatIsoDay(Math.floor(instant / DAY_MS)) !== day) return undefined;
  const seconds = instant / 1000 + Math.round(Number(`0${fraction}`));
  const timeOfDay = ((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  if (day === undefined) return formatTimeOfDay(timeOfDay);
  const date = formatIsoDay(Math.floor(seconds / DAY_SECONDS));
  return timeOfDay === 0 ? date : `${date}T${formatTimeOfDay(timeOfDay)}`;
}

/** 29 February 1900, which does not exist; Excel copied it from Lotus 1-2-3. */
export const PHANTOM_LEAP_DAY = 60;

const MAX_DAY_NUMBER = Date.parse('9999-12-31') / DAY_MS;
const ISO = /^(\d{4}-\d{2}-\d{2})?(?:(?:^|T)(\d{2}:\d{2}:\d{2})(\.\d+)?Z?)?$/;

function serialToDay(serial: number, epoch: Epoch): string | undefined {
  if (epoch === 1900 && (serial < 1 || serial === PHANTOM_LEAP_DAY)) return undefined;
  const number = serial - (epoch === 1904 ? 24_107 : serial < PHANTOM_LEAP_DAY ? 25_568 : 25_569);
  return serial < 0 || number > MAX_DAY_NUMBER ? undefined : formatIsoDay(number);
}

const formatIsoDay = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);

function formatTimeOfDay(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
