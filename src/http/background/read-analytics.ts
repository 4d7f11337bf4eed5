import {
  type BondFigures,
  choosePriceBasis,
  computeBondFigures,
  fitQuotedYields,
  getFittedYield,
  getPrice,
  getSettlementDay,
  toPricedSecurity,
  type YieldFit,
} from '../../bonds/index.ts';
import { formatDay, parseDay } from '../../calendar.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { AnalyticsRecord } from '../../catalogue/operations/analytics.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { createBoundedMap } from '../../memoize.ts';
import type { QuoteSelection, StoreReader } from '../../store/open-store.ts';
import { AbandonedError } from './job-queue.ts';
import type { FindTerms, QuoteSource } from './quote-source.ts';
import { roundFigure } from './round-figure.ts';

/** They are small: a few numbers. */
const MAX_CACHED_CURVES = 5_000;

/** What a spread is computed from. */
type YieldCurve = Pick<YieldFit, 'parameters' | 'shortest' | 'longest'>;

/** Computes the figures of quotes; the government curve of a day is fitted once for each revision. */
export function createAnalyticsReader(reader: StoreReader, source: QuoteSource) {
  const curves = createBoundedMap<string, YieldCurve | undefined>(MAX_CACHED_CURVES);
  const fitGovernment = async (dataset: Dataset, date: string, revision: number) => {
    const key = `${revision} ${date}`;
    if (curves.has(key)) return curves.get(key);
    const quotes = await source.readQuotes(dataset, date, revision);
    const government = quotes.filter(({ type }) => type !== 'corporate');
    const fit = fitQuotedYields(government, await source.readTerms(revision));
    const curve = fit && toYieldCurve(fit);
    curves.set(key, curve);
    await yieldToEventLoop();
    return curve;
  };
  return async (selection: QuoteSelection, signal: AbortSignal) => {
    const { dataset } = selection;
    const asOf = selection.asOf ?? (await reader.revision());
    const { records, ...page } = await reader.read({ ...selection, asOf });
    const quotes = JSON.parse(`[${records}]`) as Quote[];
    const findTerms = await source.readTerms(asOf);
    const texts: string[] = [];
    for (const quote of quotes) {
      if (signal.aborted) throw new AbandonedError();
      const curve = await fitGovernment(dataset, quote.date, asOf);
      texts.push(JSON.stringify(computeRecord(quote, findTerms, curve)));
    }
    return { ...page, texts };
  };
}

function toYieldCurve({ parameters, shortest, longest }: YieldFit): YieldCurve {
  return { parameters, shortest, longest };
}

function computeRecord(
  quote: Quote,
  findTerms: FindTerms,
  governmentCurve: YieldCurve | undefined,
): AnalyticsRecord {
  const settlement = getSettlementDay(parseDay(quote.date));
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
  return (ytm - getFittedYield(curve, years)) * 100;
}
