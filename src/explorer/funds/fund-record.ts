import type { DatasetEntry } from '../api/types.ts';

/** The allocation of a fund, as in the response: everything newest first. */
export interface FundRecord {
  readonly fund_id: string;
  readonly created: string;
  readonly modified: string;
  readonly frequency: string;
  readonly periods: readonly FundPeriod[];
  readonly rows: readonly AssetClassRow[];
}

export interface FundPeriod {
  readonly label: string;
  /** The day it ends. */
  readonly date: string;
}

/** An asset class with one value for each period. */
export interface AssetClassRow {
  readonly label: string;
  readonly values: readonly number[];
}

/** A fund in the list of all. */
export interface ListedFund {
  readonly fund_id: string;
  readonly frequency: string;
  readonly firstPeriod: FundPeriod;
  readonly lastPeriod: FundPeriod;
}

export const FUND_LIST_REQUEST = { path: '/3.0/funds' } as const;

export function createFundRequest({ path }: Pick<DatasetEntry, 'path'>, fund_id: string) {
  return { path, parameters: { fund_id } };
}

/** The index of the last period that had ended by the day; -1 where there is none. */
export function findPeriodIndex(periods: readonly FundPeriod[], day: string): number {
  return periods.findIndex(({ date }) => date <= day);
}

/** The index of the period that ended in the same month a year earlier; -1 where there is none. */
export function findYearEarlierIndex(periods: readonly FundPeriod[], index: number): number {
  const [year, month] = periods[index]?.date.split('-') ?? [];
  const yearEarlier = `${String(Number(year) - 1).padStart(4, '0')}-${month}`;
  return periods.findIndex(({ date }) => date.startsWith(yearEarlier));
}

/** The share of an asset class in a period; undefined where the fund has no such class or period. */
export function getShare(
  { rows }: Pick<FundRecord, 'rows'>,
  label: string,
  periodIndex: number,
): number | undefined {
  return rows.find((row) => row.label === label)?.values[periodIndex];
}
