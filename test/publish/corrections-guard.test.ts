import { describe, expect, test } from 'bun:test';
import { fundAllocation as funds } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { atmTransactionsQuarterlyValue as atm } from '../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';

const DAYS = ['2026-04-01', '2026-04-02', '2026-04-03', '2026-04-06', '2026-04-07'];

/** The quotes of twelve securities on some days, at a price. */
const market = (days: readonly string[], lastPrice: number) =>
  days.flatMap((date) =>
    Array.from({ length: 12 }, (_, index) => quote({ date, symbol: `S${index}`, lastPrice })),
  );

const quarters = (labels: readonly string[], factor: number) =>
  labels.map((period) => ({ ...atm.example, period, cash_withdrawl: factor }));

describe('corrections', () => {
  const workspace = useLoadWorkspace(createStore);
  const load = (dataset: Dataset, records: readonly unknown[], options = {}) => {
    workspace.writeFile('a.json', JSON.stringify(records));
    return workspace.load(dataset, 'a.json', options);
  };

  test('of the newest day are published as often as one likes', async () => {
    await load(quotes, market(DAYS, 99));
    for (const price of [100, 101, 102]) {
      const { counts } = await load(quotes, market(['2026-04-07'], price));
      expect(counts.corrected).toBe(12);
    }
    // A day again as a whole, with the next one.
    const { counts } = await load(quotes, market(['2026-04-07', '2026-04-08'], 103));
    expect(counts).toMatchObject({ added: 12, corrected: 12 });
  });

  test.each([false, true])('of days before the newest are many, replace: %p', async (replace) => {
    await load(quotes, market(DAYS, 99));
    const wrong = [...market(DAYS.slice(0, 4), 98), ...market(['2026-04-07', '2026-04-08'], 97)];
    for (const isDryRun of [true, false])
      await expect(load(quotes, wrong, { replace, isDryRun })).rejects.toThrow(
        '48 of 48 loaded records of quotes before 2026-04-07 would correct published ones, more than 50 %',
      );
    // Half of the older ones is not more than half, whatever the newest day brings.
    const half = [...market(DAYS.slice(0, 2), 98), ...market(DAYS.slice(2, 4), 99)];
    const { counts } = await load(quotes, [...half, ...market(['2026-04-07'], 97)], { replace });
    expect(counts).toMatchObject({ corrected: 36, unchanged: 24 });
  });

  test('do not include records that --replace retires', async () => {
    await load(quotes, market(DAYS, 99));
    const rest = [...market(['2026-04-06'], 99), ...market(['2026-04-07'], 97)];
    const { counts } = await load(quotes, rest, { replace: true, canRetireMany: true });
    expect(counts).toMatchObject({ corrected: 12, retired: 36, unchanged: 12 });
  });

  test('are counted over all files of a load', async () => {
    await load(quotes, market(DAYS, 99));
    workspace.writeFile('b.json', JSON.stringify(market(DAYS.slice(0, 1), 98)));
    workspace.writeFile('c.json', JSON.stringify(market(DAYS.slice(1, 3), 99)));
    await expect(workspace.load(quotes, 'b.json')).rejects.toThrow('12 of 12 loaded records');
    const { counts } = await workspace.load(quotes, ['b.json', 'c.json']);
    expect(counts).toMatchObject({ corrected: 12, unchanged: 24 });
  });

  test('of funds are counted against all published funds of the load', async () => {
    const periods = ['2026-05-31', '2026-04-30'].map((date) => ({ label: date, date }));
    const build = (restated: number) =>
      Array.from({ length: 25 }, (_, index) => ({
        ...funds.example,
        fund_id: `fund-${index}`,
        periods,
        rows: [{ label: 'Cash', values: [100, index < restated ? 90 : 100] }],
      }));
    await load(funds, build(0));
    expect((await load(funds, build(12))).counts).toMatchObject({ corrected: 12, unchanged: 13 });
    await expect(load(funds, build(25))).rejects.toThrow('13 of 25 loaded records');
  });

  test('of a series do not count the last two published periods', async () => {
    const labels = Array.from(
      { length: 14 },
      (_, index) => `Q${(index % 4) + 1} ${2020 + Math.floor(index / 4)}`,
    );
    await load(atm, quarters(labels, 5));
    await expect(load(atm, quarters(labels.slice(0, 12), 6))).rejects.toThrow(
      '12 of 12 loaded records of atm-transactions-quarterly-value before Q1 2023',
    );
    // Nine older ones are too few to count, beside two that do not.
    const { counts } = await load(atm, quarters(labels.slice(3), 6));
    expect(counts.corrected).toBe(11);
  });
});
