import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  findLastCorrection,
  findLastRevision,
  groupByRevision,
  type RevisionCorrections,
} from '../../../src/explorer/corrections/revision-corrections.ts';
import { quote } from '../../support/quote-fixture.ts';
import { field, list, quarterly } from '../breakdown/fixtures.ts';
import { fund } from '../funds/fixtures.ts';
import { corrected } from './fixtures.ts';

const valuesOf = (amendment: RevisionCorrections | undefined) =>
  amendment?.values.map(({ period, periodKey, key, title, ...rest }) => [
    period,
    periodKey,
    key,
    title,
    rest.old,
    rest.new,
  ]);

describe('amendments of a fund', () => {
  const entry = buildCatalogueEntry(fundAllocation) as unknown as DatasetEntry;
  const old = fund(['2024-02-29', '2024-01-31'], { Cash: [20, 30], Bonds: [80, 70] });

  test('are the periods that came and went, and the shares that changed beside those', () => {
    const rows = { Cash: [10, 20], Bonds: [90, 79], Gold: [0, 1] };
    const now = { ...fund(['2024-03-31', '2024-02-29'], rows), modified: '2024-04-01T00:00:00Z' };
    const [amendment] = groupByRevision(entry, [corrected(old, now)]);
    expect(amendment).toMatchObject({ added: ['to 2024-03-31'], removed: ['to 2024-01-31'] });
    expect(valuesOf(amendment)).toEqual([
      ['to 2024-02-29', '2024-02-29', 'Bonds', 'Bonds', 80, 79],
      ['to 2024-02-29', '2024-02-29', 'Gold', 'Gold', undefined, 1],
    ]);
  });

  test('have newer periods first, each with all its classes', () => {
    const now = fund(['2024-02-29', '2024-01-31'], { Cash: [20, 31], Bonds: [81, 69] });
    const [amendment] = groupByRevision(entry, [corrected(old, now)]);
    expect(amendment?.values.map(({ periodKey, key }) => [periodKey, key])).toEqual([
      ['2024-02-29', 'Bonds'],
      ['2024-01-31', 'Cash'],
      ['2024-01-31', 'Bonds'],
    ]);
  });

  test('are all its periods where it was retired', () => {
    const [amendment] = groupByRevision(entry, [corrected(old, null)]);
    expect(amendment).toMatchObject({ values: [], added: [] });
    expect(amendment?.removed).toEqual(['to 2024-02-29', 'to 2024-01-31']);
  });

  test('are none of its figures where only something beside them changed', () => {
    const [amendment] = groupByRevision(entry, [
      corrected(old, { ...old, frequency: 'quarterly' }),
    ]);
    expect(amendment).toMatchObject({ values: [], added: [], removed: [] });
  });
});

describe('amendments of a series', () => {
  const entry = { ...quarterly([field('a'), field('b'), list('keys')]), shape: 'series' as const };
  const old = { period: 'Q1 2024', a: 1, b: 2, keys: [{ key: 'gone', value: 3 }] };

  test('are the figures that changed, keys that came and went included, and no others', () => {
    const now = { ...old, b: 2.5, keys: [{ key: 'come', value: 4 }] };
    const [amendment] = groupByRevision(entry, [corrected(old, now)]);
    expect(valuesOf(amendment)).toEqual([
      ['Q1 2024', 'Q1 2024', 'b', 'The b', 2, 2.5],
      ['Q1 2024', 'Q1 2024', 'keys.come', 'come', undefined, 4],
      ['Q1 2024', 'Q1 2024', 'keys.gone', 'gone', 3, undefined],
    ]);
  });

  test('are called and written as the view calls and writes them', () => {
    const unitInfo = { kind: 'count', unit: 'cards' };
    const parts = [{ key: 'keys.gone', title: 'Those that went', unitInfo }];
    const [amendment] = groupByRevision(entry, [corrected(old, { ...old, keys: [] })], parts);
    expect(amendment?.values).toMatchObject([{ title: 'Those that went', unitInfo, old: 3 }]);
  });

  test('are told in one where a revision corrected several periods', () => {
    const [one, ...more] = groupByRevision(entry, [
      corrected({ ...old, period: 'Q2 2024' }, { ...old, period: 'Q2 2024', a: 9 }),
      corrected(old, { ...old, a: 8 }),
      corrected({ ...old, period: 'Q3 2023' }, null),
    ]);
    expect(more).toEqual([]);
    expect(one).toMatchObject({ revision: 14, added: [], removed: ['Q3 2023'] });
    expect(one?.values.map(({ periodKey, new: now }) => [periodKey, now])).toEqual([
      ['Q2 2024', 9],
      ['Q1 2024', 8],
    ]);
  });

  test('tell how a figure was corrected last, and which revision corrected a period', () => {
    const corrections = groupByRevision(entry, [
      corrected({ ...old, a: 9 }, { ...old, a: 10 }, { revision: 9 }),
      corrected({ ...old, a: 8, b: 1 }, { ...old, a: 9 }, { revision: 7 }),
    ]);
    expect(findLastCorrection(corrections, 'Q1 2024', 'a')).toMatchObject({
      old: 9,
      new: 10,
      revision: 9,
    });
    expect(findLastCorrection(corrections, 'Q1 2024', 'b')).toMatchObject({
      old: 1,
      new: 2,
      revision: 7,
    });
    expect(findLastCorrection(corrections, 'Q2 2024', 'a')).toBeUndefined();
    expect(findLastRevision(corrections, 'Q1 2024')).toBe(9);
    expect(findLastRevision(corrections, 'Q2 2024')).toBeUndefined();
  });
});

test('amendments of quotes are by day, of every field that changed, newest day first', () => {
  const entry = buildCatalogueEntry(quotes) as unknown as DatasetEntry;
  const [amendment] = groupByRevision(entry, [
    corrected(quote({ date: '2026-06-01', ytm: 12 }), quote({ date: '2026-06-01', ytm: 11 })),
    corrected(
      quote({ date: '2026-06-02', type: 'bond', maturityDate: '2026-12-02' }),
      quote({ date: '2026-06-02', type: 'tbill', maturityDate: '2026-12-03' }),
    ),
    corrected(quote({ date: '2026-06-03' }), null),
  ]);
  expect(amendment?.removed).toEqual(['3 Jun 2026']);
  const { ytm, type, maturityDate } = quotes.fields;
  expect(valuesOf(amendment)).toEqual([
    ['2 Jun 2026', '2026-06-02', 'type', type.description, 'bond', 'tbill'],
    [
      '2 Jun 2026',
      '2026-06-02',
      'maturityDate',
      maturityDate.description,
      '2026-12-02',
      '2026-12-03',
    ],
    ['1 Jun 2026', '2026-06-01', 'ytm', ytm.description, 12, 11],
  ]);
});
