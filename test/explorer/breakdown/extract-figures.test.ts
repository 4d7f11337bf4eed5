import { expect, test } from 'bun:test';
import {
  extractComponents,
  extractFigures,
} from '../../../src/explorer/breakdown/extract-figures.ts';
import { field, list, quarterly } from './fixtures.ts';

const provinces = (...pairs: [string, number][]) => ({
  provinces: pairs.map(([key, value]) => ({ key, value })),
});

test('finds every figure of a record, lists spread by their keys as in files', () => {
  const entry = quarterly([field('total'), list('provinces', { unit: 'agents' })]);
  const record = { period: 'Q1 2024', total: 9, ...provinces(['sindh', 4], ['punjab', 5]) };
  expect(extractFigures(entry, record)).toMatchObject([
    { key: 'total', title: 'The total', value: 9 },
    { key: 'provinces.sindh', title: 'sindh', value: 4, measure: { unit: 'agents' } },
    { key: 'provinces.punjab', title: 'punjab', value: 5 },
  ]);
});

test('gives a key that came or went no value where it was not there', () => {
  const entry = quarterly([list('provinces')]);
  const records = [
    provinces(['old', 1], ['both', 2]),
    undefined,
    provinces(['both', 3], ['new', 4]),
  ];
  expect(extractComponents(entry, { records }).map(({ key, values }) => [key, values])).toEqual([
    ['provinces.both', [2, undefined, 3]],
    ['provinces.new', [undefined, undefined, 4]],
    ['provinces.old', [1, undefined, undefined]],
  ]);
});

test('keeps the order of the fields', () => {
  const entry = quarterly([field('b'), field('a')]);
  const records = [{ a: 1, b: 2 }];
  expect(extractComponents(entry, { records }).map(({ key }) => key)).toEqual(['b', 'a']);
});

test('tells two fields that mean the same apart by their names', () => {
  const entry = quarterly([
    field('a', { meaning: 'Transfers' }),
    field('b', { meaning: 'Transfers' }),
  ]);
  const titles = extractComponents(entry, { records: [{ a: 1, b: 2 }] }).map(({ title }) => title);
  expect(titles).toEqual(['Transfers (a)', 'Transfers (b)']);
});

test('writes all amounts of a part with as many decimals', () => {
  const entry = quarterly([field('whole'), field('broken')]);
  const records = [
    { whole: 4000, broken: 4000 },
    { whole: 12, broken: 4000.5 },
  ];
  const kinds = extractComponents(entry, { records }).map(({ measure }) => measure.kind);
  expect(kinds).toEqual(['count', 'numbers']);
});
