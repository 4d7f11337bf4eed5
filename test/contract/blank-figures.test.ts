import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { createDataset, createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Declaration, ShippedDeclaration } from '../../src/catalogue/model/declaration.ts';
import { findNextDue } from '../../src/catalogue/model/next-due.ts';
import { countSeries } from '../../src/store/series-coverage.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';
import { ENGINES, type TestStore } from '../support/store.ts';

const figure = (field: string) => ({ field, title: field, unit: 'units', kind: 'stock' }) as const;
const DECLARATION = {
  name: 'deposits',
  title: 'Deposits',
  period: { kind: 'month', field: 'month' },
  measures: [figure('total'), figure('total_2')],
  schedule: { cadence: 'monthly', delayDays: 20, toleranceDays: 10 },
} as const satisfies Declaration;
const BANKS = { dimensions: [{ field: 'bank', title: 'Bank' }] } as const;
const MONTHS = ['Jan 2025', 'Feb 2025', 'Mar 2025', 'Apr 2025'] as const;
const [JANUARY, FEBRUARY, MARCH, APRIL] = MONTHS;

/** A dataset with a record of each month, whose figures may all be blank. */
interface BlankKind {
  readonly dataset: Dataset;
  readonly build: (month: string, isBlank: boolean) => AnyRecord;
}

const withBanks = createDeclaredDataset({ ...DECLARATION, ...BANKS, status: true });
const withAdded = createDeclaredDataset(DECLARATION, {
  revision: 0,
  publishedAt: '2025-01-01T00:00:00Z',
  addedMeasures: [{ field: 'total_2', revision: 1 }],
});
const withList = createDataset({
  ...DECLARATION,
  path: '/3.0/alternate/deposits',
  period: { ...DECLARATION.period, yearStart: null },
  measures: [figure('total')],
  keyedList: { field: 'places', title: 'Places', key: 'Place', value: figure('value') },
  example: { month: JANUARY, total: 1, places: [] },
} as unknown as ShippedDeclaration) as Dataset;

const KINDS: Readonly<Record<string, BlankKind>> = {
  'of two measures': {
    dataset: createDeclaredDataset(DECLARATION),
    build: (month, isBlank) => ({ month, total: null, total_2: isBlank ? null : 0 }),
  },
  'of a measure that was added later': {
    dataset: withAdded,
    build: (month, isBlank) => ({ month, total: isBlank ? null : -1, total_2: null }),
  },
  'of a dimension whose value looks like a figure, with a status': {
    dataset: withBanks,
    build: (month, isBlank) => {
      const figures = { total: isBlank ? null : 5, total_2: null };
      return { month, bank: '"total":1,"total_2":2', ...figures, status: isBlank ? 'M' : 'A' };
    },
  },
  'of a list of keys': {
    dataset: withList,
    build: (month, isBlank) => {
      return { month, total: null, places: isBlank ? [] : [{ key: 'A', value: 0 }] };
    },
  },
};

const { removing, closing } = closeAfterEach();

for (const { name: engine, createStore } of ENGINES) {
  const readCoverage = async (store: TestStore, dataset: Dataset, asOf?: number) => {
    const { entries } = await closing(store.reader()).coverage([dataset], asOf);
    const [entry] = entries;
    if (!entry) throw new Error('no coverage');
    return { first: entry.first, last: entry.last, count: entry.count, due: findNextDue(entry) };
  };

  describe(`${engine}: a record whose figures are all blank`, () => {
    test.each(Object.entries(KINDS))(
      '%s counts as a record, but neither begins nor ends what is covered, now or as of a revision',
      async (_, { dataset, build }) => {
        const store = removing(await createStore());
        await store.publish(dataset, [build(JANUARY, true), build(MARCH, true)]);
        expect(await readCoverage(store, dataset)).toEqual({
          ...{ first: null, last: null, count: 2, due: null },
        });
        await store.publish(dataset, [build(FEBRUARY, false)]);
        const covered = { first: FEBRUARY, last: FEBRUARY, count: 3 };
        const due = expect.objectContaining({ period: MARCH });
        expect(await readCoverage(store, dataset)).toEqual({ ...covered, due });
        // It gets its figures, and then another one is blanked.
        await store.publish(dataset, [build(MARCH, false), build(FEBRUARY, true)]);
        expect(await readCoverage(store, dataset)).toMatchObject({ first: MARCH, last: MARCH });
        expect(await readCoverage(store, dataset, 2)).toEqual({ ...covered, due });
        expect(await readCoverage(store, dataset, 1)).toMatchObject({ last: null, count: 2 });
      },
    );

    test('is no series of its period, nor is that period the newest if all of its records are', async () => {
      const store = removing(await createStore());
      const build = (bank: string, month: string, total: number | null) => {
        return { month, bank, total, total_2: null, status: 'A' };
      };
      await store.publish(withBanks, [
        ...['A', 'B', 'C'].map((bank) => build(bank, JANUARY, 1)),
        ...['A', 'B', 'C'].map((bank) => build(bank, FEBRUARY, null)),
        ...[build('A', MARCH, 0), build('B', MARCH, null)],
        ...['A', 'B', 'C'].map((bank) => build(bank, APRIL, null)),
      ]);
      const reader = closing(store.reader());
      expect(await countSeries(reader, withBanks)).toEqual({ present: 1, expected: 3 });
      await store.publish(withBanks, [build('B', MARCH, -2)]);
      expect(await countSeries(reader, withBanks)).toEqual({ present: 2, expected: 3 });
    });

    test('is that of a fund without classes, which covers no period', async () => {
      const store = removing(await createStore());
      const { example } = fundAllocation;
      await store.publish(fundAllocation, [{ ...example, rows: [] }]);
      const { entries } = await closing(store.reader()).coverage([fundAllocation]);
      expect(entries).toMatchObject([{ first: null, last: null, count: 1, lastByFrequency: [] }]);
    });
  });

  describe(`${engine}: a load of a period`, () => {
    const workspace = useLoadWorkspace(createStore);
    const load = (lines: readonly string[], isPartial = false) => {
      workspace.writeFile('d.csv', `month,bank,total,total_2\n${lines.join('\n')}\n`);
      return workspace.load(withBanks, 'd.csv', { isPartial });
    };
    const rows = (month: string, totals: readonly (number | '')[]) =>
      totals.map((total, index) => `${month},${'ABC'[index]},${total},`);

    test('with blank rows instead of figures is stopped like one without the rows', async () => {
      await load(rows(JANUARY, [1, 2, 3]));
      await expect(load(rows(FEBRUARY, [1, '', '']))).rejects.toThrow(
        'Feb 2025 of deposits has 1 of the 3 series of the period before; --partial publishes it',
      );
      await expect(load(rows(FEBRUARY, ['', '', '']))).rejects.toThrow('has 0 of the 3 series');
      // The period before is the last one with figures.
      await load(rows(FEBRUARY, ['', '', '']), true);
      await expect(load(rows(MARCH, ['', 2, '']))).rejects.toThrow(
        'Mar 2025 of deposits has 1 of the 3',
      );
      const { report } = await load(rows(MARCH, [1, 0, '']));
      const missing = report.warnings.find(({ rule }) => rule === 'series-missing');
      expect(missing?.first.map(({ text }) => text)).toEqual([
        'C has no figure of Mar 2025, unlike Jan 2025: 2 of 3 series are there',
      ]);
    });
  });
}
