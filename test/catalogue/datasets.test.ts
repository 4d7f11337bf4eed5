import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';

const seriesFolder = join(import.meta.dirname, '../../src/catalogue/datasets/series');

test('every series is a file of its own name, and every file is in the list', () => {
  const files = readdirSync(seriesFolder).filter((file) => file !== 'index.ts');
  const listed = catalogue.filter(({ shape }) => shape === 'series');
  expect(listed.map(({ name }) => `${name}.ts`).toSorted()).toEqual(files.toSorted());
});

test('names and paths are unique', () => {
  const names = catalogue.map(({ name }) => name);
  const paths = catalogue.flatMap((dataset) => dataset.paths);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(paths).size).toBe(paths.length);
});
