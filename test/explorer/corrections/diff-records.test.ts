import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { branchlessBankingAgents as agents } from '../../../src/catalogue/datasets/series/branchless-banking-agents.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import { diffRecords } from '../../../src/catalogue/model/diff-records.ts';
import type { DatasetEntry } from '../../../src/explorer/api/types.ts';
import { separatePeriodChanges } from '../../../src/explorer/corrections/revision-corrections.ts';
import { field } from '../series/fixtures.ts';

type Dataset = Parameters<typeof buildCatalogueEntry>[0];

const diff = (dataset: Dataset, old: object, current: object) =>
  diffRecords(buildCatalogueEntry(dataset) as unknown as DatasetEntry, { ...old }, { ...current });

/** The differences as lists of name, old and new value. */
const list = (differences: ReturnType<typeof diffRecords>) =>
  differences.map(({ name, old, new: current }) => [name, old, current]);

const { example: allocation } = fundAllocation;
const [newestPeriod, ...olderPeriods] = allocation.periods;
const withNewest = (changes: object) => {
  return { ...allocation, periods: [{ ...newestPeriod, ...changes }, ...olderPeriods] };
};

describe('the differences between two versions of a record', () => {
  test('are none if both are the same', () => {
    for (const dataset of [quotes, fundAllocation, agents]) {
      expect(diff(dataset, dataset.example, dataset.example)).toEqual([]);
    }
  });

  test('are in field order, with the description and unit of the catalogue', () => {
    const old = { ...quotes.example, ytm: 10, lastPrice: 94.5 };
    const { lastPrice, ytm } = quotes.fields;
    expect(diff(quotes, old, quotes.example)).toMatchObject([
      { label: lastPrice.description, unitField: { unit: 'per 100 of face value' }, old: 94.5 },
      { label: ytm.description, unitField: { unit: 'percent' }, old: 10, new: quotes.example.ytm },
    ]);
  });

  test('match the elements of a list by key, in any order', () => {
    const [first, ...others] = agents.example.provinces;
    const old = { ...agents.example, provinces: [...others, { key: first?.key, value: 1 }] };
    expect(list(diff(agents, old, agents.example))).toEqual([
      ['provinces › punjab', 1, first?.value],
    ]);
  });

  test('include the elements added to a list and removed from it', () => {
    const [punjab, ...others] = agents.example.provinces;
    const current = { ...agents.example, provinces: [...others, { key: 'gilgit', value: 7 }] };
    expect(list(diff(agents, agents.example, current))).toEqual([
      ['provinces › gilgit', undefined, 7],
      ['provinces › punjab', punjab?.value, undefined],
    ]);
  });

  test('of a fund with a new period are that period and its values', () => {
    const { periods, rows } = allocation;
    const current = {
      ...allocation,
      periods: [{ label: 'Jul 2026', date: '2026-07-31' }, ...periods],
      rows: rows.map(({ label, values }, index) => ({ label, values: [index, ...values] })),
    };
    const differences = diff(fundAllocation, allocation, current);
    expect(list(differences)).toEqual([
      ['periods › 2026-07-31', undefined, 'Jul 2026'],
      ...rows.map(({ label }, index) => [`rows › ${label} › 2026-07-31`, undefined, index]),
    ]);
    expect(differences.at(-1)?.label).toBe('Asset classes: Others including receivables, Jul 2026');
  });

  test('of a fund with a renamed period are the label of that period', () => {
    const differences = diff(fundAllocation, allocation, withNewest({ label: 'June 2026' }));
    expect(list(differences)).toEqual([['periods › 2026-06-30', 'Jun 2026', 'June 2026']]);
  });

  test('of a fund with a period that ends on another day are all values of the period', () => {
    const differences = diff(fundAllocation, allocation, withNewest({ date: '2026-06-29' }));
    expect(separatePeriodChanges(differences)).toEqual({
      added: ['Jun 2026'],
      removed: ['Jun 2026'],
      rest: [],
    });
    expect(differences).toHaveLength(2 * (1 + allocation.rows.length));
  });

  test('name each figure of a list that has several for a key', () => {
    const inner = (name: string, kind: string) => field(name, { kind, meaning: `The ${name}` });
    const fields = [inner('key', 'text'), inner('value', 'amount'), inner('volume', 'count')];
    const entry = { fields: [field('banks', { kind: 'list', fields })] };
    const record = (volume: number) => ({ banks: [{ key: 'one', value: 1, volume }] });
    expect(diffRecords(entry, record(2), record(3))).toMatchObject([
      { name: 'banks › one › volume', label: 'The banks: one, The volume', old: 2, new: 3 },
    ]);
  });

  test('treat null like a missing value', () => {
    expect(diffRecords({ fields: [field('a')] }, { a: null }, {})).toEqual([]);
  });

  test('number the elements of a list that have the same key', () => {
    const withValues = (...values: number[]) => {
      return { ...agents.example, provinces: values.map((value) => ({ key: 'punjab', value })) };
    };
    expect(list(diff(agents, withValues(1, 2), withValues(1, 3)))).toEqual([
      ['provinces › punjab (2)', 2, 3],
    ]);
  });
});
