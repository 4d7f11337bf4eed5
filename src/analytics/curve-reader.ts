import {
  fitMarketCurve,
  getCurvePoint,
  type MarketCurve,
  type Tenor,
} from '../bonds/curve/index.ts';
import { getSettlementDay } from '../bonds/index.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Market } from '../catalogue/operations/curve.ts';
import { AbandonedError } from '../shared/abandoned-error.ts';
import { parseDay } from '../shared/calendar.ts';
import { createBoundedMap } from '../shared/memoize.ts';
import type { StoreReader } from '../store/open-store.ts';
import { findUsualDays, type QuoteSource, selectMarket } from './quote-source.ts';
import { roundFigure } from './round-figure.ts';

/** The curves of a market; the newest one without dates. */
export interface CurveSelection {
  readonly market: Market;
  readonly dates: readonly string[] | undefined;
  readonly tenors: readonly Tenor[];
  readonly asOf: number | undefined;
}

/** Records of figures as JSON, and the revision that they are of. */
export interface Figures {
  readonly revision: number;
  readonly texts: readonly string[];
}

const MAX_CACHED_CURVES = 1_000;

/** Fits the curve of a market and day once for each revision of quotes or terms. */
export class CurveReader {
  readonly #curves = createBoundedMap<string, MarketCurve>(MAX_CACHED_CURVES);

  constructor(
    private readonly reader: Pick<StoreReader, 'revision'>,
    private readonly source: QuoteSource,
  ) {}

  /** The records of the curves, newest first. Throws an AbandonedError after an abort. */
  async read(
    dataset: Dataset,
    { market, dates, tenors, asOf }: CurveSelection,
    signal: AbortSignal,
  ): Promise<Figures> {
    const revision = asOf ?? (await this.reader.revision());
    const requestedDates = dates ?? [await this.source.findNewestDate(dataset, market, revision)];
    const newestFirst = requestedDates
      .filter((date) => date !== undefined)
      .toSorted()
      .toReversed();
    const texts: string[] = [];
    for (const date of newestFirst) {
      if (signal.aborted) throw new AbandonedError();
      const curve = await this.fitCurve(dataset, market, date, revision);
      texts.push(JSON.stringify(toCurveRecord(date, market, curve, tenors)));
    }
    return { revision, texts };
  }

  /** The curve of a day, as of a revision. */
  async fitCurve(
    dataset: Dataset,
    market: Market,
    date: string,
    revision: number,
  ): Promise<MarketCurve> {
    const key = `${await this.source.findSourceRevision(dataset, revision)} ${market} ${date}`;
    const cached = this.#curves.get(key);
    if (cached) return cached;
    const allQuotes = await this.source.readQuotes(dataset, [date, date], revision);
    const quotes = selectMarket(allQuotes, market);
    const settlement = getSettlementDay(parseDay(date), findUsualDays(quotes));
    const findTerms = await this.source.readTerms(dataset, quotes, revision);
    const curve = fitMarketCurve(quotes, findTerms, settlement);
    this.#curves.set(key, curve);
    return curve;
  }
}

const RATE_DECIMALS = 6;
const FACTOR_DECIMALS = 9;

function toCurveRecord(
  date: string,
  market: Market,
  curve: MarketCurve,
  tenors: readonly Tenor[],
): object {
  const points = tenors.map((tenor) => toPointRecord(curve, tenor));
  const { method, rmse, leftOut, usedSymbols, reason } = curve;
  return {
    date,
    market,
    method,
    parameters: formatParameters(curve),
    rmse: roundFigure(rmse, 4),
    used: usedSymbols.length,
    leftOut,
    points,
    usedSymbols,
    reason,
  };
}

/** The figures of a curve at a time to maturity, rounded as they are sent. */
export function toPointRecord(curve: MarketCurve, tenor: Tenor) {
  const round = (value: number | null) => roundFigure(value, RATE_DECIMALS);
  const point = getCurvePoint(curve, tenor);
  return {
    tenor: point.tenor,
    years: round(point.years),
    yield: round(point.yield),
    zero: round(point.zero),
    par: round(point.par),
    forward: round(point.forward),
    discountFactor: roundFigure(point.discountFactor, FACTOR_DECIMALS),
  };
}

function formatParameters({ method, parameters }: MarketCurve): object | null {
  if (!parameters) return null;
  const { beta0, beta1, beta2, beta3, tau1, tau2 } = parameters;
  const round = (value: number) => roundFigure(value, FACTOR_DECIMALS);
  const isSvensson = method === 'svensson';
  return {
    beta0: round(beta0),
    beta1: round(beta1),
    beta2: round(beta2),
    beta3: isSvensson ? round(beta3) : null,
    tau1: round(tau1),
    tau2: isSvensson ? round(tau2) : null,
  };
}
