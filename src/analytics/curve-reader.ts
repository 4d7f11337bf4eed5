import { createHash } from 'node:crypto';
import {
  CURVE_FIT_VERSION,
  fitMarketCurve,
  getCurvePoint,
  type MarketCurve,
  type Tenor,
} from '../bonds/curve/index.ts';
import { holidays } from '../catalogue/datasets/holidays.ts';
import type { Quote } from '../catalogue/datasets/quotes.ts';
import { securities } from '../catalogue/datasets/securities.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { createPeriodKind } from '../catalogue/model/period.ts';
import type { PeriodUnit } from '../catalogue/model/period-unit.ts';
import type { CurveRate, Market } from '../operations/curve/curve-operation.ts';
import { AbandonedError } from '../shared/abandoned-error.ts';
import type { Awaitable } from '../shared/awaitable.ts';
import { parseDay } from '../shared/calendar.ts';
import { roundFigure } from '../shared/decimals.ts';
import { memoizeAsync, memoizeByIdentity } from '../shared/memoize.ts';
import { OverloadedError } from '../shared/overloaded-error.ts';
import { system } from '../shared/system.ts';
import type { DayVersion, PeriodRange, StoreReader } from '../store/open-store.ts';
import { FitCache, type KeptFit } from './fit-cache.ts';
import {
  type FindTerms,
  findMarketSettlement,
  findUsualDays,
  getQuoteSource,
  type QuoteSource,
  selectMarket,
} from './quote-source.ts';

/** The curves of a market: of dates, or of a range of them; the newest one without either. */
export interface CurveSelection {
  readonly market: Market;
  readonly dates: readonly string[] | undefined;
  readonly history?: CurveHistory | undefined;
  readonly tenors: readonly Tenor[];
  /** With it, a record is a date with that rate at each tenor. */
  readonly wideRate?: CurveRate | undefined;
  readonly asOf: number;
}

/** The last day with quotes of each period in a range of days. */
export interface CurveHistory extends Pick<PeriodRange, 'from' | 'to'> {
  readonly every: PeriodUnit;
  readonly limit: number;
}

/** Records of figures as JSON, and the revision that they are of. */
export interface Figures {
  readonly revision: number;
  readonly texts: readonly string[];
}

/** Fits the curve of a market and day once for each change of its quotes or of terms. */
class CurveReader {
  readonly #source: QuoteSource;
  readonly #fits: FitCache;
  readonly #versions: DayVersions;
  /** When requests began to wait for fits. */
  readonly #startedMs = new WeakMap<AbortSignal, number>();

  constructor(reader: StoreReader) {
    this.#source = getQuoteSource(reader);
    this.#fits = new FitCache(reader.source?.());
    this.#versions = new DayVersions(reader);
  }

  /** The records of the curves, newest first. Throws an AbandonedError after an abort. */
  async read(dataset: Dataset, selection: CurveSelection, signal: AbortSignal): Promise<CurvePage> {
    const { market, tenors, wideRate, asOf: revision } = selection;
    const { dates, nextPosition } = await this.#chooseDates(dataset, selection, revision);
    const texts: string[] = [];
    const fits = this.fitDays(dataset, { market, dates, revision, signal });
    for await (const [date, { curve }] of fits) {
      const points = tenors.map((tenor) => toPointRecord(curve, tenor));
      const record = wideRate
        ? { date, ...Object.fromEntries(points.map((point) => [point.tenor, point[wideRate]])) }
        : toCurveRecord(date, market, curve, points);
      texts.push(JSON.stringify(record));
    }
    return { revision, texts, ...(nextPosition && { nextPosition }) };
  }

  /** The dates of a selection, newest first, and where the next page begins. */
  async #chooseDates(
    dataset: Dataset,
    { market, dates, history }: CurveSelection,
    revision: number,
  ): Promise<{ dates: readonly string[]; nextPosition?: readonly [day: number] }> {
    if (dates) return { dates: dates.toSorted().toReversed() };
    if (!history)
      return { dates: await this.#source.findDates(dataset, market, { limit: 1 }, revision) };
    const { every, limit, ...range } = history;
    const days = await this.#source.findDates(dataset, market, range, revision);
    const { findOrdinal } = createPeriodKind(every);
    const getPeriod = (date: string | undefined) => date && findOrdinal(parseDay(date));
    const last = days.filter((date, index) => getPeriod(date) !== getPeriod(days[index - 1]));
    const page = last.slice(0, limit);
    const end = page.at(-1);
    return last.length > limit && end !== undefined
      ? { dates: page, nextPosition: getDayBefore(history, end) }
      : { dates: page };
  }

  /**
   * The fits of days, as of a revision. Throws an AbandonedError after an abort, and an
   * OverloadedError if those of a request, which has a signal of its own, take too long.
   */
  async *fitDays(
    dataset: Dataset,
    { market, dates, revision, signal }: FitSelection,
  ): AsyncGenerator<readonly [date: string, fit: KeptFit]> {
    const getVersion = await this.#versions.find(dataset, dates, revision);
    for (const date of dates) {
      const version = getVersion(date);
      const kept = this.#fits.get(market, date, version);
      if (kept && (await this.#holds(dataset, kept, revision))) {
        yield [date, kept];
        continue;
      }
      // A fit takes some milliseconds.
      await system.nextTurn();
      if (signal.aborted) throw new AbandonedError();
      const startedMs = this.#startedMs.getOrInsertComputed(signal, system.monotonicNow);
      if (system.monotonicNow() - startedMs > MAX_FITTING_MS) throw new OverloadedError();
      const fit = await this.#fit(dataset, market, date, revision);
      this.#fits.set(market, date, version, fit);
      yield [date, fit];
    }
  }

  /** The curve of a day, as of a revision; throws likewise. */
  async fitCurve(dataset: Dataset, date: string, options: Omit<FitSelection, 'dates'>) {
    const fits = this.fitDays(dataset, { ...options, dates: [date] });
    const { value: [, fit] = [] } = await fits.next();
    return (fit as KeptFit).curve;
  }

  /** Whether the terms that a fit took by ISINs are still the same. */
  async #holds(dataset: Dataset, { isins, termsByIsin }: KeptFit, revision: number) {
    return termsByIsin === (await this.#source.describeTermsByIsin(dataset, isins, revision));
  }

  async #fit(dataset: Dataset, market: Market, date: string, revision: number): Promise<KeptFit> {
    const allQuotes = await this.#source.readQuotes(dataset, [date, date], revision);
    const quotes = selectMarket(allQuotes, market);
    const { findTerms, isins } = await this.#source.readTerms(dataset, quotes, revision);
    const settlement = findMarketSettlement(quotes, findTerms, date);
    const termsByIsin = await this.#source.describeTermsByIsin(dataset, isins, revision);
    const inputs = digestInputs(quotes, findTerms, settlement);
    const curve =
      this.#fits.findCurve(market, date, inputs) ?? fitMarketCurve(quotes, findTerms, settlement);
    return { inputs, curve, usualDays: findUsualDays(allQuotes, findTerms), isins, termsByIsin };
  }
}

/** A digest of all that a fit follows from. */
function digestInputs(quotes: readonly Quote[], findTerms: FindTerms, settlement: number): string {
  const terms = quotes.map(({ symbol }) => findTerms(symbol));
  const text = JSON.stringify([settlement, quotes, terms], (_, value) =>
    value instanceof Set ? [...value] : value,
  );
  return createHash('sha256').update(text).digest('base64');
}

/** Those of a store reader share terms and fits. */
export const getCurveReader = memoizeByIdentity((reader: StoreReader) => new CurveReader(reader));

/** Longer is not waited for: what was fitted is kept, so that a later request finds it. */
const MAX_FITTING_MS = 45_000;

/** The last day before the period that a date belongs to, where the next page begins. */
function getDayBefore({ every }: CurveHistory, date: string): readonly [day: number] {
  const { findOrdinal, getFirstDay } = createPeriodKind(every);
  return [getFirstDay(findOrdinal(parseDay(date))) - 1];
}

/** The days of a market, and the client that waits for their fits. */
interface FitSelection {
  readonly market: Market;
  readonly dates: readonly string[];
  readonly revision: number;
  readonly signal: AbortSignal;
}

interface CurvePage extends Figures {
  readonly nextPosition?: readonly [day: number];
}

const RATE_DECIMALS = 6;
const FACTOR_DECIMALS = 9;

function toCurveRecord(
  date: string,
  market: Market,
  curve: MarketCurve,
  points: readonly object[],
): object {
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
    fit: CURVE_FIT_VERSION,
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

const MAX_CACHED_REVISIONS = 1_000;

/** What the figures of days were computed from: by this, it is known whether they still hold. */
export class DayVersions {
  /** The last change of each day, up to the newest revision that was asked for. */
  readonly #newest = new Map<string, DayVersion>();
  #revision = 0;
  readonly #findTermsVersion: (revision: number) => Awaitable<string>;

  constructor(private readonly reader: Pick<StoreReader, 'dayVersions' | 'revisions'>) {
    this.#findTermsVersion = memoizeAsync(MAX_CACHED_REVISIONS, String, async (revision) => {
      const filter = { datasets: [securities.name, holidays.name], before: revision + 1, limit: 1 };
      const [last] = await reader.revisions(filter);
      return formatVersion(last);
    });
  }

  /** The last changes of the quotes of days and of all terms, up to a revision; as text. */
  async find(
    dataset: Dataset,
    dates: readonly string[],
    revision: number,
  ): Promise<(date: string) => string> {
    const days = await this.#findDays(dataset, dates, revision);
    const terms = await this.#findTermsVersion(revision);
    return (date) => `${formatVersion(days.get(date))} ${terms}`;
  }

  async #findDays(dataset: Dataset, dates: readonly string[], until: number) {
    const since = this.#revision;
    if (until > since) {
      for (const day of await this.reader.dayVersions(dataset, { since, until })) {
        const known = this.#newest.get(day.date);
        if (!known || known.revision < day.revision) this.#newest.set(day.date, day);
      }
      this.#revision = Math.max(this.#revision, until);
    }
    const changedLater = dates
      .filter((date) => (this.#newest.get(date)?.revision ?? 0) > until)
      .toSorted();
    const [first, last = first] = [changedLater[0], changedLater.at(-1)];
    if (first === undefined || last === undefined) return this.#newest;
    const filter = { since: 0, until, days: [first, last] as const };
    const earlier = await this.reader.dayVersions(dataset, filter);
    const byDate = new Map(earlier.map((day) => [day.date, day]));
    const isLater = new Set(changedLater);
    return { get: (date: string) => (isLater.has(date) ? byDate : this.#newest).get(date) };
  }
}

/** If revisions were lost, others of their numbers may have been published since. */
function formatVersion(version: Pick<DayVersion, 'revision' | 'publishedAt'> | undefined): string {
  return version ? `${version.revision}@${version.publishedAt}` : '0';
}
