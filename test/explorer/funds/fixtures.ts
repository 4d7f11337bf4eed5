import type { FundAllocationRecord } from '../../../src/explorer/funds/fund-record.ts';

/** A fund with these classes, and periods that end on these days, newest first. */
export function fund(
  dates: readonly string[],
  rows: Readonly<Record<string, readonly number[]>>,
): FundAllocationRecord {
  return {
    fund_id: 'f',
    created: '2024-01-01T00:00:00Z',
    modified: '2024-01-01T00:00:00Z',
    frequency: 'monthly',
    periods: dates.map((date) => ({ label: `to ${date}`, date })),
    rows: Object.entries(rows).map(([label, values]) => ({ label, values })),
  };
}
