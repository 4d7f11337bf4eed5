import type { AnyRecord } from '../catalogue/model/dataset.ts';
import {
  type FundSummary,
  fundsOperation,
  type SecuritySummary,
  securitiesOperation,
} from '../catalogue/operations/discovery.ts';

/** An entry of a list that a user chooses from. */
export interface Option {
  readonly label: string;
  readonly value: string;
  readonly extraInfo: { readonly description: string; readonly rightOfDescription: string };
}

/** A list of what a parameter may be. */
export interface OptionList {
  readonly path: string;
  readonly parameter: string;
  readonly operation: typeof securitiesOperation | typeof fundsOperation;
  readonly toOption: (record: AnyRecord) => Option;
}

export const OPTION_LISTS: readonly OptionList[] = [
  {
    path: '/openbb/options/securities',
    parameter: 'symbol',
    operation: securitiesOperation,
    toOption(record) {
      const { symbol, name, isin, maturityDate } = record as unknown as SecuritySummary;
      return createOption(symbol, symbol, name ?? isin ?? '', maturityDate ?? '');
    },
  },
  {
    path: '/openbb/options/funds',
    parameter: 'fund_id',
    operation: fundsOperation,
    toOption(record) {
      const { fund_id, name, category, lastPeriod } = record as unknown as FundSummary;
      return createOption(name ?? fund_id, fund_id, category ?? '', lastPeriod?.label ?? '');
    },
  },
];

function createOption(
  label: string,
  value: string,
  description: string,
  rightOfDescription: string,
): Option {
  return { label, value, extraInfo: { description, rightOfDescription } };
}
