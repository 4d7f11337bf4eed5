import {
  addMonths,
  formatDay,
  isDay,
  MONTH_ABBREVIATIONS,
  parseDay,
} from '../../shared/calendar.ts';
import { INSTANT_PATTERN_SOURCE, isInstant, TIME_PATTERN_SOURCE } from './iso-date-time.ts';
import type { JsonSchema } from './json-schema.ts';

/** A query or path parameter: its description, and how its text becomes a value. */
export interface Parameter<T = unknown> {
  readonly description: string;
  /** Follows "must be" in messages. */
  readonly requirement: string;
  readonly schema: JsonSchema;
  readonly example: string;
  /** Whether requests need it; the operation itself decides the response without it. */
  readonly isRequired?: true;
  /** The value, or undefined if the text is invalid. Never called with an empty text. */
  readonly parse: (text: string) => T | undefined;
  /** Explains why `parse` rejects a text, if the requirement does not say it. */
  readonly explain?: (text: string) => string | undefined;
  /** Whether the explanation comes before the requirement, which is long. */
  readonly isExplainedFirst?: true;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The parsed values of parameters; each may be absent. */
export type ParameterValues<P extends Parameters> = {
  readonly [Name in keyof P]?: P[Name] extends Parameter<infer T> ? T : never;
};

/** The first or last day of a month such as 2026-04, or of a year; undefined if the text is neither. */
export function findBoundary(bound: 'from' | 'to', text: string): string | undefined {
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(text) ?? [];
  if (year === undefined || year === '0000') return undefined;
  if (bound === 'from') return `${year}-${month ?? '01'}-01`;
  return formatDay(addMonths(parseDay(`${year}-${month ?? '12'}-01`), 1) - 1);
}

/** Builders of parameters, by the kind of value. */
export const parameter = {
  text: (description: string, example: string): Parameter<string> => ({
    description,
    requirement: 'text that is not empty',
    schema: { type: 'string', minLength: 1 },
    example,
    parse: (text) => text,
  }),

  /** A revision, or 0 for none. */
  revision: (description: string): Parameter<number> => ({
    description,
    requirement: 'the number of a revision, or 0 for none, in plain digits',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    example: '5',
    parse: (text) =>
      /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))
        ? Number(text)
        : undefined,
  }),

  /** One text, or several, comma-separated. */
  list: (
    description: string,
    { items, max, example }: { items: string; max: number; example: string },
  ): Parameter<string> => ({
    description,
    requirement: `at most ${max} ${items}, separated by commas, and without space around each`,
    schema: { type: 'string', minLength: 1 },
    example,
    parse(text) {
      const texts = text.split(',');
      if (texts.length === 1) return text;
      const isValid =
        texts.length <= max && texts.every((item) => item !== '' && item === item.trim());
      return isValid ? text : undefined;
    },
  }),

  day: (description: string, example: string): Parameter<string> => ({
    description,
    requirement: 'a calendar day as YYYY-MM-DD',
    schema: { type: 'string', format: 'date' },
    example,
    parse: (text) => (isDay(text) ? text : undefined),
  }),

  /** The first or last day of a range. */
  boundary: (
    bound: 'from' | 'to',
    { description, example }: Pick<Parameter, 'description' | 'example'>,
  ): Parameter<string> => ({
    description,
    requirement: `a calendar day as YYYY-MM-DD, or 2026-04 or 2026 for its ${bound === 'from' ? 'first' : 'last'} day`,
    schema: { type: 'string', minLength: 4, maxLength: 10 },
    example,
    parse: (text) => (isDay(text) ? text : findBoundary(bound, text)),
  }),

  choice: <const Choice extends string>(
    description: string,
    choices: readonly Choice[],
    defaultChoice?: NoInfer<Choice>,
  ): Parameter<Choice> => ({
    description,
    requirement: choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`,
    schema: { type: 'string', enum: choices, ...(defaultChoice && { default: defaultChoice }) },
    example: defaultChoice ?? choices[0] ?? '',
    parse: (text) => choices.find((choice) => choice === text),
  }),

  /** The name of one of the items, parsed to the item. */
  namedItem: <Item extends { readonly name: string }>(
    description: string,
    items: readonly Item[],
  ): Parameter<Item> => ({
    ...parameter.choice(
      description,
      items.map(({ name }) => name),
    ),
    parse: (text) => items.find(({ name }) => name === text),
  }),

  integer: (
    description: string,
    { max = Number.MAX_SAFE_INTEGER, defaultValue }: { max?: number; defaultValue?: number } = {},
  ): Parameter<number> => ({
    description,
    requirement: `a whole number from 1 to ${max}, in plain digits`,
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: max,
      ...(defaultValue && { default: defaultValue }),
    },
    example: '5',
    parse: (text) => (/^[1-9]\d*$/.test(text) && Number(text) <= max ? Number(text) : undefined),
  }),
};

/** Continues a list after a page, as the `Link` of that page says. */
export const cursorParameter = parameter.text(
  'Continues after the last record of a response, with the same parameters: see its Link',
  'kx3Wq0l8T0u0cUq1Jm2C5A',
);

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

/** The value of `as_of`: a revision, or an instant with the text that names it. */
export type AsOf =
  | { readonly revision: number }
  | { readonly instant: Date; readonly text: string };

const REVISION_SOURCE = '[1-9][0-9]*';
const REVISION_PATTERN = new RegExp(`^${REVISION_SOURCE}$`);
const DAY_SOURCE = '[0-9]{4}-[0-9]{2}-[0-9]{2}';

/** The same as `Accept-Datetime`, for clients that cannot set headers. */
export const asOfParameter: Parameter<AsOf> = {
  description:
    'Requests the response as of that revision or instant, as the header Accept-Datetime does, and wins over it. By the number of a revision, the data never changes',
  requirement:
    'the number of a revision, a calendar day as YYYY-MM-DD, which means its end in UTC, or an ISO 8601 instant with Z or an offset such as 2026-11-15T04:30:00.250Z',
  // A pattern cannot verify that the day exists.
  schema: {
    type: 'string',
    pattern: `^(?:${REVISION_SOURCE}|${DAY_SOURCE}|${INSTANT_PATTERN_SOURCE})$`,
  },
  example: '2026-06-30',
  parse(text) {
    if (REVISION_PATTERN.test(text))
      return { revision: Math.min(Number(text), Number.MAX_SAFE_INTEGER - 1) };
    if (isDay(text)) return { instant: new Date(`${text}T23:59:59.999Z`), text };
    // In an unencoded query, the plus sign of an offset means a space.
    const iso = text.replace(' ', '+');
    const instant = isInstant(iso) ? acceptDatetime.parse(iso) : undefined;
    return instant && { instant, text: iso };
  },
};
