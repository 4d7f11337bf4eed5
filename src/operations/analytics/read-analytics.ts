import type { Figures } from '../../analytics/curve-reader.ts';
import {
  FIGURE_DECIMALS,
  type PricedQuote,
  priceQuotes,
  type QuotesAsOf,
  tryFigures,
} from '../../analytics/price-quotes.ts';
import { getQuoteSource, MARKET_TYPES } from '../../analytics/quote-source.ts';
import {
  CURVE_FIT_VERSION,
  computeCarry,
  computeRollDown,
  computeZSpread,
  getCashFlows,
  getContinuousZero,
  getDiscountCurve,
  getDiscountFactor,
  getQuotedYield,
  type MarketCurve,
} from '../../bonds/curve/index.ts';
import { addMonths, formatDay } from '../../shared/calendar.ts';
import { roundFigure } from '../../shared/decimals.ts';
import { isInSummary, type ReadResult, type StoreReader } from '../../store/open-store.ts';
import type { Market } from '../curve/curve-operation.ts';
import type { AnalyticsRecord } from './analytics-operation.ts';

/** The quotes whose figures are computed; without securities, those of one day. */
type AnalyticsSelection = QuotesAsOf & Holding & { readonly market?: Market | undefined };

/** How long a security is held, in months, and the rate of its financing: that of the curve if absent. */
interface Holding {
  readonly months: number;
  readonly repo?: number | undefined;
}

/** The figures of the quotes of a page as JSON. Throws an AbandonedError after an abort. */
export async function readAnalytics(
  reader: StoreReader,
  { market, months, repo, ...selection }: AnalyticsSelection,
  signal: AbortSignal,
): Promise<Figures & Pick<ReadResult, 'lastKey'>> {
  const selected = await selectMarket(reader, selection, market);
  const { quotes, ...page } = await priceQuotes(reader, selected, signal);
  const texts = quotes.map((quote) => JSON.stringify(computeAnalytics(quote, { months, repo })));
  return { ...page, texts };
}

/** Without securities, the quotes of a market are those of one day: the newest by default. */
async function selectMarket(
  reader: StoreReader,
  selection: QuotesAsOf,
  market: Market | undefined,
): Promise<QuotesAsOf> {
  const { dataset, type, asOf, dateRange } = selection;
  const types = market && MARKET_TYPES[market];
  const withTypes = { ...selection, ...(types && { types }) };
  if (dateRange || !isInSummary(selection)) return withTypes;
  const range = { limit: 1, ...(type !== undefined && { types: [type] }) };
  const [newest = ''] = await getQuoteSource(reader).findDates(dataset, market, range, asOf);
  return { ...withTypes, dateRange: [newest, newest] };
}

/** The figures of a quote at its own price, or at another one, of which the quoted yield says nothing. */
export function computeAnalytics(priced: PricedQuote, holding: Holding): AnalyticsRecord {
  const { quote, curve, settlement, cleanPrice, quotedPrice, figures, floaterFigures } = priced;
  const quotedYtm = cleanPrice === quotedPrice && quote.ytm !== 0 ? quote.ytm : null;
  const computedYtm = (figures ?? floaterFigures)?.ytm ?? null;
  const ytm =
    floaterFigures && priced.prefersQuoted
      ? (quotedYtm ?? computedYtm)
      : (computedYtm ?? quotedYtm);
  const curveYield = getQuotedYield(curve, quote.maturityYears);
  const round = (value: number | null = null) => roundFigure(value, FIGURE_DECIMALS);
  return {
    date: quote.date,
    symbol: quote.symbol,
    settlementDate: formatDay(settlement),
    cleanPrice: round(cleanPrice),
    accrued: round((figures ?? floaterFigures)?.accrued),
    dirtyPrice: round((figures ?? floaterFigures)?.dirtyPrice),
    ytm: round(ytm),
    macaulayDuration: round(figures?.macaulayDuration),
    modifiedDuration: round(
      figures?.modifiedDuration ??
        (quotedYtm === null || quote.duration === 0 ? null : quote.duration),
    ),
    convexity: round(figures?.convexity),
    dv01: round(figures?.dv01),
    spread: round(ytm === null || curveYield === undefined ? null : (ytm - curveYield) * 100),
    ...computeHolding(priced, holding, round),
    fit: CURVE_FIT_VERSION,
    discountMargin: round(computeDiscountMargin(priced)),
    ...describeSecurity(priced),
  };
}

/** What identifies the security of a quote. */
export function describeSecurity({ quote, terms, couponRate }: PricedQuote) {
  const { isin, type, maturityDate } = quote;
  return { isin, type, name: terms?.name ?? null, maturityDate, couponRate };
}

function computeDiscountMargin({ curve, floater, floaterFigures }: PricedQuote) {
  if (!floater || !floaterFigures) return null;
  const { frequency } = floater;
  const discount = getDiscountCurve(curve, 1 / frequency);
  if (!discount) return null;
  const rate = frequency * Math.expm1(getContinuousZero(discount, 1 / frequency) / frequency / 100);
  return 100 * floaterFigures.ytm - 10_000 * rate;
}

/** Carry, roll-down and Z-spread; null if they cannot be known. */
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
