import { describe, expect, test } from 'bun:test';
import {
  generateAgents,
  generateMaleAccounts,
  generateMarketShares,
} from '../../src/sample/payments/branchless-series.ts';
import { createSamplePublications } from '../../src/sample/sample-publications.ts';
import { getCurrentRecords } from './current-records.ts';

const EXPECTED_PERIODS = {
  annual: { last: '2025', minCount: 10 },
  quarterly: { last: 'Q2 2026', minCount: 32 },
  monthly: { last: 'Jun 2026', minCount: 36 },
};

// The sample may lack series that are new in the catalogue.
const datasets = new Set(createSamplePublications().map(({ dataset }) => dataset));
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

test('provinces add up to 95 to 99 % of the national figure', () => {
  const totals = [
    ...generateMaleAccounts().map(({ national, provinces }) => ({ total: national, provinces })),
    ...generateAgents().map(({ total, provinces }) => ({ total, provinces })),
  ];
  for (const { total, provinces } of totals) {
    expect(provinces.map(({ key }) => key)).toEqual(['punjab', 'sindh', 'kpk', 'balochistan']);
    expect(sumValues(provinces) / total).toBeWithin(0.95, 0.99);
  }
});

test('market shares have at most four decimals and end with others', () => {
  for (const { operators } of generateMarketShares()) {
    expect(operators.at(-1)?.key).toBe('others');
    const tenThousandths = operators.map(({ value }) => Math.round(value * 10_000));
    expect(tenThousandths.map((part) => part / 10_000)).toEqual(
      operators.map(({ value }) => value),
    );
    expect(tenThousandths.reduce((sum, part) => sum + part, 0)).toBe(10_000);
  }
});

function sumValues(list: readonly { value: number }[]): number {
  return list.reduce((sum, { value }) => sum + value, 0);
}
