import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { branchlessBankingAgents as agents } from '../../../src/catalogue/datasets/series/branchless-banking-agents.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import { diffRecords } from '../../../src/catalogue/model/diff-records.ts';
import type { DatasetEntry, JsonRecord } from '../../../src/explorer/api/types.ts';
import { separatePeriodChanges } from '../../../src/explorer/corrections/revision-corrections.ts';
import { field } from '../breakdown/fixtures.ts';
import { fund } from '../funds/fixtures.ts';

const entryOf = (dataset: Parameters<typeof buildCatalogueEntry>[0]) =>
  buildCatalogueEntry(dataset) as unknown as DatasetEntry;

/** What differs, without the fields that it is measured by. */
const told = (entry: DatasetEntry, old: JsonRecord, later: JsonRecord) =>
  diffRecords(entry, old, later).map(({ name, old: was, new: is }) => [name, was, is]);

describe('differences', () => {
  test('of a record and itself are none', () => {
    for (const dataset of [quotes, fundAllocation, agents]) {
      expect(told(entryOf(dataset), dataset.example, dataset.example)).toEqual([]);
    }
  });

  test('are only what changed, in the order of the fields, with words and unit of the catalogue', () => {
    const old = { ...quotes.example, ytm: 10, lastPrice: 94.5 };
    const found = diffRecords(entryOf(quotes), old, quotes.example);
    expect(
      found.map(({ label: words, unitField, ...rest }) => [
        words,
        unitField.unit,
        rest.old,
        rest.new,
      ]),
    ).toEqual([
      [
        quotes.fields.lastPrice.description,
        'per 100 of face value',
        94.5,
        quotes.example.lastPrice,
      ],
      [quotes.fields.ytm.description, 'percent', 10, quotes.example.ytm],
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
      rows: rows.map(({ label, values }, index) => ({ label, values: [index, ...values] })),
    };
    expect(told(entryOf(fundAllocation), fundAllocation.example, later)).toEqual([
      ['periods › 2026-07-31', undefined, 'Jul 2026'],
      ...rows.map(({ label }, place) => [`rows › ${label} › 2026-07-31`, undefined, place]),
    ]);
    const all = diffRecords(entryOf(fundAllocation), fundAllocation.example, later);
    expect(all.at(-1)?.label).toBe('Asset classes: Others including receivables, Jul 2026');
  });

  test('of a period that is called otherwise are its label alone, for the day is the same', () => {
    const [newest, ...rest] = fundAllocation.example.periods;
    const later = {
      ...fundAllocation.example,
      periods: [{ ...newest, label: 'June 2026' }, ...rest],
    };
    expect(told(entryOf(fundAllocation), fundAllocation.example, later)).toEqual([
      ['periods › 2026-06-30', 'Jun 2026', 'June 2026'],
    ]);
  });

  test('of a period that ends on another day are all its values', () => {
    const [newest, ...rest] = fundAllocation.example.periods;
    const later = {
      ...fundAllocation.example,
      periods: [{ ...newest, date: '2026-06-29' }, ...rest],
    };
    const found = diffRecords(entryOf(fundAllocation), fundAllocation.example, later);
    expect(separatePeriodChanges(found)).toEqual({
      added: ['Jun 2026'],
      removed: ['Jun 2026'],
      rest: [],
    });
    expect(found).toHaveLength(2 * (1 + fundAllocation.example.rows.length));
  });

  test('name each figure of a list that has several to a key', () => {
    const inner = (name: string, kind: string) => field(name, { kind, meaning: `The ${name}` });
    const fields = [inner('key', 'text'), inner('value', 'amount'), inner('volume', 'count')];
    const entry = { fields: [field('banks', { kind: 'list', fields })] };
    const record = (volume: number) => ({ banks: [{ key: 'one', value: 1, volume }] });
    expect(diffRecords(entry, record(2), record(3))).toMatchObject([
      { name: 'banks › one › volume', label: 'The banks: one, The volume', old: 2, new: 3 },
    ]);
  });

  test('have none between a value that is null and one that is not there', () => {
    expect(diffRecords({ fields: [field('a')] }, { a: null }, {})).toEqual([]);
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

test('periods that came and went are told apart from what else differs', () => {
  const entry = entryOf(fundAllocation);
  const old = fund(['2024-02-29', '2024-01-31'], { Cash: [20, 30], Bonds: [80, 70] });
  const later = fund(['2024-03-31', '2024-02-29'], { Cash: [10, 20], Bonds: [90, 79] });
  const { added, removed, rest } = separatePeriodChanges(
    diffRecords(entry, { ...old }, { ...later }),
  );
  expect([added, removed]).toEqual([['to 2024-03-31'], ['to 2024-01-31']]);
  expect(rest.map(({ name, old: was, new: is }) => [name, was, is])).toEqual([
    ['rows › Bonds › 2024-02-29', 80, 79],
  ]);
});
