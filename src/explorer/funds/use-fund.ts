import { useMemo } from 'preact/hooks';
import { type Amendment, amendmentsOf, MOST_CORRECTIONS } from '../differences/amendments.ts';
import type { Question } from '../service/api.ts';
import type { Correction } from '../service/catalogue.ts';
import { type Asked, useAnswer } from '../service/use-answer.ts';
import { type Allocation, allocationOf } from './allocation.ts';
import type { FundRecord } from './fund.ts';
import type { Setting } from './mix.tsx';

/** A fund with all that is shown of it. */
export interface ShownFund {
  readonly record: FundRecord;
  readonly allocation: Allocation;
  readonly amendments: readonly Amendment[];
  readonly corrections: {
    readonly question: Question;
    readonly asked: Asked<readonly Correction[]>;
  };
}

/** Asks for the fund's corrections, and puts its periods in time. */
export function useFund(record: FundRecord, setting: Setting): ShownFund {
  const { entry, palette, measure, span } = setting;
  const { fund_id } = record;
  const question = {
    path: `/corrections/${entry.name}`,
    parameters: { fund_id, limit: MOST_CORRECTIONS },
  };
  const asked = useAnswer<readonly Correction[]>(question);
  const allocation = useMemo(
    () => allocationOf(record, palette, measure, span),
    [record, palette, measure, span],
  );
  const amendments = useMemo(() => amendmentsOf(entry, asked.data ?? []), [entry, asked.data]);
  return { record, allocation, amendments, corrections: { question, asked } };
}
