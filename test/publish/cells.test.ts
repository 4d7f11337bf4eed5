import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import {
  choice,
  day,
  instant,
  numberList,
  price,
  text,
} from '../../src/catalogue/model/field-builders.ts';
import { createConverter, InvalidCell } from '../../src/publish/cells/create-converter.ts';
import { PLAIN_FORMAT } from './plain-format.ts';

const kinds = [price('a'), day('a'), text('a'), instant('a'), choice('a', ['x'])];

describe('blank cells', () => {
  test.each([[null], [undefined], [''], ['  '], ['\u00a0'], ['\t\u202f ']])(
    '%j is blank',
    (cell) => {
      for (const field of kinds) expect(createConverter(field, PLAIN_FORMAT)(cell)).toBeUndefined();
    },
  );

  test('the listed texts are blank, trimmed and in any letter case', () => {
    const blanks = ['-', ' n.a. ', '#N/A'];
    for (const field of kinds) {
      const convert = createConverter(field, { ...PLAIN_FORMAT, blanks });
      for (const cell of ['-', ' - ', 'N.A.', 'n.a.', '#n/a\u00a0']) {
        expect(convert(cell)).toBeUndefined();
      }
      expect(convert('n.a')).not.toBeUndefined();
      expect(convert('--')).not.toBeUndefined();
    }
  });

  test('a listed number is blank both as text and as a number, and no other number is', () => {
    const convert = createConverter(price('a'), { ...PLAIN_FORMAT, blanks: ['0', '-999'] });
    for (const cell of ['0', 0, 0n, '-999', -999]) expect(convert(cell)).toBeUndefined();
    for (const cell of ['0.5', '10', 999, '999']) expect(convert(cell)).toBe(Number(cell));
  });

  test('a listed number with a fraction is blank, with space around it too', () => {
    const convert = createConverter(price('a'), { ...PLAIN_FORMAT, blanks: ['-99.9'] });
    for (const cell of ['-99.9', ' -99.9 ']) expect(convert(cell)).toBeUndefined();
    expect(convert(' 99.9\u00a0')).toBe(99.9);
  });

  test('a number is not blank unless it is listed', () => {
    expect(createConverter(price('a'), { ...PLAIN_FORMAT, blanks: ['-', ''] })(0)).toBe(0);
  });
});

describe('choices', () => {
  const convert = createConverter(choice('a', ['tbill', 'bond']), PLAIN_FORMAT);

  test.each([['tbill'], ['TBILL'], [' TBill '], ['tBILL\u00a0']])('%j is tbill', (cell) => {
    expect(convert(cell)).toBe('tbill');
  });

  test.each([['T-Bill'], ['t bill'], ['bonds'], ['1']])(
    '%j is rejected rather than guessed',
    (cell) => {
      expect(convert(cell)).toEqual(new InvalidCell('one of tbill, bond'));
    },
  );

  test('choices that differ only in letter case are distinguished', () => {
    const convertCase = createConverter(choice('a', ['A', 'a']), PLAIN_FORMAT);
    expect([convertCase('A'), convertCase('a')]).toEqual(['A', 'a']);
  });
});

describe('text', () => {
  const convert = createConverter(text('a'), PLAIN_FORMAT);

  test('is trimmed and otherwise unchanged', () => {
    expect(convert('\u00a0 PK0  \u00e9\t')).toBe('PK0  \u00e9');
  });

  test.each([
    [12, '12'],
    [0.1, '0.1'],
    [1e21, '1e+21'],
    [12345678901234567890n, '12345678901234567890'],
  ])('the number %p becomes its text', (cell, expected) => {
    expect(convert(cell)).toBe(expected);
  });

  test('NaN and Infinity do not become text', () => {
    for (const cell of [Number.NaN, Infinity]) expect(convert(cell)).toBe(cell);
  });

  test('instants are trimmed', () => {
    const convertInstant = createConverter(instant('a'), PLAIN_FORMAT);
    expect(convertInstant(' 2026-06-30T12:00:00Z ')).toBe('2026-06-30T12:00:00Z');
  });
});

describe('every field of the catalogue', () => {
  const fields = catalogue.flatMap(({ name: dataset, fields, example }) =>
    Object.entries(fields).map(([name, field]) => {
      return [`${dataset}.${name}`, field, (example as Record<string, unknown>)[name]] as const;
    }),
  );

  test.each(fields)('%s accepts its example as a value and as text', (_, field, example) => {
    const convert = createConverter(field, PLAIN_FORMAT);
    expect(convert(example)).toBe(example ?? undefined);
    if (typeof example !== 'object') expect(convert(` ${example} `)).toBe(example);
  });

  test.each(fields)('%s returns values of other types unchanged', (_, field) => {
    const cells = [true, {}, () => 1];
    for (const cell of cells) {
      expect(createConverter(field, PLAIN_FORMAT)(cell)).toBe(cell);
      expect(field.isValid(cell)).toBe(field.schema.type === 'boolean' && cell === true);
    }
  });

  test('lists return every cell unchanged', () => {
    for (const cell of [[1, 2], 5, '[1]']) {
      expect(createConverter(numberList('a', 'b'), PLAIN_FORMAT)(cell)).toBe(cell);
    }
  });
});
