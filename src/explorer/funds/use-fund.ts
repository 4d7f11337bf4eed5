import { useMemo } from 'preact/hooks';
import {
  groupByRevision,
  MAX_CORRECTIONS,
  type RevisionCorrections,
} from '../differences/amendments.ts';
import type { ApiRequest } from '../service/api.ts';
import type { CorrectionEntry } from '../service/catalogue.ts';
import { type QueryResult, useQuery } from '../service/use-answer.ts';
import { buildAllocation, type FundAllocation } from './allocation.ts';
import type { FundRecord } from './fund.ts';
import type { FundViewOptions } from './mix.tsx';

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
export function useFundData(record: FundRecord, setting: FundViewOptions): FundData {
  const { entry, palette, measure, span } = setting;
  const { fund_id } = record;
  const question = {
    path: `/corrections/${entry.name}`,
    parameters: { fund_id, limit: MAX_CORRECTIONS },
  };
  const asked = useQuery<readonly CorrectionEntry[]>(question);
  const allocation = useMemo(
    () => buildAllocation(record, palette, measure, span),
    [record, palette, measure, span],
  );
  const amendments = useMemo(() => groupByRevision(entry, asked.data ?? []), [entry, asked.data]);
  return { record, allocation, amendments, corrections: { question, asked } };
}
