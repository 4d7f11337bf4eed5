import { describe, expect, test } from 'bun:test';
import { getCurrentRecords, publications } from './current-records.ts';

const EXPECTED_PERIODS = {
  annual: { last: '2025', minCount: 10 },
  quarterly: { last: 'Q2 2026', minCount: 32 },
  monthly: { last: 'Jun 2026', minCount: 36 },
};

// The sample may lack series that are new in the catalogue.
const datasets = new Set(publications.map(({ dataset }) => dataset));
const series = [...datasets].flatMap((dataset) =>
  dataset.period ? [[dataset.name, dataset, dataset.period] as const] : [],
);

describe.each(series)('sample series %s', (_, dataset, { field, kind }) => {
  const records = getCurrentRecords(dataset);

  test('covers every period up to the newest', () => {
    const { last, minCount } = EXPECTED_PERIODS[kind.name];
    const lastOrdinal = kind.toOrdinal(last) ?? Number.NaN;
    const ordinals = records.map((record) => kind.toOrdinal(String(record[field])));
    expect(ordinals.length).toBeGreaterThanOrEqual(minCount);
    expect(ordinals).toEqual(ordinals.map((_, index) => lastOrdinal - ordinals.length + 1 + index));
  });

  test('has no two records with the same figures', () => {
    const figures = records.map((record) => JSON.stringify({ ...record, [field]: '' }));
    expect(new Set(figures).size).toBe(figures.length);
  });
});
