import * as all from '../../../src/catalogue/datasets/series/index.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { each, type Loose, listFigures, type NonsenseKind, toCsv } from './kind.ts';

const SERIES: readonly Dataset[] = Object.values(all);
const SIZED = SERIES.filter(({ name }) => name !== 'mobile-money-market-share-value');
const TOTALLED = SERIES.filter(({ checks }) =>
  checks.some(({ name }) => name === 'parts-off-total'),
);
const LISTED = [all.branchlessBankingAgents, all.mobileMoneyAccountsMale];
const QUARTERLY = [all.atmTransactionsQuarterlyValue, all.posTransactionsQuarterlyVolume];

/** All figures of a record, those of lists too, times a factor. */
const scaleAll = (factor: number) =>
  each((record) => {
    const figures = listFigures(record).map((name) => [name, round(record[name] * factor)]);
    const lists = Object.entries(record)
      .filter(([, value]) => Array.isArray(value))
      .map(([name, items]) => [
        name,
        items.map((item: Loose) => ({ ...item, value: round(item.value * factor) })),
      ]);
    return Object.fromEntries([...figures, ...lists]);
  });

const round = (value: number) => (value > 1000 ? Math.round(value) : Number(value.toFixed(6)));

/** The components of a record by size, the largest first; a total is none. */
function listParts(record: Loose): string[] {
  return listFigures(record)
    .filter((name) => name !== 'total' && name !== 'national')
    .toSorted((a, b) => record[b] - record[a]);
}

const list = (dataset: Dataset) =>
  Object.keys(dataset.fields).find((name) => dataset.fields[name]?.kind === 'list') ?? '';

/** Alters the list of a record. */
const alterList =
  (alter: (items: Loose[]) => Loose[]): NonsenseKind['alter'] =>
  ({ records }, dataset) =>
    records.map((record) => ({ ...record, [list(dataset)]: alter(record[list(dataset)]) }));

/** The newest figures under another label. */
const relabel =
  (find: (ordinal: number, dataset: Dataset) => string): NonsenseKind['alter'] =>
  ({ records }, dataset) => {
    const { field = '', kind } = dataset.period ?? {};
    return records.map((record) => ({
      ...record,
      [field]: find(kind?.toOrdinal(record[field]) ?? 0, dataset),
    }));
  };

const shift = (periods: number) =>
  relabel((ordinal, { period }) => period?.kind.formatLabel(ordinal + periods) ?? '');

const { onlineBankingAnnualVolume: online, mobileMoneyMarketShareValue: shares } = all;

export const SERIES_KINDS: readonly NonsenseKind[] = [
  // Sizes
  { name: 'all figures × 1000', datasets: SIZED, alter: scaleAll(1000), warns: 'scale-jump' },
  { name: 'all figures × 7', datasets: SIZED, alter: scaleAll(7), warns: 'scale-jump' },
  { name: 'all figures × 6', datasets: SIZED, alter: scaleAll(6), warns: 'scale-jump' },
  { name: 'all figures a seventh', datasets: SIZED, alter: scaleAll(1 / 7), warns: 'scale-jump' },
  {
    name: 'the sum of four quarters in a quarter',
    datasets: QUARTERLY,
    alter: scaleAll(4),
    warns: 'scale-jump',
  },
  {
    name: 'all figures × 2',
    datasets: [online, all.settlementTransactionsValue],
    alter: scaleAll(2),
    warns: 'unusual-change',
  },
  { name: 'all figures 0', datasets: SERIES, alter: scaleAll(0), warns: 'all-zero' },
  { name: 'all figures negative', datasets: SIZED, alter: scaleAll(-1), warns: 'negative-figure' },
  {
    name: 'the figures of the last period repeated',
    datasets: SERIES.filter(({ name }) => name !== 'payments-market-players'),
    alter: ({ records, previous }, { period }) => [
      { ...previous[0], [period?.field ?? '']: records[0]?.[period?.field ?? ''] },
    ],
    warns: 'figures-repeated',
  },
  {
    name: 'the figures of the last year repeated, if they are small counts',
    datasets: [all.paymentsMarketPlayers],
    alter: ({ records, previous }) => [{ ...previous[0], year: records[0]?.year }],
    undetected: 'few licences change in a year; fewer than 10 digits may repeat by chance',
  },
  {
    name: 'a component × 8 with a matching total',
    datasets: TOTALLED,
    alter: each((record) => {
      const [name = ''] = listParts(record);
      return { [name]: record[name] * 8, total: round(record.total + 7 * record[name]) };
    }),
    warns: 'scale-jump',
  },
  {
    name: 'a component × 8, if there is no total',
    datasets: [all.settlementTransactionsValue, all.posTransactionsQuarterlyVolume],
    alter: each((record) => {
      const [, name = ''] = listParts(record);
      return { [name]: record[name] * 8 };
    }),
    warns: 'scale-jump',
  },
  {
    name: 'a component 0 with a matching total',
    datasets: [online],
    alter: each((record) => ({ cash_wtl: 0, total: round(record.total - record.cash_wtl) })),
    warns: 'scale-jump',
  },
  // Columns
  {
    name: 'two columns swapped',
    // The three columns of online banking are of about one size.
    datasets: SERIES.filter(
      (dataset) =>
        dataset !== online && !['multiples', 'shares'].includes(dataset.chart?.kind ?? ''),
    ),
    alter: each((record) => {
      const parts = listParts(record);
      const [a = '', b = ''] = [
        parts[0],
        parts.find((name) => record[name] < record[parts[0] ?? ''] / 1.45),
      ];
      return { [a]: record[b], [b]: record[a] };
    }),
    warns: 'columns-swapped',
  },
  {
    name: 'two columns of about one size swapped',
    datasets: [all.ivrBankingAnnualValue],
    alter: each((record) => ({
      funds_transfer: record.mobile_payment,
      mobile_payment: record.funds_transfer,
    })),
    undetected: 'their figures differ as from one period to the next',
  },
  {
    name: 'the total in the column of a component',
    datasets: TOTALLED,
    alter: each((record) => {
      const [name = ''] = listParts(record);
      return { [name]: record.total, total: record[name] };
    }),
    warns: 'parts-off-total',
  },
  {
    name: 'components that do not add up to the total',
    datasets: TOTALLED,
    alter: each((record) => ({ total: record.total + 5 })),
    warns: 'parts-off-total',
  },
  {
    name: 'a component left out of the total',
    datasets: TOTALLED,
    alter: each((record) => ({ total: round(record.total - record[listParts(record)[0] ?? '']) })),
    warns: 'parts-off-total',
  },
  {
    name: 'a negative component',
    datasets: TOTALLED,
    alter: each((record) => ({ [listParts(record)[0] ?? '']: -1 })),
    warns: 'negative-figure',
  },
  // Lists
  {
    name: 'an unknown province',
    datasets: LISTED,
    alter: alterList((items) =>
      items.map((item, index) => (index === 0 ? { ...item, key: 'panjab' } : item)),
    ),
    warns: 'unknown-key',
  },
  {
    name: 'a province missing',
    datasets: LISTED,
    alter: alterList((items) => items.slice(1)),
    warns: 'unknown-key',
  },
  {
    name: 'a province in capitals',
    datasets: LISTED,
    alter: alterList((items) =>
      items.map((item, index) => (index === 0 ? { ...item, key: 'PUNJAB' } : item)),
    ),
    warns: 'case-variant',
  },
  {
    name: 'a province twice, in two cases',
    datasets: LISTED,
    alter: alterList((items) => [...items, { key: 'Sindh', value: 1 }]),
    warns: 'case-variant',
  },
  {
    name: 'two provinces swapped',
    datasets: LISTED,
    alter: alterList((items) =>
      items.map((item, index) => (index < 2 ? { ...item, value: items[1 - index]?.value } : item)),
    ),
    warns: 'columns-swapped',
  },
  {
    name: 'one province × 8',
    datasets: LISTED,
    alter: ({ records }) =>
      records.map((record) => {
        const total = 'national' in record ? 'national' : 'total';
        const extra = 7 * record.provinces[2].value;
        return {
          ...record,
          [total]: record[total] + extra,
          provinces: record.provinces.map((item: Loose, index: number) =>
            index === 2 ? { ...item, value: 8 * item.value } : item,
          ),
        };
      }),
    warns: 'scale-jump',
  },
  {
    name: 'provinces that exceed the nation',
    datasets: LISTED,
    alter: alterList((items) => items.map((item) => ({ ...item, value: item.value * 2 }))),
    warns: 'list-above-total',
  },
  {
    name: 'fractions of agents',
    datasets: [all.branchlessBankingAgents],
    alter: each((record) => ({ total: record.total + 0.5 })),
    warns: 'fractional-count',
  },
  {
    name: 'fractions of agents in a province',
    datasets: [all.branchlessBankingAgents],
    alter: alterList((items) => items.map((item) => ({ ...item, value: item.value - 0.25 }))),
    warns: 'fractional-count',
  },
  {
    name: 'fractions of institutions',
    datasets: [all.paymentsMarketPlayers],
    alter: each((record) => ({ banks: record.banks + 0.5, total: record.total + 0.5 })),
    warns: 'fractional-count',
  },
  {
    name: 'fractions of accounts',
    datasets: [all.mobileMoneyAccountsMale],
    alter: each((record) => ({ national: record.national + 0.5 })),
    refused: 'whole number',
  },
  {
    name: 'a province twice',
    datasets: LISTED,
    alter: alterList((items) => [...items, ...items.slice(0, 1)]),
    refused: 'key',
  },
  // Shares
  {
    name: 'shares in percent',
    datasets: [shares],
    alter: scaleAll(100),
    warns: 'implausible-figure',
  },
  {
    name: 'shares that do not add up to 1',
    datasets: [shares],
    alter: scaleAll(0.9),
    warns: 'shares-off-one',
  },
  {
    name: 'an operator renamed',
    datasets: [shares],
    alter: alterList((items) =>
      items.map((item, index) => (index === 0 ? { ...item, key: 'lapwing cash' } : item)),
    ),
    warns: 'unknown-key',
  },
  {
    name: 'an operator in capitals',
    datasets: [shares],
    alter: alterList((items) =>
      items.map((item, index) => (index === 1 ? { ...item, key: 'TamarindPay' } : item)),
    ),
    warns: 'case-variant',
  },
  {
    name: 'two operators swapped',
    datasets: [shares],
    alter: alterList((items) =>
      items.map((item, index) =>
        index === 0 || index === 2 ? { ...item, value: items[2 - index]?.value } : item,
      ),
    ),
    warns: 'columns-swapped',
  },
  // Periods
  {
    name: 'the label of the year before the last on new figures',
    datasets: [online, all.atmTransactionsAnnualVolume, all.ivrBankingAnnualValue],
    alter: shift(-2),
    warns: 'period-overwritten',
  },
  {
    name: 'the label of the last published year on new figures',
    datasets: [online],
    alter: shift(-1),
    undetected: 'a revision of the newest period may change all of its figures',
  },
  {
    name: 'the label of the year before on new figures',
    datasets: SERIES.filter(({ period }) => period?.kind.name !== 'annual'),
    alter: relabel(
      (ordinal, { period }) => period?.kind.formatLabel(ordinal - period.kind.periodsPerYear) ?? '',
    ),
    warns: 'period-overwritten',
    options: { canRelabel: true },
  },
  { name: 'a label ten years before', datasets: QUARTERLY, alter: shift(-40), warns: 'period-gap' },
  {
    name: 'a label that skips periods',
    datasets: SERIES,
    alter: shift(2),
    warns: 'period-gap',
    options: { allowsFuture: true },
  },
  { name: 'a label in the future', datasets: SERIES, alter: shift(60), refused: 'has started' },
  {
    name: 'a quarter by its months, as Jan-Mar 26',
    datasets: QUARTERLY,
    alter: relabel(() => 'Jan-Mar 26'),
    warns: 'quarter-by-months',
    options: { mapping: { periods: 'sbp' } },
  },
  {
    name: 'a mark that is not known beside a label',
    datasets: SERIES,
    alter: relabel((ordinal, { period }) => `${period?.kind.formatLabel(ordinal)} (x)`),
    warns: 'unknown-mark',
  },
  {
    name: 'a quarter by its months, without saying which year is meant',
    datasets: QUARTERLY,
    alter: relabel(() => 'Jan-Mar 26'),
    refused: 'a quarter such as',
  },
  {
    name: 'a month in a series of quarters',
    datasets: QUARTERLY,
    alter: relabel(() => 'Feb 2026'),
    refused: 'a quarter such as',
  },
  {
    name: 'a quarter in a series of years',
    datasets: [online],
    alter: relabel(() => 'Q2 2026'),
    refused: 'a year such as',
  },
  {
    name: 'a fiscal year for a calendar year',
    datasets: [online],
    alter: relabel((ordinal) => `FY${(ordinal - 1) % 100}`),
    refused: 'of the same kind',
  },
  {
    name: 'a period twice',
    datasets: SERIES,
    alter: ({ records }) =>
      [...records, { ...records[0] }].map((record, index) => ({
        ...record,
        ...(index === 1 && scaleAll(1.1)({ records: [record], previous: [], earlier: [] })[0]),
      })),
    refused: 'once',
  },
  {
    name: 'a month that is none',
    datasets: LISTED,
    alter: relabel(() => 'Juin 2026'),
    refused: 'a month such as',
  },
  {
    name: 'all of the history × 1.1',
    datasets: [all.atmTransactionsQuarterlyValue, all.settlementTransactionsValue],
    alter: ({ records, previous, earlier }) =>
      scaleAll(1.1)({ records: [...records, ...previous, ...earlier], previous: [], earlier: [] }),
    refused: 'would correct published ones',
  },
  // Cells
  {
    name: 'a figure in words',
    datasets: SIZED,
    alter: each((record) => ({ [listFigures(record)[0] ?? '']: 'approx. 12' })),
    refused: 'number',
  },
  {
    name: 'a blank figure',
    datasets: TOTALLED,
    alter: ({ records }) => toCsv(records).replace(/,[\d.]+\n$/, ',\n'),
    refused: 'blank',
  },
  {
    name: 'a column missing',
    datasets: TOTALLED,
    alter: ({ records }) => toCsv(records.map(({ total: _, ...record }) => record)),
    refused: 'total',
  },
  {
    name: 'figures with decimal commas',
    datasets: [online],
    alter: ({ records }) =>
      toCsv(records)
        .replaceAll(',', ';')
        .replace(/(\d)\.(\d)/g, '$1,$2'),
    refused: 'number',
  },
];
