import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import { createDeclaredDataset } from '../../../src/catalogue/model/create-dataset.ts';
import type { CorrectionEntry, DatasetEntry } from '../../../src/explorer/api/types.ts';
import {
  findLastCorrection,
  findLastRevision,
  groupByRevision,
} from '../../../src/explorer/corrections/revision-corrections.ts';
import { KIBOR } from '../../support/declared-rates.ts';
import { quote } from '../../support/quote-fixture.ts';
import { fund } from '../funds/fixtures.ts';
import { field, list, quarterly } from '../series/fixtures.ts';
import { createCorrection } from './fixtures.ts';

/** Groups corrections of one revision, with each value as a list. */
const group = (entry: Parameters<typeof groupByRevision>[0], ...corrections: CorrectionEntry[]) => {
  const revisions = groupByRevision(entry, corrections);
  expect(revisions).toHaveLength(1);
  const [{ values = [], added = [], removed = [] } = {}] = revisions;
  const listed = values.map(({ period, periodKey, key, title, ...change }) => {
    return [period, periodKey, key, title, change.old, change.new];
  });
  return { values: listed, added, removed };
};

describe('corrections of a fund', () => {
  const entry = buildCatalogueEntry(fundAllocation) as unknown as DatasetEntry;
  const old = fund(['2024-02-29', '2024-01-31'], { Cash: [20, 30], Bonds: [80, 70] });

  test('are the periods added and removed, and the shares that changed in other periods', () => {
    const rows = { Cash: [10, 20], Bonds: [90, 79], Gold: [0, 1] };
    const record = fund(['2024-03-31', '2024-02-29'], rows);
    const current = { ...record, modified: '2024-04-01T00:00:00Z' };
    expect(group(entry, createCorrection(old, current))).toEqual({
      added: ['to 2024-03-31'],
      removed: ['to 2024-01-31'],
      values: [
        ['to 2024-02-29', '2024-02-29', 'Bonds', 'Bonds', 80, 79],
        ['to 2024-02-29', '2024-02-29', 'Gold', 'Gold', undefined, 1],
      ],
    });
  });

  test('list newer periods first', () => {
    const current = fund(['2024-02-29', '2024-01-31'], { Cash: [20, 31], Bonds: [81, 69] });
    const { values } = group(entry, createCorrection(old, current));
    expect(values.map(([, periodKey, key]) => [periodKey, key])).toEqual([
      ['2024-02-29', 'Bonds'],
      ['2024-01-31', 'Cash'],
      ['2024-01-31', 'Bonds'],
    ]);
  });

  test('remove all periods when the fund is retired', () => {
    const removed = ['to 2024-02-29', 'to 2024-01-31'];
    const retirement = createCorrection(old, null);
    expect(group(entry, retirement)).toEqual({ values: [], added: [], removed });
  });

  test('that change no figure list no values', () => {
    const correction = createCorrection(old, { ...old, frequency: 'quarterly' });
    expect(group(entry, correction)).toEqual({ values: [], added: [], removed: [] });
  });
});

describe('corrections of a series', () => {
  const entry = { ...quarterly([field('a'), field('b'), list('keys')]), shape: 'series' as const };
  const old = { period: 'Q1 2024', a: 1, b: 2, keys: [{ key: 'gone', value: 3 }] };

  test('are the figures that changed, including keys that were added and removed', () => {
    const current = { ...old, b: 2.5, keys: [{ key: 'come', value: 4 }] };
    expect(group(entry, createCorrection(old, current)).values).toEqual([
      ['Q1 2024', 'Q1 2024', 'b', 'The b', 2, 2.5],
      ['Q1 2024', 'Q1 2024', 'keys.come', 'come', undefined, 4],
      ['Q1 2024', 'Q1 2024', 'keys.gone', 'gone', 3, undefined],
    ]);
  });

  test('have the titles and units of the view', () => {
    const labels = [
      { key: 'keys.gone', title: 'Gone', unitInfo: { kind: 'count', unit: 'cards' } },
    ];
    const correction = createCorrection(old, { ...old, keys: [] });
    expect(groupByRevision(entry, [correction], labels)[0]?.values).toMatchObject(labels);
  });

  test('of several periods by the same revision are grouped', () => {
    const { values, removed } = group(
      entry,
      createCorrection({ ...old, period: 'Q2 2024' }, { ...old, period: 'Q2 2024', a: 9 }),
      createCorrection(old, { ...old, a: 8 }),
      createCorrection({ ...old, period: 'Q3 2023' }, null),
    );
    expect(removed).toEqual(['Q3 2023']);
    expect(values.map((value) => [value[1], value[5]])).toEqual([
      ['Q2 2024', 9],
      ['Q1 2024', 8],
    ]);
  });

  test('include the last one of a figure, and the last revision of a period', () => {
    const corrections = groupByRevision(entry, [
      createCorrection({ ...old, a: 9 }, { ...old, a: 10 }, 9),
      createCorrection({ ...old, a: 8, b: 1 }, { ...old, a: 9 }, 7),
    ]);
    const findLast = (key: string) => findLastCorrection(corrections, 'Q1 2024', key);
    expect(findLast('a')).toMatchObject({ old: 9, new: 10, revision: 9 });
    expect(findLast('b')).toMatchObject({ old: 1, new: 2, revision: 7 });
    expect(findLastCorrection(corrections, 'Q2 2024', 'a')).toBeUndefined();
    expect(findLastRevision(corrections, 'Q1 2024')).toBe(9);
    expect(findLastRevision(corrections, 'Q2 2024')).toBeUndefined();
  });
});

test('corrections of a series with dimensions name its values, and no codes of a status', () => {
  const dataset = createDeclaredDataset({ ...KIBOR, status: true });
  const entry = buildCatalogueEntry(dataset) as unknown as DatasetEntry;
  const described = { ...entry, key: ['date', 'tenor'] };
  const old = { date: '2026-06-02', tenor: '6M', bid: 10, offer: 11, status: 'A' };
  const other = { ...old, tenor: '1M' };
  const { values } = group(
    described,
    createCorrection(old, { ...old, bid: 10.5, status: 'P' }),
    createCorrection(other, { ...other, bid: 9 }),
  );
  expect(values).toEqual([
    ['2 Jun 2026, six months', '2026-06-02', 'bid', 'Bid', 10, 10.5],
    [
      ...['2 Jun 2026, six months', '2026-06-02', 'status'],
      ...['Status of the observation by the code list of SDMX', 'A', 'P'],
    ],
    ['2 Jun 2026, one month', '2026-06-02', 'bid', 'Bid', 10, 9],
  ]);
});

test('corrections of quotes are the fields that changed by day, newest day first', () => {
  const entry = buildCatalogueEntry(quotes) as unknown as DatasetEntry;
  const { ytm, type, maturityDate } = quotes.fields;
  const [date, otherDate] = ['2026-06-02', '2026-06-01'];
  const [old, current] = [
    { date, type: 'bond', maturityDate: '2026-12-02' } as const,
    { date, type: 'tbill', maturityDate: '2026-12-03' } as const,
  ];
  const day = '2 Jun 2026';
  expect(
    group(
      entry,
      createCorrection(quote({ date: otherDate, ytm: 12 }), quote({ date: otherDate, ytm: 11 })),
      createCorrection(quote(old), quote(current)),
      createCorrection(quote({ date: '2026-06-03' }), null),
    ),
  ).toEqual({
    added: [],
    removed: ['3 Jun 2026'],
    values: [
      [day, date, 'type', type.description, 'bond', 'tbill'],
      [day, date, 'maturityDate', maturityDate.description, '2026-12-02', '2026-12-03'],
      ['1 Jun 2026', otherDate, 'ytm', ytm.description, 12, 11],
    ],
  });
});
