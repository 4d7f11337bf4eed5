import type { CursorPosition, QuoteSelection, ReadResult } from '../reader.ts';
import type { SqlStatement } from './query-steps.ts';
import { getQuoteOrder, type QuoteStatementOptions } from './record-statements.ts';
import { afterPositionCondition, type SqlCondition } from './sql-fragments.ts';

export type QuoteReadOptions = Omit<QuoteStatementOptions, 'lookup'>;

/** The quotes of several securities. */
export interface SecuritiesMatch {
  /** At least one record more than requested, if there are others; separated by newlines. */
  readonly result: ReadResult;
  /** How many there are on all pages, or what selects their keys, perhaps several times. */
  readonly total: number | SqlStatement;
}

/** That a record follows a position. */
export function createPageCondition(
  selection: QuoteSelection & { readonly after: CursorPosition },
): SqlCondition {
  const { date, symbol } = selection.after;
  return afterPositionCondition(getQuoteOrder(selection), [date, symbol]);
}
