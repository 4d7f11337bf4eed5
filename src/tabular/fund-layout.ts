import type { fundAllocation } from '../catalogue/datasets/fund-allocation.ts';
import type { AnyRecord, DatasetRecord } from '../catalogue/model/dataset.ts';
import { KeyOrder } from './key-order.ts';
import type { TabularColumn, TabularLayout } from './tabular-layout.ts';

type Fund = DatasetRecord<typeof fundAllocation>;

const textColumn = (name: string): TabularColumn => ({ name, type: 'text' });
const numberColumn = (name: string): TabularColumn => ({ name, type: 'number' });
const PERIOD_COLUMNS: readonly TabularColumn[] = [
  textColumn('period'),
  { name: 'date', type: 'day' },
];

/** A row for each class in each period; a fund without classes or periods still has a row. */
export const FUND_LAYOUT: TabularLayout = {
  columns: [
    ...['fund_id', 'created', 'modified', 'frequency'].map(textColumn),
    ...PERIOD_COLUMNS,
    textColumn('class'),
    numberColumn('value'),
  ],
  toRows(record) {
    const { fund_id, created, modified, frequency, periods, rows } = record as Fund;
    const attributes = [fund_id, created, modified, frequency];
    if (periods.length === 0) {
      const classes = rows.length === 0 ? [null] : rows.map(({ label }) => label);
      return classes.map((label) => [...attributes, null, null, label, null]);
    }
    return periods.flatMap(({ label, date }, index) =>
      rows.length === 0
        ? [[...attributes, label, date, null, null]]
        : rows.map((row) => [...attributes, label, date, row.label, row.values[index] ?? null]),
    );
  },
};

const ATTRIBUTES = ['fund_id', 'frequency', 'created', 'modified'] as const;
const RESERVED_COLUMN_NAME = new RegExp(
  `^(rows\\.)*(${['period', 'date', ...ATTRIBUTES].join('|')})$`,
);

/** A row for each period and a column for each class of the funds: what people read and plot. */
export function createPeriodByClassLayout(funds: readonly AnyRecord[]): TabularLayout {
  const classOrder = new KeyOrder();
  for (const { rows } of funds as readonly Fund[]) classOrder.add(rows.map(({ label }) => label));
  const classes = classOrder.keys;
  // Column names are unique, whatever a class is called.
  const classNames = classes.map((label) =>
    RESERVED_COLUMN_NAME.test(label) ? `rows.${label}` : label,
  );
  return {
    columns: [...PERIOD_COLUMNS, ...classNames.map(numberColumn), ...ATTRIBUTES.map(textColumn)],
    toRows(record) {
      const fund = record as Fund;
      const valuesByClass = new Map(fund.rows.map((row) => [row.label, row.values]));
      return fund.periods.map(({ label, date }, index) => [
        label,
        date,
        ...classes.map((name) => valuesByClass.get(name)?.[index] ?? null),
        ...ATTRIBUTES.map((name) => fund[name]),
      ]);
    },
  };
}
