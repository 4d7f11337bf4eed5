import { describe, expect, test } from 'bun:test';
import type { JsonRecord } from '../../../src/explorer/api/types.ts';
import { extractComponents } from '../../../src/explorer/series/series-data.ts';
import { field, list, quarterly } from './fixtures.ts';

const provinces = (...pairs: [string, number][]) => ({
  provinces: pairs.map(([key, value]) => ({ key, value })),
});

const extract = (fields: Parameters<typeof quarterly>[0], ...records: (JsonRecord | undefined)[]) =>
  extractComponents(quarterly(fields), { records });

describe('extractComponents', () => {
  test('finds every figure of a record, those of a list by key', () => {
    const fields = [field('total'), list('provinces', { unit: 'agents' })];
    const record = { period: 'Q1 2024', total: 9, ...provinces(['sindh', 4], ['punjab', 5]) };
    expect(extract(fields, record)).toMatchObject([
      { key: 'total', title: 'The total', values: [9] },
      { key: 'provinces.sindh', title: 'sindh', values: [4], unitInfo: { unit: 'agents' } },
      { key: 'provinces.punjab', title: 'punjab', values: [5] },
    ]);
  });

  test('leaves the value of a key undefined in periods without the key', () => {
    const components = extract(
      [list('provinces')],
      provinces(['old', 1], ['both', 2]),
      undefined,
      provinces(['both', 3], ['new', 4]),
    );
    expect(components.map(({ key, values }) => [key, values])).toEqual([
      ['provinces.both', [2, undefined, 3]],
      ['provinces.new', [undefined, undefined, 4]],
      ['provinces.old', [1, undefined, undefined]],
    ]);
  });

  test('appends the names of two fields with the same description', () => {
    const meaning = 'Transfers';
    const components = extract([field('a', { meaning }), field('b', { meaning })], { a: 1, b: 2 });
    expect(components.map(({ title }) => title)).toEqual(['Transfers (a)', 'Transfers (b)']);
  });

  test('formats all amounts of a component with the same number of decimals', () => {
    const components = extract(
      [field('integer'), field('decimal')],
      { integer: 4000, decimal: 4000 },
      { integer: 12, decimal: 4000.5 },
    );
    expect(components.map(({ unitInfo }) => unitInfo.kind)).toEqual(['count', 'numbers']);
  });
});
