import {
  CURVE_FIT_VERSION,
  computeCarry,
  computeRollDown,
  computeZSpread,
  getCashFlows,
  getDiscountCurve,
  getDiscountFactor,
  getQuotedYield,
  type MarketCurve,
} from '../bonds/curve/index.ts';
import {
  choosePriceBasis,
  computeBondFigures,
  getPrice,
  getYearsToMaturity,
  toPricedSecurity,
} from '../bonds/index.ts';
import type { Quote } from '../catalogue/datasets/quotes.ts';
import type { AnalyticsRecord } from '../operations/analytics/analytics-operation.ts';
import type { CashFlowRecord } from '../operations/cashflows/cash-flows-operation.ts';
import type { Market } from '../operations/curve/curve-operation.ts';
import { addMonths, formatDay, parseDay } from '../shared/calendar.ts';
import {
  isInSummary,
  type QuoteSelection,
  type ReadResult,
  type StoreReader,
} from '../store/open-store.ts';
import type { CurveReader, Figures } from './curve-reader.ts';
import type { KeptFit } from './fit-cache.ts';
import {
  type FindTerms,
  getQuoteSettlement,
  MARKET_TYPES,
  type QuoteSource,
} from './quote-source.ts';
import { roundFigure } from './round-figure.ts';

/** The quotes whose figures are computed; without securities, those of one day. */
export interface AnalyticsSelection extends QuoteSelection, Holding {
  readonly market?: Market | undefined;
}

/** How long a security is held, in months, and the rate of its financing: that of the curve if absent. */
export interface Holding {
  readonly months: number;
  readonly repo?: number | undefined;
}

/** Computes the figures of quotes, with the government curve of their days. */
export class AnalyticsReader {
  constructor(
    private readonly reader: Pick<StoreReader, 'read' | 'revision'>,
    private readonly source: QuoteSource,
    private readonly curves: CurveReader,
  ) {}

  /** The figures of the quotes of a page. Throws an AbandonedError after an abort. */
  async read(
    { market, months, repo, ...selection }: AnalyticsSelection,
    signal: AbortSignal,
  ): Promise<Figures & Pick<ReadResult, 'lastPosition'>> {
    const asOf = selection.asOf ?? (await this.reader.revision());
    const selected = await this.#selectMarket({ ...selection, asOf }, market);
    const { quotes, page, ...context } = await this.#readQuotes({ ...selected, asOf }, signal);
    const texts = quotes.map((quote) =>
      JSON.stringify(computeRecord(toPricedQuote(quote, context), { months, repo })),
    );
    return { ...page, texts };
  }

  /** The payments of a security after the settlement of its newest selected quote. */
  async readCashFlows(selection: QuoteSelection, signal: AbortSignal): Promise<Figures> {
    const asOf = selection.asOf ?? (await this.reader.revision());
    const { quotes, page, ...context } = await this.#readQuotes({ ...selection, asOf }, signal);
    const records = quotes.flatMap((quote) => listCashFlows(toPricedQuote(quote, context)));
    return { ...page, texts: records.map((record) => JSON.stringify(record)) };
  }

  /** Without securities, the quotes of a market are those of one day: the newest by default. */
  async #selectMarket(
    selection: QuoteSelection & { readonly asOf: number },
    market: Market | undefined,
  ): Promise<QuoteSelection> {
    const { dataset, type, asOf, dateRange } = selection;
    const types = market && MARKET_TYPES[market];
    const withTypes = { ...selection, ...(types && { types }) };
    if (dateRange || !isInSummary(selection)) return withTypes;
    const range = { limit: 1, ...(type !== undefined && { types: [type] }) };
    const [newest = ''] = await this.source.findDates(dataset, market, range, asOf);
    return { ...withTypes, dateRange: [newest, newest] };
  }

  async #readQuotes(selection: QuoteSelection & { readonly asOf: number }, signal: AbortSignal) {
    const { dataset, asOf: revision } = selection;
    const { records, ...page } = await this.reader.read(selection);
    const quotes = JSON.parse(`[${records}]`) as Quote[];
    const dates = [...new Set(quotes.map(({ date }) => date))];
    const fits = new Map<string, KeptFit>();
    const options = { market: 'government', dates, revision, signal } as const;
    for await (const [date, fit] of this.curves.fitDays(dataset, options)) fits.set(date, fit);
    const { findTerms } = await this.source.readTerms(dataset, quotes, revision);
    return { quotes, page, fits, findTerms };
  }
}

/** What the figures of quotes are computed with. */
interface MarketContext {
  readonly fits: ReadonlyMap<string, KeptFit>;
  readonly findTerms: FindTerms;
}

/** A quote with its settlement, its price, and what follows from its terms where they are known. */
function toPricedQuote(quote: Quote, { fits, findTerms }: MarketContext) {
  const { curve, usualDays } = fits.get(quote.date) as KeptFit;
  const terms = findTerms(quote.symbol);
  const settlement = getQuoteSettlement(quote, usualDays, terms);
  const basis = choosePriceBasis(quote);
  const cleanPrice = basis ? getPrice(basis, quote) : null;
  const maturity = parseDay(quote.maturityDate);
  const priced = maturity > settlement ? toPricedSecurity(quote.type, maturity, terms) : '';
  const security = terms?.isFloating || typeof priced === 'string' ? undefined : priced;
  const figures =
    security && cleanPrice !== null
      ? tryFigures(() => computeBondFigures(security, settlement, cleanPrice))
      : undefined;
  return { quote, curve, settlement, cleanPrice, security, figures };
}

type PricedQuote = ReturnType<typeof toPricedQuote>;

function computeRecord(priced: PricedQuote, holding: Holding): AnalyticsRecord {
  const { quote, curve, settlement, cleanPrice, figures } = priced;
  const ytm = figures?.ytm ?? (quote.ytm === 0 ? null : quote.ytm);
  const curveYield = getQuotedYield(curve, quote.maturityYears);
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
    spread: round(ytm === null || curveYield === undefined ? null : (ytm - curveYield) * 100),
    ...computeHolding(priced, holding, round),
    fit: CURVE_FIT_VERSION,
  };
}

/** Carry, roll-down and Z-spread; null where they cannot be known. */
function computeHolding(
  { quote, curve, settlement, security, figures }: PricedQuote,
  { months, repo }: Holding,
  round: (value?: number | null) => number | null,
): Pick<AnalyticsRecord, 'carry' | 'rollDown' | 'zSpread'> {
  if (!security || !figures) return { carry: null, rollDown: null, zSpread: null };
  const { ytm, dirtyPrice } = figures;
  const flows = getCashFlows(security, settlement);
  const discount = getDiscountCurve(curve, flows.years.at(-1) ?? 0);
  const zSpread = discount && computeZSpread(flows, dirtyPrice, discount);
  const horizon = addMonths(settlement, months);
  const grow = createGrowth(curve, settlement, horizon, repo);
  const years = (horizon - settlement) / DAYS_PER_YEAR;
  const [now, then] = [0, years].map((held) => getQuotedYield(curve, quote.maturityYears - held));
  const held = { security, settlement, dirtyPrice, ytm, horizon };
  const isHeld = horizon < security.maturity;
  return {
    carry: round(isHeld && grow ? tryFigures(() => computeCarry(held, grow)) : null),
    rollDown: round(
      isHeld && now !== undefined && then !== undefined
        ? tryFigures(() => computeRollDown(held, ytm + then - now))
        : null,
    ),
    zSpread: round(zSpread === undefined ? null : zSpread * 100),
  };
}

const DAYS_PER_YEAR = 365;

/** The growth of what is borrowed: simple at a rate, else by the discount function of the curve. */
function createGrowth(curve: MarketCurve, settlement: number, horizon: number, repo?: number) {
  if (repo !== undefined)
    return (from: number, to: number) => 1 + ((repo / 100) * (to - from)) / DAYS_PER_YEAR;
  const discount = getDiscountCurve(curve, (horizon - settlement) / DAYS_PER_YEAR);
  const getFactor = (day: number) =>
    discount && getDiscountFactor(discount, Math.max(0, day - settlement) / DAYS_PER_YEAR);
  return (
    discount && ((from: number, to: number) => Number(getFactor(from)) / Number(getFactor(to)))
  );
}

/** Where the terms are not known, all but the principal is null. */
function listCashFlows({ quote, curve, settlement, security }: PricedQuote): CashFlowRecord[] {
  const maturity = parseDay(quote.maturityDate);
  if (maturity <= settlement) return [];
  const unknown = {
    days: [maturity],
    years: [getYearsToMaturity(settlement, maturity)],
    amounts: [],
  };
  const { days, years, amounts } = security ? getCashFlows(security, settlement) : unknown;
  return days.map((day, index) => {
    const time = years[index] ?? 0;
    const amount = amounts[index] ?? null;
    const principal = day === maturity ? 100 : 0;
    const discount = getDiscountCurve(curve, time);
    const factor = discount ? getDiscountFactor(discount, time) : null;
    return {
      date: formatDay(day),
      coupon: amount === null ? null : roundFigure(amount - principal, FIGURE_DECIMALS),
      principal,
      amount: roundFigure(amount, FIGURE_DECIMALS),
      years: roundFigure(time, FIGURE_DECIMALS) ?? 0,
      discountFactor: roundFigure(factor, FIGURE_DECIMALS + 1),
      presentValue:
        amount === null || factor === null ? null : roundFigure(amount * factor, FIGURE_DECIMALS),
    };
  });
}

const FIGURE_DECIMALS = 8;

/** Undefined where a price has no such figures. */
function tryFigures<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
