import type { CurveTerms } from '../bonds/curve/index.ts';
import {
  type DatedRate,
  type FindHolidays,
  findSettlementDays,
  findUsualSettlementDays,
  getSettlementDay,
  getTradeSettlement,
  hasPricing,
  indexHolidays,
  indexTermsByIsin,
  isValidIsin,
  type SettledQuote,
  toPricingTerms,
} from '../bonds/index.ts';
import type { CouponRate } from '../catalogue/datasets/coupon-rates.ts';
import type { Quote } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Market } from '../operations/curve/curve-operation.ts';
import { foldAsciiCase } from '../schema/storage-table.ts';
import type { Awaitable } from '../shared/awaitable.ts';
import { formatDay, parseDay } from '../shared/calendar.ts';
import { memoizeAsync, memoizeByIdentity } from '../shared/memoize.ts';
import type {
  PeriodRange,
  QuoteSelection,
  SecurityTermsEntry,
  StoreReader,
} from '../store/open-store.ts';

/** The terms of the securities of quotes, by symbol in any letter case. */
export type FindTerms = (symbol: string) => CurveTerms | undefined;

/** First and last day, inclusive. */
export type DateRange = readonly [from: string, to: string];

export const MARKET_TYPES: Readonly<Record<Market, readonly string[]>> = {
  government: ['tbill', 'bond'],
  corporate: ['corporate'],
};

const PAGE_LIMIT = 10_000;
const MAX_CACHED_TERMS = 4;

/** Reads the quotes and terms that curves and the figures of bonds are computed from. */
export class QuoteSource {
  readonly #readTerms: (revision: number) => Awaitable<SymbolTerms>;
  readonly #readTermsByIsin: (dataset: Dataset, revision: number) => Awaitable<TermsByKey>;

  constructor(private readonly reader: StoreReader) {
    this.#readTerms = memoizeAsync(MAX_CACHED_TERMS, String, async (revision) => {
      const { entries, holidays: days, couponRates } = await reader.securityTerms(revision);
      const find = { findHolidays: indexHolidays(days), findRates: indexCouponRates(couponRates) };
      const terms = entries.map((entry) => [entry.symbol, toCurveTerms(entry, find)] as const);
      return { bySymbol: new Map(terms), find };
    });
    this.#readTermsByIsin = memoizeAsync(
      MAX_CACHED_TERMS,
      (_, revision) => String(revision),
      async (dataset, revision) => {
        const { entries } = await reader.securities(dataset, revision);
        const { find } = await this.#readTerms(revision);
        return indexTermsByIsin(
          entries.map((entry) => ({ ...entry, terms: toCurveTerms(entry, find) })),
        );
      },
    );
  }

  /** The terms of quotes: those of their symbols, else those of their ISINs. */
  async readTerms(
    dataset: Dataset,
    quotes: readonly Quote[],
    revision: number,
  ): Promise<{ readonly findTerms: FindTerms; readonly isins: readonly string[] }> {
    const { bySymbol } = await this.#readTerms(revision);
    const byIsin = new Map<string, CurveTerms>();
    const isins: string[] = [];
    // A T-bill needs no terms; the list by ISIN is read only for what lacks them.
    for (const { symbol, isin } of quotes.filter(({ type }) => type !== 'tbill')) {
      const key = foldAsciiCase(symbol);
      const isinKey = foldAsciiCase(isin);
      const ownTerms = bySymbol.get(key);
      if (bySymbol.size === 0 || hasPricing(ownTerms) || !isValidIsin(isinKey)) continue;
      isins.push(isinKey);
      const terms = (await this.#readTermsByIsin(dataset, revision)).get(isinKey);
      if (terms) byIsin.set(key, { ...terms, ...ownTerms });
    }
    const findTerms: FindTerms = (symbol) => {
      const key = foldAsciiCase(symbol);
      return byIsin.get(key) ?? bySymbol.get(key);
    };
    return { findTerms, isins };
  }

  /** The terms that securities with ISINs have as of a revision, whatever their symbols; as text. */
  async describeTermsByIsin(
    dataset: Dataset,
    isins: readonly string[],
    revision: number,
  ): Promise<string> {
    if (isins.length === 0) return '';
    const byIsin = await this.#readTermsByIsin(dataset, revision);
    return JSON.stringify(isins.map((isin) => byIsin.get(isin) ?? null));
  }

  /** The days with quotes of a market, or of any, newest first. */
  async findDates(
    dataset: Dataset,
    market: Market | undefined,
    range: PeriodRange,
    asOf: number,
  ): Promise<readonly string[]> {
    const { types: selected } = range;
    const ofMarket = market && MARKET_TYPES[market];
    const types =
      selected && ofMarket
        ? selected.filter((type) => ofMarket.includes(type))
        : (selected ?? ofMarket);
    const days = await this.reader.periods(dataset, { ...range, ...(types && { types }) }, asOf);
    return days.map(formatDay);
  }

  async readQuotes(dataset: Dataset, dateRange: DateRange, asOf: number): Promise<Quote[]> {
    const quotes: Quote[] = [];
    let after: QuoteSelection['after'];
    do {
      const selection = { kind: 'quotes', dataset, dateRange, limit: PAGE_LIMIT, asOf } as const;
      const page = await this.reader.read({ ...selection, ...(after && { after }) });
      for (const quote of JSON.parse(`[${page.records}]`) as Quote[]) quotes.push(quote);
      after = page.lastKey;
    } while (after);
    return quotes;
  }
}

/** The one of a store reader, which keeps terms. */
export const getQuoteSource = memoizeByIdentity((reader: StoreReader) => new QuoteSource(reader));

type TermsByKey = ReadonlyMap<string, CurveTerms>;

interface SymbolTerms {
  readonly bySymbol: TermsByKey;
  readonly find: TermsSources;
}

/** What terms of securities name. */
interface TermsSources {
  readonly findHolidays: FindHolidays;
  readonly findRates: (entry: Pick<SecurityTermsEntry, 'symbol' | 'isin'>) => readonly DatedRate[];
}

/** The rates of floaters by symbol, else by ISIN, in any letter case. */
function indexCouponRates(records: readonly CouponRate[]): TermsSources['findRates'] {
  const groups = Map.groupBy(records, ({ symbol }) => foldAsciiCase(symbol));
  return ({ symbol, isin }) => {
    const group = groups.get(foldAsciiCase(symbol)) ?? groups.get(foldAsciiCase(isin ?? '')) ?? [];
    return group
      .map(({ from, rate }) => ({ from: parseDay(from), rate }))
      .sort((a, b) => a.from - b.from);
  };
}

export function selectMarket(quotes: readonly Quote[], market: Market): Quote[] {
  return quotes.filter(({ type }) => MARKET_TYPES[market].includes(type));
}

function toCurveTerms(entry: SecurityTermsEntry, sources: TermsSources): CurveTerms {
  const { name, floating } = entry;
  const terms = { ...toPricingTerms(entry, sources.findHolidays), name };
  if (floating !== true) return { ...terms, isFloating: false };
  return { ...terms, isFloating: true, couponRates: sources.findRates(entry) };
}

/** The settlement days of most of the quotes of a day, of what was issued by then. */
export function findUsualDays(quotes: readonly Quote[], findTerms: FindTerms): number {
  const issued = quotes.filter(
    ({ symbol, date }) => date >= (findTerms(symbol)?.issueDate ?? date),
  );
  return findUsualSettlementDays(issued.map(toSettledQuote));
}

/** The day number on which a quote settles: by terms, else its own, else that of most quotes of its day. */
export function getQuoteSettlement(quote: Quote, usualDays: number, terms?: CurveTerms): number {
  const settled = toSettledQuote(quote);
  return getTradeSettlement(settled, terms, findSettlementDays(settled) ?? usualDays);
}

/** The day number on which most quotes of a day settle: by their terms, else as is usual. */
export function findMarketSettlement(quotes: readonly Quote[], findTerms: FindTerms, date: string) {
  const usualDays = findUsualDays(quotes, findTerms);
  const byDay = Map.groupBy(quotes, (quote) =>
    getTradeSettlement(toSettledQuote(quote), findTerms(quote.symbol), usualDays),
  );
  const sorted = [...byDay].sort(([a, own], [b, other]) => other.length - own.length || a - b);
  return sorted[0]?.[0] ?? getSettlementDay(parseDay(date), usualDays);
}

function toSettledQuote({ date, maturityDate, maturityYears }: Quote): SettledQuote {
  return { date: parseDay(date), maturity: parseDay(maturityDate), maturityYears };
}
