import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Field } from '../../src/catalogue/model/field.ts';

const seriesFolder = join(import.meta.dirname, '../../src/catalogue/datasets/series');

test('every series has a file of its name, and every file is in the catalogue', () => {
  const files = readdirSync(seriesFolder).filter((file) => file !== 'index.ts');
  const series = catalogue.filter(({ shape }) => shape === 'series');
  expect(series.map(({ name }) => `${name}.ts`).toSorted()).toEqual(files.toSorted());
});

test('only the fields that the specification calls integers are whole numbers', () => {
  const isWhole = ({ isValid }: Field) => isValid(1) && !isValid(1.5);
  const wholeFields = catalogue.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, declaration]) => {
      const { value } = declaration.itemFields ?? {};
      return isWhole(value ?? declaration) ? [`${name} ${field}`] : [];
    }),
  );
  expect(wholeFields).toEqual([
    'mobile-money-accounts-male national',
    'mobile-money-accounts-male provinces',
    'securities couponFrequency',
    'securities exDividendDays',
    'securities settlementDays',
  ]);
});

test('names and paths of datasets are unique', () => {
  const names = catalogue.map(({ name }) => name);
  const paths = catalogue.flatMap((dataset) => dataset.paths);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(paths).size).toBe(paths.length);
});
