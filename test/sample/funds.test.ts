import { describe, expect, test } from 'bun:test';
import { type FundAllocationRecord, generateFunds } from '../../src/sample/generate-funds.ts';

const fundsToMay = generateFunds('2026-05-31');
const fundsToJune = generateFunds('2026-06-30');

describe.each(fundsToJune.map((fund) => [fund.fund_id, fund] as const))(
  'sample fund %s',
  (fundId, fund) => {
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

    test('gets one new period in June and keeps the older ones', () => {
      const before = fundsToMay.find(({ fund_id }) => fund_id === fundId);
      const modified =
        fund.frequency === 'monthly' ? '2026-06-08T09:00:00Z' : '2026-04-08T09:00:00Z';
      expect(before).toEqual({ ...withoutNewestPeriod(fund), modified });
      expect(fund.modified).toBe('2026-07-08T09:00:00Z');
    });
  },
);

function withoutNewestPeriod(fund: FundAllocationRecord): FundAllocationRecord {
  return {
    ...fund,
    periods: fund.periods.slice(1),
    rows: fund.rows.map(({ label, values }) => ({ label, values: values.slice(1) })),
  };
}
