import { expect, test } from 'bun:test';
import { amendmentsOf } from '../../../src/explorer/payments/amended.ts';
import { seriesOf } from '../../../src/explorer/payments/series.ts';
import { field, list, quarterly } from '../composition/made-up.ts';

const entry = quarterly([field('a'), field('b'), list('keys')]);
const known = { revision: 4, publishedAt: '2026-07-01T00:00:00Z' };
const old = { period: 'Q1 2024', a: 1, b: 2, keys: [{ key: 'gone', value: 3 }] };

test('tells the figures that changed, keys that came and went included, and no others', () => {
  const now = { ...old, b: 2.5, keys: [{ key: 'come', value: 4 }] };
  const [amendment] = amendmentsOf(entry, seriesOf(entry, [now]), [
    { ...known, change: 'corrected', old, new: now },
  ]);
  expect(amendment).toMatchObject({ ...known, added: [], removed: [] });
  expect(amendment?.figures.map(({ at, key, old, new: now }) => [at, key, old, now])).toEqual([
    ['Q1 2024', 'b', 2, 2.5],
    ['Q1 2024', 'keys.gone', 3, undefined],
    ['Q1 2024', 'keys.come', undefined, 4],
  ]);
});

test('tells of a period that was retired', () => {
  const [amendment] = amendmentsOf(entry, seriesOf(entry, []), [
    { ...known, change: 'retired', old, new: null },
  ]);
  expect(amendment).toMatchObject({ figures: [], removed: ['Q1 2024'] });
});
