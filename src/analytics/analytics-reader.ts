import { type CurveFit, fitQuotedYields, getContinuousZero } from '../bonds/curve/index.ts';
import {
  type BondFigures,
  choosePriceBasis,
  computeBondFigures,
  getPrice,
  toPricedSecurity,
} from '../bonds/index.ts';
import type { Quote } from '../catalogue/datasets/quotes.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { AnalyticsRecord } from '../catalogue/operations/analytics.ts';
import { AbandonedError } from '../shared/abandoned-error.ts';
import { formatDay, parseDay } from '../shared/calendar.ts';
import { createBoundedMap } from '../shared/memoize.ts';
import { system } from '../shared/system.ts';
import type { QuoteSelection, ReadResult, StoreReader } from '../store/open-store.ts';
import type { Figures } from './curve-reader.ts';
import {
  type FindTerms,
  findUsualDays,
  getQuoteSettlement,
  type QuoteSource,
  selectMarket,
} from './quote-source.ts';
import { roundFigure } from './round-figure.ts';

const MAX_CACHED_DAYS = 5_000;

/**
 * Computes the figures of quotes. The government curve of a day is fitted once for each revision of
 * quotes or terms.
 */
export class AnalyticsReader {
  readonly #markets = createBoundedMap<string, DayMarket>(MAX_CACHED_DAYS);

  constructor(
    private readonly reader: Pick<StoreReader, 'read' | 'revision'>,
    private readonly source: QuoteSource,
  ) {}

  /** The figures of the quotes of a page. Throws an AbandonedError after an abort. */
  async read(
    selection: QuoteSelection,
    signal: AbortSignal,
  ): Promise<Figures & Pick<ReadResult, 'lastPosition'>> {
    const { dataset } = selection;
    const asOf = selection.asOf ?? (await this.reader.revision());
    const { records, ...page } = await this.reader.read({ ...selection, asOf });
    const quotes = JSON.parse(`[${records}]`) as Quote[];
    const dates = new Set(quotes.map(({ date }) => date));
    const markets = await this.#readMarkets(dataset, dates, { revision: asOf, signal });
    const { findTerms } = await this.source.readTerms(dataset, quotes, asOf);
    const texts = quotes.map((quote) =>
      JSON.stringify(computeRecord(quote, findTerms, markets.get(quote.date) as DayMarket)),
    );
    return { ...page, texts };
  }

  /** The markets of all these dates. */
  async #readMarkets(
    dataset: Dataset,
    dates: Iterable<string>,
    { revision, signal }: { revision: number; signal: AbortSignal },
  ): Promise<Map<string, DayMarket>> {
    const sourceRevision = await this.source.findSourceRevision(dataset, revision);
    const markets = new Map<string, DayMarket>();
    const missing: string[] = [];
    for (const date of dates) {
      const cached = this.#markets.get(`${sourceRevision} ${date}`);
      if (cached) markets.set(date, cached);
      else missing.push(date);
    }
    for (const batch of batchDates(missing)) {
      const dateRange = [batch[0] as string, batch.at(-1) as string] as const;
      const quotes = await this.source.readQuotes(dataset, dateRange, revision);
      const governmentQuotes = selectMarket(quotes, 'government');
      const { findTerms } = await this.source.readTerms(dataset, governmentQuotes, revision);
      const quotesByDate = Map.groupBy(quotes, ({ date }) => date);
      for (const date of batch) {
        if (signal.aborted) throw new AbandonedError();
        const market = describeMarket(quotesByDate.get(date) ?? [], findTerms);
        markets.set(date, market);
        this.#markets.set(`${sourceRevision} ${date}`, market);
        await system.nextTurn();
      }
    }
    return markets;
  }
}

/** So many days are read at once: a few thousand quotes, where the market is large. */
const MAX_BATCH_DAYS = 10;

/** The dates in ascending order, in batches of those that are near each other. */
function batchDates(dates: readonly string[]): string[][] {
  const batches: string[][] = [];
  let firstDay = -Infinity;
  for (const date of dates.toSorted()) {
    const day = parseDay(date);
    if (day - firstDay < MAX_BATCH_DAYS) batches.at(-1)?.push(date);
    else {
      batches.push([date]);
      firstDay = day;
    }
  }
  return batches;
}

/** The part of a day's quotes that the figures of each of them need: a few numbers. */
interface DayMarket {
  readonly governmentCurve: YieldCurve | undefined;
  readonly usualSettlementDays: number;
}

/** The part of a fit that spreads are computed from. */
type YieldCurve = Pick<CurveFit, 'parameters' | 'shortest' | 'longest'>;

function describeMarket(quotes: readonly Quote[], findTerms: FindTerms): DayMarket {
  const fit = fitQuotedYields(selectMarket(quotes, 'government'), findTerms);
  return {
    governmentCurve: fit && {
      parameters: fit.parameters,
      shortest: fit.shortest,
      longest: fit.longest,
    },
    usualSettlementDays: findUsualDays(quotes),
  };
}

function computeRecord(
  quote: Quote,
  findTerms: FindTerms,
  { governmentCurve, usualSettlementDays }: DayMarket,
): AnalyticsRecord {
  const settlement = getQuoteSettlement(quote, usualSettlementDays);
  const basis = choosePriceBasis(quote);
  const cleanPrice = basis ? getPrice(basis, quote) : null;
  const figures =
    cleanPrice === null ? undefined : tryFigures(quote, findTerms, cleanPrice, settlement);
  const ytm = figures?.ytm ?? (quote.ytm === 0 ? null : quote.ytm);
  const round = (value: number | null = null) => roundFigure(value, FIGURE_DECIMALS);
  return {
    date: quote.date,
    symbol: quote.symbol,
    settlementDate: formatDay(settlement),
    cleanPrice: round(cleanPrice),
    accrued: round(figures?.accrued),
    dirtyPrice: round(figures?.dirtyPrice),
    ytm: round(ytm),
    macaulayDuration: round(figures?.macaulayDuration),
    modifiedDuration: round(
      figures?.modifiedDuration ??
        (quote.ytm === 0 || quote.duration === 0 ? null : quote.duration),
    ),
    convexity: round(figures?.convexity),
    dv01: round(figures?.dv01),
    spread: round(computeSpread(ytm, quote.maturityYears, governmentCurve)),
  };
}

const FIGURE_DECIMALS = 8;

/** Undefined where the terms are not known, or where the price has no yield. */
function tryFigures(
  { symbol, type, maturityDate }: Quote,
  findTerms: FindTerms,
  cleanPrice: number,
  settlement: number,
): BondFigures | undefined {
  const maturity = parseDay(maturityDate);
  const terms = findTerms(symbol);
  if (terms?.isFloating || maturity <= settlement) return undefined;
  const security = toPricedSecurity(type, maturity, terms);
  if (typeof security === 'string') return undefined;
  try {
    return computeBondFigures(security, settlement, cleanPrice);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** In basis points; null where there is no curve at that maturity. */
function computeSpread(
  ytm: number | null,
  years: number,
  curve: YieldCurve | undefined,
): number | null {
  if (ytm === null || !curve || years < curve.shortest || years > curve.longest) return null;
  return (ytm - getContinuousZero(curve.parameters, years)) * 100;
}
