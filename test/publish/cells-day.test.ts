import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatDay, parseDay } from '../../src/calendar.ts';
import { day } from '../../src/catalogue/model/field-builders.ts';
import {
  createConverter,
  InvalidCell,
  type ValueFormat,
} from '../../src/publish/cells/create-converter.ts';

const field = day('a');
const habits: ValueFormat = {
  decimal: '.',
  periodStyle: undefined,
  dateOrder: undefined,
  blanks: [],
};
const read = (cell: unknown, dates?: ValueFormat['dateOrder']) =>
  createConverter(field, { ...habits, dateOrder: dates })(cell);

const anyDay = fc
  .integer({ min: parseDay('0001-01-01'), max: parseDay('9999-12-31') })
  .map(formatDay);

describe('days as YYYY-MM-DD', () => {
  test('pass, whatever the order of other dates', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.constantFrom(undefined, 'dmy' as const, 'mdy' as const),
        (date, order) => expect(read(` ${date}\u00a0`, order)).toBe(date),
      ),
    );
  });

  test.each([
    ['2026-06-30T00:00:00'],
    ['2026-06-30T00:00:00Z'],
    ['2026-06-30T00:00:00.000'],
    ['2026-06-30T00:00:00.000Z'],
    ['2026-06-30 00:00:00'],
    ['2026-06-30 00:00'],
  ])('%s is the day that begins then', (cell) => {
    expect(read(cell)).toBe('2026-06-30');
  });

  test.each([
    ['2026-06-30T12:00:00'],
    ['2026-06-30T00:00:01'],
    ['2026-06-31'],
    ['2026-02-29'],
    ['2026-13-01'],
    ['2026-00-10'],
    ['2026-06-00'],
    ['0000-01-01'],
    ['2026-06'],
    ['46203'],
    [46203],
    ['today'],
  ])('%s is refused with the rule alone', (cell) => {
    for (const order of [undefined, 'dmy', 'mdy'] as const) {
      expect(read(cell, order)).toEqual(new InvalidCell('a calendar day as YYYY-MM-DD'));
    }
  });
});

describe('days in other shapes', () => {
  const either = [
    '30-Jun-2026',
    '30-JUN-26',
    '30 June 2026',
    '30 Jun. 2026',
    '30Jun2026',
    'June 30, 2026',
    'Jun 30 2026',
    '20260630',
    20260630,
    '2026/06/30',
    '2026/6/30',
    '2026.06.30',
    '2026/06/30 00:00:00',
  ];

  test.each(either.map((cell) => [cell]))('%s is read where an order is given', (cell) => {
    expect(read(cell, 'dmy')).toBe('2026-06-30');
    expect(read(cell, 'mdy')).toBe('2026-06-30');
    expect(read(cell)).toEqual(
      new InvalidCell('a calendar day as YYYY-MM-DD; with --dates dmy it would be 2026-06-30'),
    );
  });

  test.each([
    ['dmy', '30/06/2026', '2026-06-30'],
    ['dmy', '30.06.2026', '2026-06-30'],
    ['dmy', '30-06-2026', '2026-06-30'],
    ['dmy', '3/4/26', '2026-04-03'],
    ['mdy', '3/4/26', '2026-03-04'],
    ['mdy', '6/30/26', '2026-06-30'],
    ['mdy', '06/30/2026', '2026-06-30'],
    ['dmy', '30/06/2026 00:00', '2026-06-30'],
    ['dmy', '29/02/2024', '2024-02-29'],
    ['dmy', '1-Sept-2026', '2026-09-01'],
    ['dmy', '31/12/69', '2069-12-31'],
    ['dmy', '01/01/70', '1970-01-01'],
    ['dmy', '31-Dec-99', '1999-12-31'],
  ] as const)('%s: %s is %s', (order, cell, expected) => {
    expect(read(cell, order)).toBe(expected);
  });

  test.each([
    ['30/06-2026'],
    ['31/06/2026'],
    ['29/02/2026'],
    ['30/06/126'],
    ['31-Jun-2026'],
    ['30-Juni-2026'],
    ['30-Ju-2026'],
    ['30 Foo 2026'],
    ['2026/30/06'],
    ['2026111'],
    ['20261301'],
    ['30/06/2026 12:00'],
  ])('%s is no day in any order', (cell) => {
    for (const order of [undefined, 'dmy', 'mdy'] as const) {
      expect(read(cell, order)).toEqual(new InvalidCell('a calendar day as YYYY-MM-DD'));
    }
  });

  test('where both orders give a day, both are shown', () => {
    expect(read('03/04/2026')).toEqual(
      new InvalidCell(
        'a calendar day as YYYY-MM-DD; with --dates dmy it would be 2026-04-03; with --dates mdy it would be 2026-03-04',
      ),
    );
  });

  test('a date that only the other order reads is refused, and that order named', () => {
    const rule = (order: string) =>
      `a calendar day as YYYY-MM-DD; with --dates ${order} it would be 2026-06-30`;
    expect(read('6/30/2026', 'dmy')).toEqual(new InvalidCell(rule('mdy')));
    expect(read('30/6/2026', 'mdy')).toEqual(new InvalidCell(rule('dmy')));
  });

  test('every day is read back from either order', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...'/.-'), (date, by) => {
        const [year, month, dayOfMonth] = date.split('-');
        expect(read([dayOfMonth, month, year].join(by), 'dmy')).toBe(date);
        expect(read([month, dayOfMonth, year].join(by), 'mdy')).toBe(date);
      }),
    );
  });

  test('a column of more days than are remembered is read alike the second time', () => {
    const convert = createConverter(field, { ...habits, dateOrder: 'dmy' });
    const days = Array.from({ length: 12_000 }, (_, index) => formatDay(index));
    for (const date of [...days, ...days]) {
      expect(convert(date.split('-').reverse().join('/'))).toBe(date);
    }
  });
});
