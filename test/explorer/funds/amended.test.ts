import { expect, test } from 'bun:test';
import { amendmentsOf } from '../../../src/explorer/funds/amended.ts';
import { fund } from './made-up.ts';

const measure = { kind: 'numbers', unit: 'percent' };
const known = { revision: 15, publishedAt: '2026-07-09T00:00:00Z' };
const old = fund(['2024-02-29', '2024-01-31'], { Cash: [20, 30], Bonds: [80, 70] });

test('tells which periods came and went, and which shares changed, not the whole record', () => {
  const now = fund(['2024-03-31', '2024-02-29'], { Cash: [10, 20], Bonds: [90, 79], Gold: [0, 1] });
  const [amendment] = amendmentsOf([{ ...known, change: 'corrected', old, new: now }], measure);
  expect(amendment).toMatchObject({ added: ['to 2024-03-31'], removed: ['to 2024-01-31'] });
  expect(amendment?.figures.map(({ at, key, old, new: now }) => [at, key, old, now])).toEqual([
    ['2024-02-29', 'Bonds', 80, 79],
    ['2024-02-29', 'Gold', undefined, 1],
  ]);
});

test('tells of a fund that was retired', () => {
  const [amendment] = amendmentsOf([{ ...known, change: 'retired', old, new: null }], measure);
  expect(amendment).toMatchObject({ figures: [], added: [] });
  expect(amendment?.removed).toEqual(['to 2024-02-29', 'to 2024-01-31']);
});
