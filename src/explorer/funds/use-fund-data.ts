import { useMemo } from 'preact/hooks';
import type { ApiRequest, CorrectionEntry } from '../api/types.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';
import {
  groupByRevision,
  MAX_CORRECTIONS,
  type RevisionCorrections,
} from '../corrections/revision-corrections.ts';
import { buildAllocation, type FundAllocation } from './allocation.ts';
import type { FundViewOptions } from './fund-detail.tsx';
import type { FundRecord } from './fund-record.ts';

/** A fund with all that is shown of it. */
export interface FundData {
  readonly record: FundRecord;
  readonly allocation: FundAllocation;
  readonly amendments: readonly RevisionCorrections[];
  readonly corrections: {
    readonly question: ApiRequest;
    readonly asked: QueryResult<readonly CorrectionEntry[]>;
  };
}

/** Asks for the fund's corrections, and puts its periods in time. */
export function useFundData(record: FundRecord, options: FundViewOptions): FundData {
  const { entry, palette, unitInfo, span } = options;
  const { fund_id } = record;
  const question = {
    path: `/corrections/${entry.name}`,
    parameters: { fund_id, limit: MAX_CORRECTIONS },
  };
  const query = useQuery<readonly CorrectionEntry[]>(question);
  const allocation = useMemo(
    () => buildAllocation(record, palette, unitInfo, span),
    [record, palette, unitInfo, span],
  );
  const corrections = useMemo(() => groupByRevision(entry, query.data ?? []), [entry, query.data]);
  return { record, allocation, amendments: corrections, corrections: { question, asked: query } };
}
