import {
  findSettlementDays,
  findUsualSettlementDays,
  getSettlementDay,
  type SettledQuote,
} from '../bonds/index.ts';
import type { Quote } from '../catalogue/datasets/quotes.ts';
import { parseDay } from '../shared/calendar.ts';

/** The settlement days of most of the quotes of a day. */
export function findUsualDays(quotes: readonly Quote[]): number {
  return findUsualSettlementDays(quotes.map(toSettledQuote));
}

/** The day number on which a quote settles: its own, else that of most quotes of its day. */
export function getQuoteSettlement(quote: Quote, usualDays: number): number {
  const settled = toSettledQuote(quote);
  return getSettlementDay(settled.date, findSettlementDays(settled) ?? usualDays);
}

function toSettledQuote({ date, maturityDate, maturityYears }: Quote): SettledQuote {
  return { date: parseDay(date), maturity: parseDay(maturityDate), maturityYears };
}
