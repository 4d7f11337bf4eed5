import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Field } from '../../src/catalogue/model/field.ts';
import {
  amountIn,
  countOf,
  percent,
  price,
  share,
  years,
} from '../../src/catalogue/model/field-builders.ts';
import {
  createConverter,
  InvalidCell,
  type ValueFormat,
} from '../../src/publish/cells/create-converter.ts';
import { PLAIN_FORMAT } from './plain-format.ts';

const parse = (cell: unknown, decimal: ValueFormat['decimal'] = '.', field: Field = price('a')) =>
  createConverter(field, { ...PLAIN_FORMAT, decimal })(cell);

const parseRule = (...parameters: Parameters<typeof parse>) =>
  (parse(...parameters) as InvalidCell).rule;

describe('numbers with a decimal point', () => {
  test.each([
    ['0', 0],
    ['007', 7],
    ['12.50', 12.5],
    ['-12.5', -12.5],
    ['+12.5', 12.5],
    ['\u221212.5', -12.5],
    ['\u00a0 12.5 \t', 12.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['1,234', 1234],
    ['1,234,567.89', 1234567.89],
    ['1,23,456.78', 123456.78],
    ['12,34,56,789', 123456789],
    ['1 234 567', 1234567],
    ['1\u00a0234\u00a0567.5', 1234567.5],
    ['1\u202f234.5', 1234.5],
    ['1\u2009234.5', 1234.5],
    ["1'234'567.5", 1234567.5],
    ['1\u2019234', 1234],
    ['(12.3)', -12.3],
    ['(1,234)', -1234],
    ['1e5', 100000],
    ['1.2E+03', 1200],
    ['25e-2', 0.25],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['0.1000000000000000055511151231257827', 0.1],
  ])('%j is %d', (cell, expected) => {
    expect(parse(cell)).toBe(expected);
  });

  const INVALID = `1,2345 | 1,,234 | 123,45,678 | 1,23,45,67 | 1,2,345 | 12,345,67 | 1,234 567 | 1'234,567 | 1234,567.5 | ,123 | 1.234.567,8.9
    | 1.2.3 | . | (12 | 12) | (-12) | --12 | - 12 | 12- | 12 abc | 0x10 | 0b1 | 0O7 | -0x10 | 1_000
    | 1e | e5 | 1e5.5 | $12 | ١٢ | １ | 1/2 | true | () | %`;
  test.each(INVALID.split(/\s*\| /))('%j is rejected', (cell) => {
    expect(parse(cell)).toBeInstanceOf(InvalidCell);
  });

  test('negative zero is read as 0', () => {
    for (const cell of ['-0', '-0.00', '(0)', '\u22120', '-1e-400']) expect(parse(cell)).toBe(0);
  });
});

describe('numbers with a decimal comma', () => {
  test.each([
    ['12,5', 12.5],
    ['-0,25', -0.25],
    ['1.234', 1234],
    ['1.234.567,89', 1234567.89],
    ['1.23.456,7', 123456.7],
    ['1 234,5', 1234.5],
    ['(1.234,5)', -1234.5],
    ['1,5e3', 1500],
    ['12', 12],
  ])('%j is %d', (cell, expected) => {
    expect(parse(cell, ',')).toBe(expected);
  });
});

describe('numbers with the other decimal sign', () => {
  test.each([
    ['.', '12,5', ',', 12.5],
    ['.', '0,125', ',', 0.125],
    ['.', '1.234,5', ',', 1234.5],
    ['.', '(0,5)', ',', -0.5],
    [',', '12.5', '.', 12.5],
    [',', '0.125', '.', 0.125],
    [',', '1,234.5', '.', 1234.5],
  ] as const)(
    'with %s, %j is rejected, and --decimal %s suggested',
    (decimal, cell, other, meant) => {
      expect(parseRule(cell, decimal)).toBe(
        `a number; with --decimal ${other} "${cell}" is ${meant}`,
      );
    },
  );

  test('no decimal sign is suggested if neither makes it a number', () => {
    for (const cell of ['1,,234', '12 abc', '1.2.3,4,5']) {
      expect(parseRule(cell, '.')).toBe('a number');
      expect(parseRule(cell, ',')).toBe('a number');
    }
  });
});

describe('numbers with a guessed decimal sign', () => {
  const parseGuessed = (cell: string, field: Field = price('a')) =>
    createConverter(field, { ...PLAIN_FORMAT, isDecimalGuessed: true })(cell);

  test.each([
    ['98,125', price('a'), '98.125 or 98125'],
    ['-1,234', price('a'), '-1.234 or -1234'],
    ['(98,125)', price('a'), '-98.125 or -98125'],
    ['13,125%', percent('a'), '13.125 or 13125'],
    ['13,125%', share('a'), '0.13125 or 131.25'],
  ])('%s is rejected with both readings', (cell, field, both) => {
    const advice = 'say --decimal , or --decimal .';
    expect(parseGuessed(cell, field)).toEqual(
      new InvalidCell(`a number; "${cell}" may be ${both}: ${advice}`),
    );
  });

  test.each([
    ['98.125', 98.125],
    ['1,234.5', 1234.5],
    ['1,234,567', 1234567],
    ['12,34,567', 1234567],
    ['1 234', 1234],
    ['0', 0],
  ])('%s has one reading and is accepted', (cell, expected) => {
    expect(parseGuessed(cell)).toBe(expected);
  });

  test('a count is ambiguous only if both readings are integers', () => {
    expect(parseGuessed('98,125', countOf('b')('a'))).toBe(98125);
    expect(parseGuessed('98,000', countOf('b')('a'))).toEqual(
      new InvalidCell(
        'a whole number; "98,000" may be 98 or 98000: say --decimal , or --decimal .',
      ),
    );
  });
});

describe('percent signs', () => {
  test.each([
    ['11.5%', 11.5, 0.115],
    ['30 %', 30, 0.3],
    ['28.7%', 28.7, 0.287],
    ['(1,234.5%)', -1234.5, -12.345],
    ['-0.7%', -0.7, -0.007],
  ])('%j is the percentage %d and the share %d', (cell, percentage, fraction) => {
    expect(parse(cell, '.', percent('a'))).toBe(percentage);
    expect(parse(cell, '.', share('a'))).toBe(fraction);
  });

  test('a share without a percent sign is a fraction', () => {
    expect(parse('0.3', '.', share('a'))).toBe(0.3);
  });

  test('percentages can have a decimal comma', () => {
    expect(parse('28,7%', ',', share('a'))).toBe(0.287);
    expect(parseRule('28,7%', '.', share('a'))).toContain('with --decimal , "28,7%" is 0.287');
  });

  test('a percentage with a point is ambiguous even with a decimal comma, because spreadsheets store a point', () => {
    expect(parseRule('13.125%', ',', percent('a'))).toBe(
      'a number; "13.125%" may be 13125 or 13.125: write it without a point',
    );
    expect(parse('1.234,5%', ',', percent('a'))).toBe(1234.5);
  });

  test('fields that are neither percentages nor shares reject a percent sign', () => {
    for (const field of [price('a'), years('a'), amountIn('b')('a'), countOf('b')('a')]) {
      expect(parseRule('30%', '.', field)).toContain('without %');
    }
  });

  test('two percent signs, or one with an exponent, are rejected', () => {
    for (const cell of ['30%%', '3e1%', '%30'])
      expect(parse(cell, '.', share('a'))).toBeInstanceOf(InvalidCell);
  });
});

describe('numbers that a double cannot hold', () => {
  const TOO_LARGE = '9007199254740992 -9007199254740993 9,007,199,254,740,993 1e400 Infinity -1e16';
  test.each([...TOO_LARGE.split(' '), '-Infinity', 9007199254740993n, -(10n ** 400n)])(
    '%p is rejected with the requirement of the field',
    (cell) => {
      for (const field of [price('a'), countOf('b')('a')]) {
        expect(parse(cell, '.', field)).toEqual(new InvalidCell(field.requirement));
        expect(field.requirement).toContain('2^53');
      }
    },
  );

  test('a bigint within the safe range becomes a number', () => {
    expect(parse(9007199254740991n)).toBe(9007199254740991);
  });

  test('numbers are returned unchanged and left to field validation', () => {
    for (const cell of [1.5, 2 ** 53, Infinity, Number.NaN, -0]) {
      expect(parse(cell, '.', countOf('b')('a'))).toBe(cell);
    }
    expect(parse('1.5', '.', countOf('b')('a'))).toBe(1.5);
  });
});

describe('messages about invalid numbers', () => {
  test.each([['#N/A'], ['n.a.'], ['-'], ['NaN'], ['nil']])(
    '%j is rejected with the advice to list it among the blanks',
    (cell) => {
      expect(parseRule(cell)).toBe(
        `a number; if "${cell}" stands for no value, name it in the mapping's blanks`,
      );
    },
  );

  test('a count is required to be a whole number', () => {
    expect(parseRule('12 abc', '.', countOf('b')('a'))).toBe('a whole number');
  });

  test('a long text is truncated in the message', () => {
    expect(parseRule('x'.repeat(10_000)).length).toBeLessThan(150);
  });
});

describe('any number', () => {
  const safe = fc
    .double({ noDefaultInfinity: true, noNaN: true })
    .filter((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    .map((value) => value + 0);

  test('is read back from its JSON text', () => {
    fc.assert(fc.property(safe, (value) => expect(parse(JSON.stringify(value))).toBe(value)));
  });

  test.each(['en-US', 'en-IN', 'de-DE', 'fr-FR', 'de-CH'])(
    'is read back from the %s format',
    (locale) => {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
      const decimal = format.format(0.5).includes(',') ? ',' : '.';
      const printed = fc
        .integer({ min: -(10 ** 13), max: 10 ** 13 })
        .map((value) => value / 10_000);
      fc.assert(
        fc.property(printed, (value) => expect(parse(format.format(value), decimal)).toBe(value)),
      );
    },
  );

  test('any text gives a safe number or an invalid cell, and never throws', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(..."0123456789.,-+()%eE \u00a0'") }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('.' as const, ',' as const), (cell, decimal) => {
        const value = parse(cell, decimal);
        if (value === undefined || value instanceof InvalidCell) return;
        expect(price('a').isValid(value)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
