/**
 * Figures as FRED (Federal Reserve Bank of St. Louis, https://fred.stlouisfed.org) carries them for
 * five public series, and what the publishers themselves made of them, rounded as published.
 */

import { expect, test } from 'bun:test';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import type { PeriodUnit } from '../../src/catalogue/model/period-unit.ts';
import { useDeclaredServer } from './declared-server.ts';

type MeasureKind = Declaration['measures'][number]['kind'];

const declare = (name: string, unit: PeriodUnit, kind: MeasureKind): Declaration => ({
  name,
  title: name,
  period: { kind: unit, field: 'period' },
  measures: [{ field: 'value', title: 'Value', unit: 'as published', kind }],
});

/** Records of consecutive periods. */
function listRecords(unit: PeriodUnit, first: string, values: readonly number[]) {
  const kind = createPeriodKind(unit);
  const ordinal = kind.toOrdinal(first) ?? Number.NaN;
  return values.map((value, index) => ({ period: kind.formatLabel(ordinal + index), value }));
}

const { getRecords } = useDeclaredServer([
  // CPIAUCNS: consumer price index, all urban consumers, U.S. city average, all items, 1982-84 = 100,
  // not seasonally adjusted, never revised. U.S. Bureau of Labor Statistics, CUUR0000SA0.
  [
    declare('cpi', 'month', 'index'),
    listRecords('month', 'Jan 2022', [
      ...[281.148, 283.716, 287.504, 289.109, 292.296, 296.311],
      ...[296.276, 296.171, 296.808, 298.012, 297.711, 296.797],
      ...[299.17, 300.84, 301.836, 303.363, 304.127, 305.109],
      ...[305.691, 307.026, 307.789, 307.671, 307.051, 306.746],
      ...[308.417],
    ]),
  ],
  // FEDFUNDS: effective federal funds rate, percent. Board of Governors, release H.15.
  [
    declare('fed-funds', 'month', 'rate'),
    listRecords('month', 'Jan 2023', [
      ...[4.33, 4.57, 4.65, 4.83, 5.06, 5.08, 5.12, 5.33, 5.33, 5.33, 5.33, 5.33],
      ...[5.33],
    ]),
  ],
  // DGS10: market yield of 10-year Treasury securities at constant maturity, percent. Release H.15.
  [
    declare('ten-years', 'day', 'rate'),
    Object.entries({
      '2019-01':
        '02:2.66 03:2.56 04:2.67 07:2.70 08:2.73 09:2.74 10:2.74 11:2.71 14:2.71 15:2.72 16:2.73 17:2.75 18:2.79 22:2.74 23:2.76 24:2.72 25:2.76 28:2.75 29:2.72 30:2.70 31:2.63',
      '2019-02': '01:2.70',
    }).flatMap(([month, days]) =>
      days.split(' ').map((text) => {
        const [day, value] = text.split(':');
        return { period: `${month}-${day}`, value: Number(value) };
      }),
    ),
  ],
  // GDPC1: real gross domestic product, billions of chained 2012 dollars at annual rates, as revised on
  // 2022-09-29. U.S. Bureau of Economic Analysis.
  [
    declare('gdp', 'quarter', 'rate'),
    listRecords('quarter', 'Q1 2019', [
      ...[18835.411, 18962.175, 19130.932, 19215.691, 18989.877, 17378.712],
    ]),
  ],
  // GFDEBTN: total public debt, end of the quarter, millions of dollars. U.S. Treasury, Fiscal Service.
  [
    declare('debt', 'quarter', 'stock'),
    listRecords('quarter', 'Q4 2014', [
      ...[18141444, 18152056, 18151998, 18150618],
      ...[18922179, 19264939, 19381591, 19573445, 19976827],
    ]),
  ],
]);

test.each([
  // BLS, CUUR0000SA0, annual averages (M13).
  ['cpi?frequency=year', 3, { 2022: 292.655, 2023: 304.702 }],
  // BLS, CPI news releases of 2023-07-12 and 2024-01-11, and of 2023-02-14: 12-month changes.
  ['cpi?units=pc1', 1, { 'Jun 2023': 3.0, 'Dec 2023': 3.4, 'Jan 2023': 6.4 }],
  // The same release of 2024-01-11, table 1, unadjusted change from November 2023.
  ['cpi?units=pch', 1, { 'Dec 2023': -0.1 }],
  // Board of Governors, H.15, annual rate of 2023: RIFSPFF_N.A.
  ['fed-funds?frequency=year', 2, { 2023: 5.02 }],
  // GS10, January 2019.
  ['ten-years?frequency=month', 2, { 'Jan 2019': 2.71 }],
  // A191RL1Q225SBEA of the same revision: percent change at an annual rate.
  [
    'gdp?units=pca',
    1,
    { 'Q2 2019': 2.7, 'Q3 2019': 3.6, 'Q4 2019': 1.8, 'Q1 2020': -4.6, 'Q2 2020': -29.9 },
  ],
  // FYGFD, fiscal years that end in September: Treasury, historical debt outstanding,
  // 18,150,617,666,484.33 and 19,573,444,713,936.79 dollars.
  ['debt?frequency=year&year_start=10', 0, { FY2015: 18150618, FY2016: 19573445 }],
])('%s is what was published, to %d decimals', async (target, decimals, published) => {
  const records = await getRecords(`/datasets/${target}`);
  for (const [period, expected] of Object.entries(published)) {
    const record = records.find((each) => each.period === period);
    expect([period, Number(Number(record?.value).toFixed(decimals))]).toEqual([period, expected]);
  }
});
