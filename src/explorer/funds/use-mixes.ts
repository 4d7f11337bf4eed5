import type { DatasetEntry } from '../api/types.ts';
import { useQueries } from '../api/use-query.ts';
import type { Palette } from '../breakdown/breakdown-components.ts';
import type { UnitInfo } from '../formatting/numbers.ts';
import { assignClassColors } from './allocation.ts';
import {
  createFundRequest,
  type FundAllocationRecord,
  getShareUnit,
  type ListedFund,
} from './fund-record.ts';

/** Each mix is a request of its own: more funds than these have no picture. */
const MAX_MIXES = 60;

export interface FundMixes {
  readonly records: ReadonlyMap<string, FundAllocationRecord>;
  readonly palette: Palette;
  readonly unitInfo: UnitInfo;
}

/** The records of the first funds, in colours that they share; empty until they are there. */
export function useMixes(entry: DatasetEntry, funds: readonly ListedFund[]): FundMixes {
  const ids = funds
    .filter(({ frequency }) => frequency !== null)
    .slice(0, MAX_MIXES)
    .map(({ fund_id }) => fund_id);
  const { data = [] } = useQueries<FundAllocationRecord>(
    ids.map((id) => createFundRequest(entry, id)),
    { keepPreviousData: true },
  );
  const unitInfo = getShareUnit(entry);
  return {
    records: new Map(data.map((record) => [record.fund_id, record])),
    palette: assignClassColors(data, unitInfo),
    unitInfo,
  };
}
