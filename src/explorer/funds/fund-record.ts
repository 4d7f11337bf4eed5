import type { DatasetEntry } from '../api/types.ts';

/** What a fund holds, as the specification answers it: everything newest first. */
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

/** A class of assets; its values belong to the periods, one each. */
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

/** Where every fund is listed. */
export const FUND_LIST_PATH = '/3.0/funds';

/** What is asked for one of them. */
export function createFundRequest({ path }: Pick<DatasetEntry, 'path'>, fund_id: string) {
  return { path, parameters: { fund_id } };
}

/** The period that ended on that day, or the last that had ended by then. */
export function findPeriodIndex(periods: readonly FundPeriod[], day: string): number | undefined {
  const index = periods.findIndex(({ date }) => date <= day);
  return index < 0 ? undefined : index;
}

/** The period that ended in the same month a year before. */
export function findYearEarlierIndex(
  periods: readonly FundPeriod[],
  index: number,
): number | undefined {
  const [year, month] = periods[index]?.date.split('-') ?? [];
  const wanted = `${String(Number(year) - 1).padStart(4, '0')}-${month}`;
  const found = periods.findIndex(({ date }) => date.startsWith(wanted));
  return found < 0 ? undefined : found;
}

/** A fund's share of a class in a period; undefined where the fund has no such class. */
export function getShare(
  { rows }: Pick<FundRecord, 'rows'>,
  label: string,
  period: number | undefined,
): number | undefined {
  if (period === undefined) return undefined;
  return rows.find((row) => row.label === label)?.values[period];
}
