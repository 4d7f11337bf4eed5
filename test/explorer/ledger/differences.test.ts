import { describe, expect, test } from 'bun:test';
import { declaredEntry } from '../../../src/catalogue/entry.ts';
import { fundAllocation } from '../../../src/catalogue/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/quotes.ts';
import { branchlessBankingAgents as agents } from '../../../src/catalogue/series/branchless-banking-agents.ts';
import { differences, foremost } from '../../../src/explorer/ledger/differences.ts';
import type { AnyRecord, Entry } from '../../../src/explorer/service/catalogue.ts';

const entryOf = (dataset: Parameters<typeof declaredEntry>[0]) =>
  declaredEntry(dataset) as unknown as Entry;

/** What differs, without the fields that it is measured by. */
const told = (entry: Entry, old: AnyRecord, later: AnyRecord) =>
  differences(entry, old, later).map(({ name, old: was, new: is }) => [name, was, is]);

describe('differences', () => {
  test('of a record and itself are none', () => {
    for (const dataset of [quotes, fundAllocation, agents]) {
      expect(told(entryOf(dataset), dataset.example, dataset.example)).toEqual([]);
    }
  });

  test('are only what changed, in the order of the fields, with words and unit of the catalogue', () => {
    const old = { ...quotes.example, ytm: 10, lastPrice: 94.5 };
    const found = differences(entryOf(quotes), old, quotes.example);
    expect(
      found.map(({ words, field, ...rest }) => [words, field.unit, rest.old, rest.new]),
    ).toEqual([
      [quotes.fields.lastPrice.meaning, 'per 100 of face value', 94.5, quotes.example.lastPrice],
      [quotes.fields.ytm.meaning, 'percent', 10, quotes.example.ytm],
    ]);
  });

  test('look into lists by key, whatever the order of their elements', () => {
    const [first, ...rest] = agents.example.provinces;
    const old = { ...agents.example, provinces: [...rest, { key: first?.key, value: 1 }] };
    expect(told(entryOf(agents), old, agents.example)).toEqual([
      ['provinces › punjab', 1, first?.value],
    ]);
  });

  test('tell what came into a list and what went out of it', () => {
    const [, ...rest] = agents.example.provinces;
    const later = { ...agents.example, provinces: [...rest, { key: 'gilgit', value: 7 }] };
    expect(told(entryOf(agents), agents.example, later)).toEqual([
      ['provinces › gilgit', undefined, 7],
      ['provinces › punjab', agents.example.provinces[0]?.value, undefined],
    ]);
  });

  test('of a fund with one more period are that period and its values alone', () => {
    const { periods, rows } = fundAllocation.example;
    const later = {
      ...fundAllocation.example,
      periods: [{ label: 'Jul 2026', date: '2026-07-31' }, ...periods],
      rows: rows.map(({ label, values }, place) => ({ label, values: [place, ...values] })),
    };
    expect(told(entryOf(fundAllocation), fundAllocation.example, later)).toEqual([
      ['periods › Jul 2026', undefined, 'Jul 2026'],
      ...rows.map(({ label }, place) => [`rows › ${label} › Jul 2026`, undefined, place]),
    ]);
  });

  test('lose nothing of a list that has a key twice', () => {
    const doubled = (value: number) => ({
      ...agents.example,
      provinces: [
        { key: 'punjab', value: 1 },
        { key: 'punjab', value },
      ],
    });
    expect(told(entryOf(agents), doubled(2), doubled(3))).toEqual([
      ['provinces › punjab (2)', 2, 3],
    ]);
  });
});

test('the foremost difference is a figure that became another, else a figure, else the first', () => {
  const entry = entryOf(fundAllocation);
  const { example } = fundAllocation;
  const later = { ...example, modified: '2026-07-09T09:00:00Z' };
  expect(foremost(differences(entry, example, later))?.name).toBe('modified');
  const [cash, ...rest] = example.rows;
  const more = { ...later, rows: [{ label: cash?.label, values: [11, 9.3] }, ...rest] };
  expect(foremost(differences(entry, example, more))?.name).toBe('rows › Cash › Jun 2026');
  expect(foremost([])).toBeUndefined();
});
