import { RESPONSE_FORMATS } from '../src/catalogue/model/response-format.ts';
import { days } from './million-quotes.ts';

export interface HeavyRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type HeavyKind = keyof typeof HEAVY_REQUESTS;

/** Requests that take long, by what they ask for; each index gives another one. */
export const HEAVY_REQUESTS = {
  'workbooks of 10,000 quotes': (index) => createPageRequest(index, 'xlsx'),
  'JSON pages of 10,000 quotes': (index) => createPageRequest(index, 'json'),
  'JSON pages of 10,000 quotes with brotli': (index) => createPageRequest(index, 'json', 'br'),
  'CSV pages of 10,000 quotes': (index) => createPageRequest(index, 'csv'),
  'exact counts': (index) => ({
    target: `/2.0/bnb/quote?from=${getStartDay(index)}&limit=1`,
    headers: { prefer: 'count=exact' },
  }),
  'exports of 1,000,000 quotes': () => ({ target: '/exports/quotes.csv', headers: {} }),
} satisfies Record<string, (index: number) => HeavyRequest>;

function createPageRequest(
  index: number,
  format: keyof typeof RESPONSE_FORMATS,
  encoding = 'identity',
): HeavyRequest {
  return {
    target: `/2.0/bnb/quote?from=${getStartDay(index)}&limit=${10_000 - (index % 997)}`,
    headers: { accept: RESPONSE_FORMATS[format].contentType, 'accept-encoding': encoding },
  };
}

const getStartDay = (index: number) => days[index % (days.length / 2)];
