import { expect, test } from 'bun:test';
import {
  filterSecurities,
  hasMatured,
  type QuotedSecurity,
} from '../../../src/explorer/security/quote-fields.ts';
import { UNKNOWN_TERMS } from '../../support/unknown-terms.ts';

const security = (symbol: string, rest: Partial<QuotedSecurity> = {}): QuotedSecurity => ({
  symbol,
  isin: 'ZZ0000000000',
  type: 'bond',
  maturityDate: '2030-01-01',
  firstDate: '2020-01-01',
  lastDate: '2026-06-30',
  ...UNKNOWN_TERMS,
  ...rest,
});

const old = security('OLDPIB1', { maturityDate: '2026-06-30', type: 'tbill' });
const live = security('LIVEPIB1', { isin: 'AB1234567890' });
const other = security('PIBFIRST', { type: 'corporate' });
const all = [old, live, other];
const entry = (last: string) => ({ coverage: { first: '2020-01-01', last, count: 9 } });
const filter = (filters: Parameters<typeof filterSecurities>[1]) =>
  filterSecurities(all, filters, entry('2026-06-30'));

test('a security has matured on its maturity date, not the day before', () => {
  expect(hasMatured(old, entry('2026-06-30'))).toBe(true);
  expect(hasMatured(old, entry('2026-06-29'))).toBe(false);
});

test('securities are found by a part of the symbol or ISIN, in any letter case', () => {
  expect(filter({ text: ' livep ' })).toEqual([live]);
  expect(filter({ text: 'b1234' })).toEqual([live]);
  expect(filter({ text: 'nothing' })).toEqual([]);
  expect(filter({})).toEqual(all);
});

test('securities are found by type, by maturity, and by both', () => {
  expect(filter({ type: 'corporate' })).toEqual([other]);
  expect(filter({ isMatured: true })).toEqual([old]);
  expect(filter({ isMatured: false })).toEqual([live, other]);
  expect(filter({ isMatured: false, type: 'bond', text: 'pib' })).toEqual([live]);
});
