import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { securities } from '../../../src/catalogue/datasets/securities.ts';
import { each, first, type Loose, type NonsenseKind } from './kind.ts';

/** Alters the figures of the newest period. */
const alterNewest = (alter: (value: number, previous: number, index: number) => number) =>
  each(({ rows }) => ({
    rows: rows.map(({ label, values: [value, previous, ...older] }: Loose, index: number) => ({
      label,
      values: [alter(value, previous, index), previous, ...older],
    })),
  }));

const alterPeriod = (alter: (period: Loose, previous: Loose) => Loose) =>
  each(({ periods: [newest, previous, ...older] }) => ({
    periods: [{ ...newest, ...alter(newest, previous) }, previous, ...older],
  }));

const funds: readonly Omit<NonsenseKind, 'datasets'>[] = [
  {
    name: 'two dates under one period label',
    alter: alterPeriod((_, previous) => ({ label: previous.label })),
    warns: 'period-label',
  },
  {
    name: 'a label of another month than the date',
    alter: alterPeriod(() => ({ label: 'Jan 2026' })),
    warns: 'period-label',
  },
  {
    name: 'two classes that differ by letter case',
    alter: each(({ rows }) => ({
      rows: [...rows, { label: rows[0].label.toUpperCase(), values: rows[0].values.map(() => 0) }],
    })),
    warns: 'case-variant',
  },
  {
    name: 'an unknown frequency',
    alter: each(() => ({ frequency: 'sometimes' })),
    warns: 'unknown-frequency',
  },
  {
    name: 'the classes of the last period repeated',
    alter: alterNewest((_, previous) => previous),
    warns: 'figures-repeated',
  },
  {
    name: 'classes that do not add up to 100',
    alter: alterNewest((value, _, index) => (index === 0 ? value + 7 : value)),
    warns: 'rows-off-100',
  },
  {
    name: 'classes as fractions of one',
    alter: alterNewest((value) => value / 100),
    warns: 'rows-off-100',
  },
  { name: 'all classes 0', alter: alterNewest(() => 0), warns: 'rows-off-100' },
  {
    name: 'a class above 100 %',
    alter: alterNewest((value, _, index) => (index === 0 ? 110 : value)),
    warns: 'implausible-figure',
  },
  {
    name: 'a negative class',
    alter: alterNewest((value, _, index) => (index === 0 ? -4 : value)),
    warns: 'implausible-figure',
  },
  {
    name: 'two classes of a fund swapped',
    alter: each(({ rows: [a, b, ...others] }) => ({
      rows: [
        { ...a, values: [b.values[0], ...a.values.slice(1)] },
        { ...b, values: [a.values[0], ...b.values.slice(1)] },
        ...others,
      ],
    })),
    undetected: 'a manager may sell one class and buy another within a month',
  },
  {
    name: 'a period in the future',
    alter: alterPeriod(() => ({ label: 'Dec 2030', date: '2030-12-31' })),
    refused: 'a day up to',
  },
  {
    name: 'a date twice',
    alter: alterPeriod((_, previous) => ({ date: previous.date })),
    refused: 'one entry for each date',
  },
  {
    name: 'a class twice',
    alter: each(({ rows }) => ({ rows: [...rows, rows[0]] })),
    refused: 'one entry for each class',
  },
  {
    name: 'a value too few in a class',
    alter: each(({ rows }) => ({
      rows: rows.map((row: Loose, index: number) =>
        index === 0 ? { ...row, values: row.values.slice(1) } : row,
      ),
    })),
    refused: 'one per period',
  },
];

const terms: readonly Omit<NonsenseKind, 'datasets'>[] = [
  {
    name: 'a coupon in basis points',
    alter: first(() => ({ couponRate: 1150 })),
    warns: 'implausible-figure',
  },
  { name: 'a negative coupon', alter: first(() => ({ couponRate: -1 })), refused: '0 or more' },
  {
    name: 'three coupons a year',
    alter: first(() => ({ couponFrequency: 3 })),
    refused: '1, 2, 4 or 12',
  },
  {
    name: 'a way of pricing that is none',
    alter: first(() => ({ pricing: 'auction' })),
    refused: 'one of',
  },
  {
    name: 'an ISIN with a wrong digit, and no symbol',
    alter: () => [{ isin: 'ZZ0624197585', couponRate: 12 }],
    refused: 'check digit',
  },
  {
    name: 'a symbol twice',
    alter: ({ records }) => [...records, { ...records[0], couponRate: 1 }],
    refused: 'once',
  },
];

export const FUND_KINDS: readonly NonsenseKind[] = [
  ...funds.map((kind) => ({ ...kind, datasets: [fundAllocation] })),
  ...terms.map((kind) => ({ ...kind, datasets: [securities] })),
];
