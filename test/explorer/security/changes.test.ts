import { expect, test } from 'bun:test';
import { declaredEntry } from '../../../src/catalogue/entry.ts';
import { quotes } from '../../../src/catalogue/quotes.ts';
import type { Correction } from '../../../src/explorer/quotes/quote.ts';
import { changesIn, storiesOf } from '../../../src/explorer/security/changes.ts';
import type { Entry } from '../../../src/explorer/service/catalogue.ts';
import { type Quote, quote } from '../../support/quote.ts';

const entry = declaredEntry(quotes) as unknown as Entry;

const corrected = (old: Partial<Quote>, now: Partial<Quote>, revision = 14): Correction => ({
  revision,
  publishedAt: '2026-07-03T06:13:00.000Z',
  change: 'corrected',
  old: quote(old),
  new: quote(now),
});

const told = (correction: Correction) =>
  changesIn(correction, entry).map(({ field, old, new: now, unit }) => [
    field.name,
    old,
    now,
    unit,
  ]);

test('a correction is told field by field, only what changed, with units', () => {
  const both = corrected({ lastPrice: 94.5, ytm: 12 }, { lastPrice: 95.4869, ytm: 11.129927 });
  expect(told(both)).toEqual([
    ['lastPrice', '94.5000', '95.4869', 'per 100 of face value'],
    ['ytm', '12.000', '11.130', '%'],
  ]);
});

test('a correction of days and texts is told in words, and a price of 0 as none', () => {
  const odd = corrected(
    { maturityDate: '2026-12-02', type: 'bond', bidPrice: 0 },
    { maturityDate: '2026-12-03', type: 'tbill', bidPrice: 95.4545 },
  );
  expect(told(odd)).toEqual([
    ['type', 'bond', 'tbill', ''],
    ['maturityDate', '2 Dec 2026', '3 Dec 2026', ''],
    ['bidPrice', 'none', '95.4545', 'per 100 of face value'],
  ]);
});

test('two values that would look alike are told in full', () => {
  expect(told(corrected({ ytm: 11.1299 }, { ytm: 11.129927 }))).toEqual([
    ['ytm', '11.1299', '11.129927', '%'],
  ]);
});

test('nothing is told field by field of a retired quote', () => {
  const retired = { ...corrected({}, {}), change: 'retired', new: null } as const;
  expect(told(retired)).toEqual([]);
});

test('a chart tells of its own field by value, of others by name, newest first', () => {
  const corrections = [
    corrected({ lastPrice: 95, bidPrice: 94 }, { lastPrice: 96 }, 20),
    corrected({ lastPrice: 94.5 }, { lastPrice: 95 }, 14),
    corrected({ date: '2026-06-29', ytm: 12 }, { date: '2026-06-29' }, 14),
  ];
  const isTold = ({ kind }: { kind: string }) => kind === 'price';
  expect([...storiesOf(corrections, entry, { own: 'lastPrice', isTold })]).toEqual([
    [
      '2026-06-30',
      'Before revision 20 (3 Jul 2026): 95.0000 per 100 of face value, Bid price, clean 94.0000 per 100 of face value. Before revision 14 (3 Jul 2026): 94.5000 per 100 of face value.',
    ],
  ]);
});
