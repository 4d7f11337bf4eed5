import {
  findSettlementDays,
  getTradeSettlement,
  type PricingTerms,
  type SettledSecurity,
  TERM_NAMES,
  toPricedSecurity,
} from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { securities } from '../../catalogue/datasets/securities.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { formatDay, isDay, parseDay } from '../../shared/calendar.ts';

/** A figure, or the reason for its absence as text. */
export type FigureOrReason = number | string;

/** The security to compute a quote's yield with, or a text that says what is missing. */
export function resolveSettledSecurity(
  { type }: DraftQuote,
  days: ReturnType<typeof getQuoteDays>,
  terms: PricingTerms | undefined,
): SettledSecurity | string {
  if (typeof days === 'string') return days;
  const { settlement, maturity } = days;
  if (settlement >= maturity)
    return `it settles on ${formatDay(settlement)}, on or after its maturity ${formatDay(maturity)}`;
  const security = toPricedSecurity(type, maturity, terms);
  return typeof security === 'string' ? security : { security, settlement };
}

/**
 * The days of a quote, or a text that says which one is missing. It settles as its terms say, else on the day
 * from which its `maturityYears` count, if they are precise enough, else `settlementDays` after its date.
 */
export function getQuoteDays(quote: DraftQuote, settlementDays?: number, terms?: PricingTerms) {
  const { date, maturityDate, maturityYears } = quote;
  if (!date || !isDay(date)) return 'date is missing';
  if (!maturityDate || !isDay(maturityDate)) return 'maturityDate is missing';
  const trade = { date: parseDay(date), maturity: parseDay(maturityDate) };
  const ownDays =
    maturityYears === undefined ? undefined : findSettlementDays({ ...trade, maturityYears });
  const settlement = getTradeSettlement(trade, terms, ownDays, settlementDays);
  return { settlement, maturity: trade.maturity };
}

/** Applies a computation; passes a reason through and turns a RangeError into one. */
export function mapFigure<Input>(
  input: Input | string,
  compute: (input: Input) => FigureOrReason,
): FigureOrReason {
  if (typeof input === 'string') return input;
  try {
    return compute(input);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** A quote whose fields may still be blank. */
export type DraftQuote = { -readonly [Name in keyof Quote]?: Quote[Name] | undefined };

export function validateTerms(terms: PricingTerms): FieldProblem[] {
  return TERM_NAMES.flatMap((field) => {
    const value = terms[field];
    const { isValid, requirement: rule } = securities.fields[field];
    return value === undefined || isValid(value) ? [] : [{ field, value, rule }];
  });
}
