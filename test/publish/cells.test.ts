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
import {
  createConverter,
  InvalidCell,
  type ValueFormat,
} from '../../src/publish/cells/create-converter.ts';

const habits: ValueFormat = {
  decimal: '.',
  periodStyle: undefined,
  dateOrder: undefined,
  blanks: [],
};
const kinds = [price('a'), day('a'), text('a'), instant('a'), choice('a', ['x'])];

describe('blank cells', () => {
  test.each([[null], [undefined], [''], ['  '], ['\u00a0'], ['\t\u202f ']])(
    'there is no value in %j',
    (cell) => {
      for (const field of kinds) expect(createConverter(field, habits)(cell)).toBeUndefined();
    },
  );

  test('the texts that a file uses for no value are blank, in any letter case, trimmed', () => {
    const blanks = ['-', ' n.a. ', '#N/A'];
    for (const field of kinds) {
      const convert = createConverter(field, { ...habits, blanks });
      for (const cell of ['-', ' - ', 'N.A.', 'n.a.', '#n/a\u00a0']) {
        expect(convert(cell)).toBeUndefined();
      }
      expect(convert('n.a')).not.toBeUndefined();
      expect(convert('--')).not.toBeUndefined();
    }
  });

  test('a number that means no value is blank as text and as a number, and no other is', () => {
    const convert = createConverter(price('a'), { ...habits, blanks: ['0', '-999'] });
    for (const cell of ['0', 0, 0n, '-999', -999]) expect(convert(cell)).toBeUndefined();
    for (const cell of ['0.5', '10', 999, '999']) expect(convert(cell)).toBe(Number(cell));
  });

  test('a number is never blank where no text says so', () => {
    expect(createConverter(price('a'), { ...habits, blanks: ['-', ''] })(0)).toBe(0);
  });
});

describe('choices', () => {
  const convert = createConverter(choice('a', ['tbill', 'bond']), habits);

  test.each([['tbill'], ['TBILL'], [' TBill '], ['tBILL\u00a0']])('%j is tbill', (cell) => {
    expect(convert(cell)).toBe('tbill');
  });

  test.each([['T-Bill'], ['t bill'], ['bonds'], ['1']])('%j is not guessed at', (cell) => {
    expect(convert(cell)).toEqual(new InvalidCell('one of tbill, bond'));
  });

  test('where words differ in letter case alone, each stands for itself', () => {
    const both = createConverter(choice('a', ['A', 'a']), habits);
    expect([both('A'), both('a')]).toEqual(['A', 'a']);
  });
});

describe('text', () => {
  const convert = createConverter(text('a'), habits);

  test('is trimmed, and kept as it is within', () => {
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

  test('what is no number does not become the text of one', () => {
    for (const cell of [Number.NaN, Infinity]) expect(convert(cell)).toBe(cell);
  });

  test('instants are trimmed', () => {
    const at = createConverter(instant('a'), habits);
    expect(at(' 2026-06-30T12:00:00Z ')).toBe('2026-06-30T12:00:00Z');
  });
});

describe('every field of the catalogue', () => {
  const fields = catalogue.flatMap((dataset) =>
    Object.entries(dataset.fields).map(
      ([name, field]) =>
        [
          `${dataset.name}.${name}`,
          field,
          (dataset.example as Record<string, unknown>)[name],
        ] as const,
    ),
  );

  test.each(fields)('%s takes its example as it is, and as text', (_, field, example) => {
    const convert = createConverter(field, habits);
    expect(convert(example)).toBe(example);
    if (typeof example !== 'object') expect(convert(` ${example} `)).toBe(example);
  });

  test.each(fields)('%s is not given a value for one of another type', (_, field) => {
    const cells = [true, {}, () => 1];
    for (const cell of cells) {
      expect(createConverter(field, habits)(cell)).toBe(cell);
      expect(field.isValid(cell)).toBe(false);
    }
  });

  test('for lists, everything passes as it is', () => {
    for (const cell of [[1, 2], 5, '[1]']) {
      expect(createConverter(numberList('a', 'b'), habits)(cell)).toBe(cell);
    }
  });
});
