import { MONTH_ABBREVIATIONS } from '../../shared/calendar.ts';
import { INSTANT_PATTERN_SOURCE, isInstant, TIME_PATTERN_SOURCE } from './iso-date-time.ts';
import type { Parameter } from './parameter.ts';

export const ACCEPT_DATETIME = 'Accept-Datetime';

const HTTP_DATE_SOURCE = `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (0[1-9]|[12][0-9]|3[01]) (${MONTH_ABBREVIATIONS.join('|')}) ([0-9]{4}) (${TIME_PATTERN_SOURCE}) GMT`;
const HTTP_DATE = new RegExp(`^${HTTP_DATE_SOURCE}$`);
/** Later instants have five-digit years, which do not sort as text. */
const MAX_INSTANT_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The header that requests a response as of an instant. Its value is the last millisecond that the text
 * covers: without a fraction, the end of that second.
 */
export const acceptDatetime: Parameter<Date> = {
  description:
    'Requests the response as of that instant (RFC 7089); without it, the current data is sent',
  requirement:
    'an HTTP date such as "Sun, 15 Nov 2026 04:30:00 GMT", with the right weekday, or an ISO 8601 instant with Z or an offset such as 2026-11-15T04:30:00.250Z',
  // A pattern cannot verify that the day exists and has that weekday.
  schema: { type: 'string', pattern: `^(?:${HTTP_DATE_SOURCE}|${INSTANT_PATTERN_SOURCE})$` },
  example: 'Sun, 15 Nov 2026 04:30:00 GMT',
  parse(text) {
    const ms = isInstant(text) ? Date.parse(text) : parseStrictHttpDate(text);
    if (Number.isNaN(ms)) return undefined;
    return new Date(Math.min(text.includes('.') ? ms : ms + 999, MAX_INSTANT_MS));
  },
};

/** NaN if invalid: a day or weekday that does not exist would be formatted differently. */
function parseStrictHttpDate(text: string): number {
  const [, day, month = '', year, time] = HTTP_DATE.exec(text) ?? [];
  const monthNumber = String(MONTH_ABBREVIATIONS.indexOf(month) + 1).padStart(2, '0');
  const date = new Date(`${year}-${monthNumber}-${day}T${time}Z`);
  return date.toUTCString() === text ? date.getTime() : Number.NaN;
}
