import { describe, expect, test } from 'bun:test';
import { type FundAllocationRecord, generateFunds } from '../../src/sample/funds/generate-funds.ts';

const toMay = generateFunds('2026-05-31');
const toJune = generateFunds('2026-06-30');

test('there are a dozen funds, most of them monthly', () => {
  expect(new Set(toJune.map(({ fund_id }) => fund_id)).size).toBe(12);
  const monthly = toJune.filter(({ frequency }) => frequency === 'monthly');
  expect(monthly.length).toBeWithin(7, 12);
});

describe.each(toJune.map((fund) => [fund.fund_id, fund] as const))('fund %s', (fundId, fund) => {
  test('has an identifier of the shape of a UUID', () => {
    expect(fundId).toMatch(/^5a3b0f1e-0000-4000-8000-0000000000\d\d$/);
  });

  test('adds up to exactly 100.0 in every period', () => {
    const tenths = (value: number) => Math.round(value * 10);
    const sums = fund.periods.map((_, period) =>
      fund.rows.reduce((sum, { values }) => sum + tenths(values[period] ?? Number.NaN), 0),
    );
    expect(sums).toEqual(fund.periods.map(() => 1000));
    const values = fund.rows.flatMap((row) => row.values);
    expect(values.filter((value) => value < 0 || tenths(value) / 10 !== value)).toEqual([]);
  });

  test('has 12 to 36 periods, newest first, labelled by month or quarter', () => {
    const dates = fund.periods.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(dates.length).toBeWithin(12, 37);
    expect(fund.periods[0]).toEqual({
      label: fund.frequency === 'monthly' ? 'Jun 2026' : 'Q2 2026',
      date: '2026-06-30',
    });
  });

  test('has 4 to 7 classes, cash and others among them', () => {
    const labels = fund.rows.map(({ label }) => label);
    expect(labels.length).toBeWithin(4, 8);
    expect(labels).toContain('Cash');
    expect(labels).toContain('Others including receivables');
  });

  test('gets one new period in June, and keeps the older ones', () => {
    const before = toMay.find(({ fund_id }) => fund_id === fundId);
    expect(before).toEqual({ ...withoutNewest(fund), modified: before?.modified ?? '' });
    expect(before?.modified).toBe(before?.frequency === 'monthly' ? MAY_REPORT : MARCH_REPORT);
    expect(fund.modified).toBe('2026-07-08T09:00:00Z');
  });
});

const MAY_REPORT = '2026-06-08T09:00:00Z';
const MARCH_REPORT = '2026-04-08T09:00:00Z';

function withoutNewest(fund: FundAllocationRecord): FundAllocationRecord {
  return {
    ...fund,
    periods: fund.periods.slice(1),
    rows: fund.rows.map(({ label, values }) => ({ label, values: values.slice(1) })),
  };
}
