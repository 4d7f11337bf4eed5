import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';

const fieldNames = new Set(catalogue.flatMap(({ fields }) => Object.keys(fields)));
const datasetNames = new Set(catalogue.map(({ name }) => name));

describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))('%s', (_, dataset) => {
  const { notes, fields } = dataset;

  test('has notes that are a sentence or two each, none of them twice', () => {
    for (const note of notes) {
      expect(note).toMatch(/^[A-Z].*[^.\s]\.$/);
      expect(note.split(/[.!?](?:\s|$)/).filter(Boolean).length).toBeLessThanOrEqual(2);
      expect(note.length).toBeLessThanOrEqual(200);
    }
    expect(new Set(notes).size).toBe(notes.length);
  });

  test('names only fields and datasets that there are', () => {
    const words = notes.join(' ');
    const fieldLike = words.match(/\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+[A-Z][a-zA-Z]*)\b/g) ?? [];
    expect(fieldLike.filter((word) => !fieldNames.has(word))).toEqual([]);
    const inBrackets = [...words.matchAll(/\(([a-z]+(?:-[a-z]+)+)\)/g)].map(([, name]) => name);
    expect(inBrackets.filter((name) => !datasetNames.has(name ?? ''))).toEqual([]);
  });

  test('says which is which where two names differ by a letter', () => {
    for (const name of Object.keys(fields)) {
      if (!(`${name}s` in fields)) continue;
      const both = new RegExp(`\\b${name}\\b.*\\b${name}s\\b|\\b${name}s\\b.*\\b${name}\\b`);
      expect(notes.filter((note) => both.test(note))).toHaveLength(1);
    }
  });
});

test('a series that has both names of a transfer points at one that has them reversed', () => {
  const sharing = catalogue.filter(({ fields }) => fields.funds_transfer && fields.funds_transfers);
  const meaningIn = ({ fields }: Dataset) => fields.funds_transfer?.description;
  for (const series of sharing) {
    const reversed = sharing.filter((other) => meaningIn(other) !== meaningIn(series));
    const words = series.notes.join(' ');
    expect(reversed.filter(({ name }) => words.includes(`(${name})`))).not.toEqual([]);
  }
  expect(sharing.length).toBeGreaterThan(1);
});
