import { describe, expect, test } from 'bun:test';
import {
  generateAgents,
  generateMaleAccounts,
  generateMarketShares,
} from '../../src/sample/payments/branchless-series.ts';
import { createSamplePublications } from '../../src/sample/sample-publications.ts';
import { standing } from './current-records.ts';

const SPANS = {
  annual: { last: '2025', least: 10 },
  quarterly: { last: 'Q2 2026', least: 32 },
  monthly: { last: 'Jun 2026', least: 36 },
};

// A series that is new in the catalogue need not be in the sample.
const sampled = new Set(createSamplePublications().map(({ dataset }) => dataset));
const series = [...sampled].flatMap((dataset) =>
  dataset.period ? [[dataset.name, dataset, dataset.period] as const] : [],
);

describe.each(series)('%s', (_, dataset, { field, kind }) => {
  const records = standing(dataset);

  test('runs to the newest period without a gap', () => {
    const { last, least } = SPANS[kind.name];
    const end = kind.toOrdinal(last) ?? Number.NaN;
    const places = records.map((record) => kind.toOrdinal(String(record[field])));
    expect(places.length).toBeGreaterThanOrEqual(least);
    expect(places).toEqual(places.map((_, index) => end - places.length + 1 + index));
  });

  test('never repeats a record under another label', () => {
    const figures = records.map((record) => JSON.stringify({ ...record, [field]: '' }));
    expect(new Set(figures).size).toBe(figures.length);
  });
});

test('provinces make up almost all of the national figure, never all of it', () => {
  const wholes = [
    ...generateMaleAccounts().map(({ national, provinces }) => ({ whole: national, provinces })),
    ...generateAgents().map(({ total, provinces }) => ({ whole: total, provinces })),
  ];
  for (const { whole, provinces } of wholes) {
    expect(provinces.map(({ key }) => key)).toEqual(['punjab', 'sindh', 'kpk', 'balochistan']);
    expect(sumOf(provinces) / whole).toBeWithin(0.95, 0.99);
  }
});

test('shares have four decimals at most and name the rest others', () => {
  for (const { operators } of generateMarketShares()) {
    expect(operators.at(-1)?.key).toBe('others');
    const tenThousandths = operators.map(({ value }) => Math.round(value * 10_000));
    expect(tenThousandths.map((part) => part / 10_000)).toEqual(
      operators.map(({ value }) => value),
    );
    expect(tenThousandths.reduce((sum, part) => sum + part, 0)).toBe(10_000);
  }
});

function sumOf(list: readonly { value: number }[]): number {
  return list.reduce((sum, { value }) => sum + value, 0);
}
