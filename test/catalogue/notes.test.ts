import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';

const fieldNames = new Set(catalogue.flatMap(({ fields }) => Object.keys(fields)));
const datasetNames = new Set(catalogue.map(({ name }) => name));

describe.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
  'the notes of %s',
  (_, dataset) => {
    const { notes, fields } = dataset;

    test('are one or two sentences each, without duplicates', () => {
      for (const note of notes) {
        expect(note).toMatch(/^[A-Z].*[^.\s]\.$/);
        expect(note.split(/[.!?](?:\s|$)/).filter(Boolean).length).toBeLessThanOrEqual(2);
        expect(note.length).toBeLessThanOrEqual(200);
      }
      expect(new Set(notes).size).toBe(notes.length);
    });

    test('name only existing fields and datasets', () => {
      const text = notes.join(' ');
      const fieldLike = text.match(/\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+[A-Z][a-zA-Z]*)\b/g) ?? [];
      expect(fieldLike.filter((word) => !fieldNames.has(word))).toEqual([]);
      const datasetLike = [...text.matchAll(/\(([a-z]+(?:-[a-z]+)+)\)/g)].map(([, name]) => name);
      expect(datasetLike.filter((name) => !datasetNames.has(name ?? ''))).toEqual([]);
    });

    test('distinguish two fields whose names differ by a letter', () => {
      for (const name of Object.keys(fields)) {
        if (!(`${name}s` in fields)) continue;
        const both = new RegExp(`\\b${name}\\b.*\\b${name}s\\b|\\b${name}s\\b.*\\b${name}\\b`);
        expect(notes.filter((note) => both.test(note))).toHaveLength(1);
      }
    });
  },
);

test('a series with both transfer fields refers to one if their meanings are reversed', () => {
  const sharing = catalogue.filter(({ fields }) => fields.funds_transfer && fields.funds_transfers);
  const getDescription = ({ fields }: Dataset) => fields.funds_transfer?.description;
  for (const series of sharing) {
    const reversed = sharing.filter((other) => getDescription(other) !== getDescription(series));
    const text = series.notes.join(' ');
    expect(reversed.filter(({ name }) => text.includes(`(${name})`))).not.toEqual([]);
  }
  expect(sharing.length).toBeGreaterThan(1);
});
