import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { holidays } from '../../src/catalogue/datasets/holidays.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  branchlessBankingAgents as agents,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { declareIn, KIBOR, KIBOR_RECORDS, retireKibor } from './declared-rates.ts';
import { getKey, publishAt } from './publish-at.ts';
import { quote } from './quote-fixture.ts';
import { createFilledStore, type TestStore } from './store.ts';

const measures = [{ field: 'value', title: 'Value', unit: 'index', kind: 'index' }] as const;
const mid = { field: 'mid', title: 'Middle', unit: 'percent', kind: 'rate' } as const;

/** Datasets of the publisher with periods of each kind, and the labels of some records. */
export const PERIODS: readonly (readonly [Declaration['period'], ...string[]])[] = [
  [{ kind: 'week', field: 'week' }, '2025-W52', '2026-W01', '2026-W05'],
  [{ kind: 'month', field: 'month' }, 'Dec 2025', 'Jan 2026', 'Feb 2026'],
  [{ kind: 'quarter', field: 'quarter' }, 'Q4 2025', 'Q1 2026', 'Q2 2026'],
  [{ kind: 'quarter', field: 'quarter', yearStart: 7 }, 'Q4 FY2025', 'Q1 FY2026', 'Q2 FY2026'],
  [{ kind: 'year', field: 'year', yearStart: 4 }, 'FY2024', 'FY2025', 'FY2026'],
];

/** A store with every kind of record, in some thirty revisions of all kinds. */
export async function createMirroredStore(): Promise<TestStore> {
  const store = await createFilledStore();
  const days = ['2026-03-31', '2026-04-01', '2026-04-30', '2026-06-30'];
  const isin = 'ZZ0000000001';
  await store.publish(quotes, [
    ...days.map((date) => quote({ symbol: 'A', isin, date })),
    ...days.slice(0, 3).map((date) => quote({ symbol: 'b', isin, date, type: 'bond' })),
    // A symbol that is the ISIN of others wins.
    quote({ symbol: 'ZZ0000000002', isin: 'ZZ0000000009', date: '2026-03-31' }),
    quote({ symbol: 'C', isin: 'ZZ0000000002', date: '2026-04-30' }),
  ]);
  await store.publish(quotes, [quote({ symbol: 'A', isin, date: '2026-04-30', volume: 7 })]);
  await publishAt(store, Date.now(), quotes, {
    retiredKeys: [getKey(quotes, quote({ symbol: 'b', date: '2026-04-01' }))],
  });
  const [first, ...others] = agents.example.provinces;
  await store.publish(agents, [
    { ...agents.example, period: 'Jan 2025', provinces: [] },
    { ...agents.example, period: 'Feb 2025', provinces: others },
    { ...agents.example, period: 'Mar 2025', provinces: [...others, first] },
    { ...agents.example, period: 'Apr 2025' },
  ]);
  await store.publish(
    online,
    ['FY24', '2022-23', '2022'].map((year) => ({ ...online.example, year })),
  );
  const { example } = fundAllocation;
  await store.publish(fundAllocation, [
    { ...example, fund_id: 'without-classes', rows: [] },
    { ...example, fund_id: 'Without-Periods', periods: [], rows: [{ label: 'Cash', values: [] }] },
    { ...example, fund_id: 'empty', periods: [], rows: [] },
  ]);
  await store.publish(holidays, [
    { calendar: 'abc', date: '2026-12-25', name: null },
    { calendar: 'ABD', date: '2026-01-01', name: 'New Year' },
  ]);
  const declarations = PERIODS.map(
    ([period], index): Declaration => ({
      name: `series-${index}`,
      title: `Series ${index}`,
      period,
      measures,
      ...(index === 0 && { dimensions: [{ field: 'area', title: 'Area' }], status: true }),
    }),
  );
  await declareIn(store, KIBOR, ...declarations);
  for (const [index, [period, ...labels]] of PERIODS.entries()) {
    const dataset = createDeclaredDataset(declarations[index] as Declaration);
    const records = labels.flatMap((label, number) => {
      const record = { [period.field]: label, value: number / 4 };
      return index === 0
        ? ['north', 'East'].map((area) => ({ ...record, area, status: 'A' }))
        : [{ ...record, value: index === 1 ? null : record.value }];
    });
    await store.publish(dataset, records);
  }
  await store.publish(createDeclaredDataset(KIBOR), KIBOR_RECORDS);
  const later = { ...KIBOR, measures: [...KIBOR.measures, mid] };
  await declareIn(store, later);
  await store.publish(createDeclaredDataset(later), [{ ...KIBOR_RECORDS[0], mid: 1.5 }]);
  await retireKibor(store);
  return store;
}
