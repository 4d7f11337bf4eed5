import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';

const seriesFolder = join(import.meta.dirname, '../../src/catalogue/datasets/series');

test('every series has a file of its name, and every file is in the catalogue', () => {
  const files = readdirSync(seriesFolder).filter((file) => file !== 'index.ts');
  const series = catalogue.filter(({ shape }) => shape === 'series');
  expect(series.map(({ name }) => `${name}.ts`).toSorted()).toEqual(files.toSorted());
});

test('names and paths of datasets are unique', () => {
  const names = catalogue.map(({ name }) => name);
  const paths = catalogue.flatMap((dataset) => dataset.paths);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(paths).size).toBe(paths.length);
});
