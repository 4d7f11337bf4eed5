import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { day } from '../../src/catalogue/model/field-builders.ts';
import {
  createConverter,
  InvalidCell,
  type ValueFormat,
} from '../../src/publish/cells/create-converter.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';
import { PLAIN_FORMAT } from './plain-format.ts';

const field = day('a');
const parse = (cell: unknown, dateOrder?: ValueFormat['dateOrder']) =>
  createConverter(field, { ...PLAIN_FORMAT, dateOrder })(cell);
const INVALID_DAY = new InvalidCell('a calendar day as YYYY-MM-DD');

const anyDay = fc
  .integer({ min: parseDay('0001-01-01'), max: parseDay('9999-12-31') })
  .map(formatDay);

describe('days as YYYY-MM-DD', () => {
  test('are valid with any date order', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.constantFrom(undefined, 'dmy' as const, 'mdy' as const),
        (date, order) => expect(parse(` ${date}\u00a0`, order)).toBe(date),
      ),
    );
  });

  test.each([
    ...'T00:00:00 T00:00:00Z T00:00:00.000 T00:00:00.000Z'.split(' '),
    ' 00:00:00',
    ' 00:00',
  ])('2026-06-30%s is read as the day', (midnight) => {
    expect(parse(`2026-06-30${midnight}`)).toBe('2026-06-30');
  });

  test.each([
    ...'2026-06-30T12:00:00 2026-06-30T00:00:01 2026-06-31 2026-02-29 2026-13-01'.split(' '),
    ...'2026-00-10 2026-06-00 0000-01-01 2026-06 462030 today'.split(' '),
    462030,
  ])('%s is rejected with the requirement alone', (cell) => {
    for (const order of [undefined, 'dmy', 'mdy'] as const) {
      expect(parse(cell, order)).toEqual(INVALID_DAY);
    }
  });
});

describe('days in other formats', () => {
  const UNAMBIGUOUS_DAYS = [
    '30-Jun-2026',
    '30-JUN-26',
    '30 Jun. 2026',
    '30Jun2026',
    'Jun 30,2026',
    'Jun 30 2026',
    '20260630',
    20260630,
    '2026/06/30',
    '2026/6/30',
    '2026.06.30',
    '2026/06/30 00:00:00',
  ];

  test.each(UNAMBIGUOUS_DAYS.map((cell) => [cell]))('%s is read with a date order', (cell) => {
    expect(parse(cell, 'dmy')).toBe('2026-06-30');
    expect(parse(cell, 'mdy')).toBe('2026-06-30');
    expect(parse(cell)).toEqual(
      new InvalidCell('a calendar day as YYYY-MM-DD; with --dates dmy it would be 2026-06-30'),
    );
  });

  test.each([
    ['30 June 2026', '2026-06-30'],
    ['June 30, 2026', '2026-06-30'],
    ['31 December 2025', '2025-12-31'],
    ['31-MAY-2025', '2025-05-31'],
  ])('%s has the full name of its month, and is read without a date order', (cell, expected) => {
    for (const order of [undefined, 'dmy', 'mdy'] as const)
      expect(parse(cell, order)).toBe(expected);
  });

  test('a full name does not tell day and year apart if the year has two digits', () => {
    expect(parse('25 December 31')).toEqual(
      new InvalidCell('a calendar day as YYYY-MM-DD; with --dates dmy it would be 2031-12-25'),
    );
    expect(parse('31 June 2025')).toEqual(INVALID_DAY);
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
    expect(parse(cell, order)).toBe(expected);
  });

  test.each([
    ...'30/06-2026 31/06/2026 29/02/2026 30/06/126 31-Jun-2026 30-Juni-2026 30-Ju-2026'.split(' '),
    ...'2026/30/06 2026111 20261301'.split(' '),
    '30 Foo 2026',
    '30/06/2026 12:00',
  ])('%s is invalid with any date order', (cell) => {
    for (const order of [undefined, 'dmy', 'mdy'] as const) {
      expect(parse(cell, order)).toEqual(INVALID_DAY);
    }
  });

  test('a date that both orders can read is rejected with both readings', () => {
    expect(parse('03/04/2026')).toEqual(
      new InvalidCell(
        'a calendar day as YYYY-MM-DD; with --dates dmy it would be 2026-04-03; with --dates mdy it would be 2026-03-04',
      ),
    );
  });

  test('a date that only the other order can read is rejected with that order', () => {
    const rule = (order: string) =>
      `a calendar day as YYYY-MM-DD; with --dates ${order} it would be 2026-06-30`;
    expect(parse('6/30/2026', 'dmy')).toEqual(new InvalidCell(rule('mdy')));
    expect(parse('30/6/2026', 'mdy')).toEqual(new InvalidCell(rule('dmy')));
  });

  test('a number of a spreadsheet is rejected with its day, and read if the file has such numbers', () => {
    const advice = '; with --dates serial, as a number of a spreadsheet, it would be 2026-06-30';
    expect(parse(46_203)).toEqual(new InvalidCell(`a calendar day as YYYY-MM-DD${advice}`));
    expect([parse(46_203, 'serial'), parse('46203.0', 'serial')]).toEqual([
      '2026-06-30',
      '2026-06-30',
    ]);
    expect(parse('460203', 'serial')).toEqual(INVALID_DAY);
  });

  test('every day is read back from either order', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...'/.-'), (date, separator) => {
        const [year, month, dayOfMonth] = date.split('-');
        expect(parse([dayOfMonth, month, year].join(separator), 'dmy')).toBe(date);
        expect(parse([month, dayOfMonth, year].join(separator), 'mdy')).toBe(date);
      }),
    );
  });

  test('a column with more days than the cache holds is read the same twice', () => {
    const convert = createConverter(field, { ...PLAIN_FORMAT, dateOrder: 'dmy' });
    const days = Array.from({ length: 12_000 }, (_, index) => formatDay(index));
    for (const date of [...days, ...days]) {
      expect(convert(date.split('-').reverse().join('/'))).toBe(date);
    }
  });
});
