import { expect, test } from 'bun:test';
import type { SecuritySummary } from '../../../src/explorer/security/quote.ts';
import {
  filterSecurities,
  hasMaturedBy,
  suggestSecurities,
} from '../../../src/explorer/security/search-securities.ts';

const made = (symbol: string, rest: Partial<SecuritySummary> = {}): SecuritySummary => ({
  symbol,
  isin: 'ZZ0000000000',
  type: 'bond',
  maturityDate: '2030-01-01',
  firstDate: '2020-01-01',
  lastDate: '2026-06-30',
  ...rest,
});

const old = made('OLDPIB1', { maturityDate: '2026-06-30', type: 'tbill' });
const live = made('LIVEPIB1', { isin: 'AB1234567890' });
const other = made('PIBFIRST', { type: 'corporate' });
const all = [old, live, other];
const NEWEST = '2026-06-30';

test('a security has matured on its maturity date, not the day before', () => {
  expect(hasMaturedBy(old, '2026-06-30')).toBe(true);
  expect(hasMaturedBy(old, '2026-06-29')).toBe(false);
});

test('securities are found by a part of symbol or ISIN, whatever the letter case and space', () => {
  expect(filterSecurities(all, { text: ' livep ' }, NEWEST)).toEqual([live]);
  expect(filterSecurities(all, { text: 'b1234' }, NEWEST)).toEqual([live]);
  expect(filterSecurities(all, { text: 'nothing' }, NEWEST)).toEqual([]);
  expect(filterSecurities(all, {}, NEWEST)).toEqual(all);
});

test('securities are found by type and by whether they have matured, all at once', () => {
  expect(filterSecurities(all, { type: 'corporate' }, NEWEST)).toEqual([other]);
  expect(filterSecurities(all, { status: 'matured' }, NEWEST)).toEqual([old]);
  expect(filterSecurities(all, { status: 'live' }, NEWEST)).toEqual([live, other]);
  expect(filterSecurities(all, { status: 'live', type: 'bond', text: 'pib' }, NEWEST)).toEqual([
    live,
  ]);
});

test('a short list begins with those that begin with the text, and has an end', () => {
  expect(suggestSecurities(all, 'pib', 10)).toEqual([other, old, live]);
  expect(suggestSecurities(all, 'pib', 2)).toEqual([other, old]);
  expect(suggestSecurities(all, 'ab12', 10)).toEqual([live]);
});
