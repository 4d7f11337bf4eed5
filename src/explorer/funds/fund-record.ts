import type { FundAllocationRecord, FundsRecord } from '../../client/generated.ts';
import type { DatasetEntry } from '../api/types.ts';
import type { UnitInfo } from '../formatting/numbers.ts';

export type { FundAllocationRecord };

export type FundPeriod = FundAllocationRecord['periods'][number];
export type ListedFund = FundsRecord;

export const FUND_LIST_REQUEST = { path: '/3.0/funds' } as const;

export function createFundRequest({ path }: Pick<DatasetEntry, 'path'>, fund_id: string) {
  return { path, parameters: { fund_id } };
}

/** The unit of the shares of all funds. */
export function getShareUnit(entry: DatasetEntry): UnitInfo {
  const rows = entry.fields.find(({ name }) => name === 'rows');
  const values = rows?.fields?.find(({ name }) => name === 'values');
  return values ?? { kind: 'numbers', unit: 'percent' };
}

/** The index of the last period that had ended by the day; -1 if there is none. */
export function findPeriodIndex(periods: readonly FundPeriod[], day: string): number {
  return periods.findIndex(({ date }) => date <= day);
}

/** The index of the period that ended in the same month a year earlier; -1 if there is none. */
export function findYearEarlierIndex(periods: readonly FundPeriod[], index: number): number {
  const [year, month] = periods[index]?.date.split('-') ?? [];
  const yearEarlier = `${String(Number(year) - 1).padStart(4, '0')}-${month}`;
  return periods.findIndex(({ date }) => date.startsWith(yearEarlier));
}

/** The share of an asset class in a period; undefined without such a class or period. */
export function getShare(
  { rows }: Pick<FundAllocationRecord, 'rows'>,
  label: string,
  periodIndex: number,
): number | undefined {
  return rows.find((row) => row.label === label)?.values[periodIndex];
}

/** Names funds by reference data, else by their identifier. */
export function createFundNamer(funds: readonly ListedFund[]): (id: string) => string {
  const names = new Map(funds.map(({ fund_id, name }) => [fund_id.toLowerCase(), name]));
  return (id) => names.get(id.toLowerCase()) ?? id;
}
