import type { DatasetEntry } from '../api/types.ts';
import type { Palette } from '../breakdown/palette.ts';
import { useCorrections } from '../corrections/use-corrections.ts';
import type { UnitInfo } from '../formatting/numbers.ts';
import { buildAllocation, type TimeSpan } from './allocation.ts';
import type { FundRecord } from './fund-record.ts';

/** How funds are shown: two that are compared share it. */
export interface FundViewOptions {
  readonly entry: DatasetEntry;
  readonly shortenId: (id: string) => string;
  readonly unitInfo: UnitInfo;
  readonly palette: Palette;
  /** The span of the chart where two funds are compared. */
  readonly span: TimeSpan | undefined;
}

export interface FundPanelProps {
  readonly title: string;
  readonly fund: ReturnType<typeof useFundData>;
}

/** A fund with everything that its panels show. */
export function useFundData(record: FundRecord, options: FundViewOptions) {
  const { entry, palette, unitInfo, span } = options;
  const correctionsQuery = useCorrections(entry, { fund_id: record.fund_id });
  const allocation = buildAllocation(record, { palette, unitInfo, span });
  return { ...options, record, allocation, correctionsQuery };
}
