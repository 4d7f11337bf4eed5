import { expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { ivrBankingAnnualValue } from '../../src/catalogue/datasets/series/index.ts';
import type { ColumnProfile } from '../../src/inspect/profile-column.ts';
import { findValueOptions } from '../../src/inspect/start/value-options.ts';

type Spelling = Partial<ColumnProfile>;

const PROFILE: ColumnProfile = {
  name: 'a',
  index: 0,
  kind: 'number',
  kinds: {},
  blank: 0,
  blankMarks: [],
  needsPeriodConversion: false,
  examples: ['1,234'],
  distinct: 1,
};
const profile = (...columns: readonly Spelling[]) =>
  columns.map((column) => ({ ...PROFILE, ...column }));

test.each<[expected: string | undefined, ...decimals: NonNullable<Spelling['decimal']>[]]>([
  [undefined],
  ['.', '.'],
  [',', ','],
  ['?', '.', ','],
  ['?', 'both'],
  ['?', '.', 'both'],
  ['?', 'either'],
  ['.', 'either', '.'],
  [',', 'either', ','],
])('the decimal sign is %p if columns have %s, %s', (expected, ...decimals) => {
  const columns = profile(...decimals.map((decimal) => ({ decimal })));
  const { options, questions } = findValueOptions(columns, quotes);
  expect(options.decimal).toBe(expected);
  const isEither = decimals.every((decimal) => decimal === 'either');
  const reason = isEither ? 'may be either' : 'are written both ways';
  const question = `decimal: "." or ","; figures such as "1,234" ${reason}`;
  expect(questions).toEqual(expected === '?' ? [question] : []);
});

test.each<[expected: string | undefined, ...orders: NonNullable<Spelling['dateOrder']>[]]>([
  [undefined],
  ['dmy', 'dmy'],
  ['mdy', 'mdy'],
  ['dmy', 'named'],
  ['mdy', 'named', 'mdy'],
  ['?', 'dmy', 'mdy'],
  ['?', 'both'],
  ['?', 'either'],
  ['mdy', 'either', 'mdy'],
])('the order of days is %p if columns have %s, %s', (expected, ...orders) => {
  const columns = profile(...orders.map((dateOrder) => ({ dateOrder, kind: 'day' as const })));
  const { options, questions } = findValueOptions(columns, quotes);
  expect([options.dates, questions.length]).toEqual([expected, Number(expected === '?')]);
});

test('marks of blanks are listed once, and labels of fiscal years are asked about', () => {
  const columns = profile({ blankMarks: ['-', 'n.a.'] }, { blankMarks: ['-'] });
  expect(findValueOptions(columns, quotes).options.blanks).toEqual(['-', 'n.a.']);
  const periods = (...examples: string[]) =>
    findValueOptions(profile({ needsPeriodConversion: true, examples }), fundAllocation).options
      .periods;
  expect([periods('FY24'), periods('Jul-Sep 2024'), periods('2024-01')]).toEqual(['?', '?', 'sbp']);
  const days = profile({ kind: 'day' });
  expect(findValueOptions(days, ivrBankingAnnualValue).options.periods).toBe('sbp');
  expect(findValueOptions(days, quotes).options).toEqual({});
});
