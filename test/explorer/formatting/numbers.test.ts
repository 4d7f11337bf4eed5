import { expect, test } from 'bun:test';
import { catalogue } from '../../../src/catalogue/index.ts';
import { buildCatalogueEntry } from '../../../src/catalogue/model/catalogue-entry.ts';
import { isNumericField } from '../../../src/catalogue/model/diff-records.ts';
import {
  formatDays,
  formatFigure,
  formatNumber,
  formatQuantity,
  formatSigned,
  formatTicks,
} from '../../../src/explorer/formatting/numbers.ts';
import { readFixture } from '../../support/fixtures.ts';

test('isNumericField holds for the fields of the catalogue that have numbers', () => {
  const fieldValues = catalogue.flatMap((dataset) => {
    const { fields } = buildCatalogueEntry(dataset);
    // The fixture has a record with every value that the example does not know.
    const knownValues = readFixture(dataset).flatMap((record) =>
      Object.entries(record).filter(([, value]) => value !== null),
    );
    const example: Readonly<Record<string, unknown>> = {
      ...Object.fromEntries(knownValues),
      ...Object.fromEntries(Object.entries(dataset.example).filter(([, value]) => value !== null)),
    };
    return fields.flatMap((field) => {
      const [first] = [example[field.name]].flat() as Record<string, unknown>[];
      const innerValues = field.fields?.map((inner) => [inner, first?.[inner.name]] as const);
      return innerValues ?? [[field, example[field.name]] as const];
    });
  });
  const isNumber = (value: unknown) => typeof [value].flat()[0] === 'number';
  const misjudged = fieldValues.filter(
    ([field, value]) => isNumericField(field) !== isNumber(value),
  );
  expect(misjudged).toEqual([]);
  expect(isNumericField({ kind: 'list' })).toBe(false);
  expect(isNumericField({ kind: 'toString' })).toBe(false);
});

test('labels of an axis have as many decimals as one of them needs, and one magnitude', () => {
  expect(formatTicks([10.5, 11, 11.5])).toEqual(['10.5', '11.0', '11.5']);
  expect(formatTicks([11.2, 11.25])).toEqual(['11.20', '11.25']);
  expect(formatTicks([0.1, 0.2, 0.30000000000000004])).toEqual(['0.1', '0.2', '0.3']);
  expect(formatTicks([-5_000, 0, 5_000, 10_000])).toEqual(['−5,000', '0', '5,000', '10,000']);
  expect(formatTicks([0, 1_500_000])).toEqual(['0.0', '1.5 M']);
});

test('formatFigure displays a share in percent, without binary rounding errors', () => {
  expect(formatFigure(0.07, { kind: 'share', unit: null })).toBe('7.0');
  expect(formatFigure(0.1285, { kind: 'share', unit: null })).toBe('12.9');
});

test('formatFigure displays the decimals of the declaration', () => {
  const format = (value: number, kind: string, decimals: number | null) =>
    formatFigure(value, { kind, unit: null, decimals });
  expect(format(11.125, 'percent', null)).toBe('11.125');
  expect(format(11.1, 'percent', 2)).toBe('11.10');
  expect(format(12_000, 'amount', 1)).toBe('12,000.0');
  expect(format(0.125, 'share', 4)).toBe('12.50');
});

test('a number that is rounded to 0 has no sign', () => {
  expect(formatNumber(-0.04, 1)).toBe('0.0');
  expect(formatSigned(-0.04, 1)).toBe('0.0');
  expect(formatSigned(0.04, 1)).toBe('0.0');
  expect(formatSigned(-0.06, 1)).toBe('−0.1');
});

test('counts have separators, and times below a month are days', () => {
  expect(formatQuantity(10_000, 'row')).toBe('10,000 rows');
  expect(formatQuantity(1, 'row')).toBe('1 row');
  const years = { kind: 'years', unit: 'years' };
  expect([2 / 365, 0, 1 / 365].map((value) => formatDays(value, years))).toEqual([
    '2 days',
    '0 days',
    '1 day',
  ]);
  expect(formatDays(0.1, years)).toBeUndefined();
  expect(formatDays(0.01, { kind: 'years', unit: 'years²' })).toBeUndefined();
});
