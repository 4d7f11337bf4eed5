import { describe, expect, test } from 'bun:test';
import { type Mapping, parseMapping } from '../../src/publish/mapping/mapping.ts';

describe('a mapping file', () => {
  const parseError = (text: string) => {
    try {
      parseMapping(text, 'm.json');
    } catch (cause) {
      return (cause as Error).message;
    }
    return 'it was accepted';
  };

  test('with a valid value for every key is accepted', () => {
    const mapping = {
      dataset: 'quotes',
      about: 'All of them',
      columns: { a: 'symbol', b: null },
      otherColumns: 'refuse',
      fields: {
        a: '{b}',
        c: { sum: ['d'] },
        e: { shareOf: '{f}' },
        g: { of: '{h}', like: [['^i', 'j']] },
      },
      lookup: { file: 'k', column: 'l', by: '{m}' },
      scale: { n: '1e-6', o: '1e+3' },
      zeroIsBlank: ['p'],
      blanks: ['-'],
      blank: 'zero',
      uncomputable: 'zero',
      repeatedKeys: 'add',
      decimal: ',',
      periods: 'sbp',
      dates: 'mdy',
      format: 'xlsx',
      sheet: 'q',
      headerRow: 3,
    };
    expect(parseMapping(JSON.stringify(mapping), 'm.json')).toEqual(mapping as unknown as Mapping);
  });

  test('that is not JSON, or no object, is rejected', () => {
    expect(parseError('{"columns"')).toStartWith('m.json is not JSON: ');
    expect(parseError('[]')).toBe('m.json must hold one JSON object');
  });

  test('with an unknown key is rejected with the list of known keys', () => {
    expect(parseError('{"colums": {}}')).toStartWith(
      'm.json: "colums" is not known; it may hold dataset, about, columns',
    );
    expect(parseError('{"constructor": {}}')).toContain('"constructor" is not known');
  });

  test.each([
    ['columns', { a: 1 }, 'an object of columns'],
    ['columns', ['a'], 'an object of columns'],
    ['otherColumns', 'drop', '"ignore" or "refuse"'],
    ['fields', { a: '' }, 'an object of fields'],
    ['fields', { a: { sum: 'b' } }, 'an object of fields'],
    ['fields', { a: { of: '{b}', like: [['(', 'c']] } }, 'an object of fields'],
    ['fields', { a: { of: '{b}', like: [['c\\', 'd']] } }, 'an object of fields'],
    ['fields', { a: { of: '{b}', like: [['c)|(d', 'e']] } }, 'an object of fields'],
    ['fields', { a: { of: '{b}', like: [['(c)', '$2']] } }, 'an object of fields'],
    ['fields', { a: { of: '{b}', like: [], sum: [] } }, 'an object of fields'],
    ['lookup', { file: 'a', column: 'b' }, '{file, column, by}'],
    ['scale', { a: '1000' }, 'an object of fields and powers of ten'],
    ['zeroIsBlank', 'a', 'a list of fields'],
    ['blanks', [1], 'a list of texts'],
    ['blank', 'one', '"zero" or "absent"'],
    ['uncomputable', 0, '"zero"'],
    ['repeatedKeys', 'last', '"add"'],
    ['decimal', ';', '"." or ","'],
    ['periods', 'rbi', '"sbp"'],
    ['dates', 'ymd', '"dmy" or "mdy"'],
    ['format', 'xls', '"csv" or "tsv" or "json" or "ndjson" or "xlsx" or "parquet"'],
    ['sheet', 1, "a sheet's name or number"],
    ['headerRow', 0, 'a whole number from 1'],
    ['dataset', 1, "a dataset's name"],
    ['about', 1, 'text'],
  ])('with an invalid %s is rejected: %j', (key, value, rule) => {
    expect(parseError(JSON.stringify({ [key]: value }))).toStartWith(
      `m.json: "${key}" must be ${rule}`,
    );
  });

  test.each([
    ['fields', { b: '{c}', symbol: { of: '{d}', like: [['(?<e>f)', '$<g>']] } }],
    ['fields', { b: '{c}', symbol: { of: '{d}', like: [['(e)', '$<f>']] } }],
    ['columns', { b: null, symbol: 1 }],
  ])('with an invalid member of %s is rejected, and names it: %j', (key, value) => {
    expect(parseError(JSON.stringify({ [key]: value }))).toEndWith(': see "symbol"');
  });

  test('with a field that is still to be decided is rejected, and names it', () => {
    for (const open of ['?', { of: '{b}', like: [['^c$', '?']] }])
      expect(parseError(JSON.stringify({ fields: { symbol: open } }))).toBe(
        'm.json: "fields.symbol" is to be filled in for "?"',
      );
  });
});
