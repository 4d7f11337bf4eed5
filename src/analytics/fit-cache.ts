import { CURVE_FIT_VERSION, type MarketCurve } from '../bonds/curve/index.ts';
import type { Market } from '../operations/curve/curve-operation.ts';
import { getCacheFile } from '../shared/database-folders.ts';
import { createBoundedMap } from '../shared/memoize.ts';
import { getLocalName } from '../shared/postgres-url.ts';
import { type ReaderSource, TextCache } from '../store/open-store.ts';

/** The fit of a market on a day. */
export interface KeptFit extends FitOrigin {
  readonly curve: MarketCurve;
}

/** What a fit was computed from, and the terms by ISIN that it depends on besides those of symbols. */
export interface FitOrigin {
  /** The digest of the quotes and terms, by which the curve is kept. */
  readonly inputs: string;
  /** The settlement days of most quotes of the day, whatever their market. */
  readonly usualDays: number;
  readonly isins: readonly string[];
  readonly termsByIsin: string;
}

const MAX_FITS_IN_MEMORY = 2_000;

/**
 * Fits by the version of what they were computed from, and curves by what it was: terms change often
 * without a change for any security of a day. Some are in memory, all in a file that can be deleted at
 * any time.
 */
export class FitCache {
  readonly #fits = createBoundedMap<string, KeptFit>(MAX_FITS_IN_MEMORY);
  readonly #curves = createBoundedMap<string, MarketCurve>(MAX_FITS_IN_MEMORY);
  readonly #openFile: () => TextCache | undefined;
  #file: TextCache | undefined;

  constructor(source: ReaderSource | undefined) {
    const path = source && getFitFile(source);
    this.#openFile = () => {
      this.#file ??= path === undefined ? undefined : new TextCache(path);
      return this.#file;
    };
  }

  get(market: Market, date: string, version: string): KeptFit | undefined {
    const key = formatKey(market, date, version);
    const known = this.#fits.get(key);
    if (known) return known;
    const text = this.#openFile()?.get(key);
    const origin = text === undefined ? undefined : (JSON.parse(text) as FitOrigin);
    const curve = origin && this.findCurve(market, date, origin.inputs);
    if (!curve) return undefined;
    const fit = { ...origin, curve };
    this.#fits.set(key, fit);
    return fit;
  }

  /** The curve that was fitted to the same quotes and terms, whenever they were published. */
  findCurve(market: Market, date: string, inputs: string): MarketCurve | undefined {
    const key = formatKey(market, date, inputs);
    const known = this.#curves.get(key);
    if (known) return known;
    const text = this.#openFile()?.get(key);
    if (text === undefined) return undefined;
    const curve = JSON.parse(text) as MarketCurve;
    this.#curves.set(key, curve);
    return curve;
  }

  set(market: Market, date: string, version: string, { curve, ...origin }: KeptFit): void {
    const key = formatKey(market, date, version);
    this.#fits.set(key, { ...origin, curve });
    this.#openFile()?.set(key, JSON.stringify(origin));
    const curveKey = formatKey(market, date, origin.inputs);
    this.#curves.set(curveKey, curve);
    // Also if it is there: the file gives up the oldest texts.
    this.#openFile()?.set(curveKey, JSON.stringify(curve));
  }
}

const formatKey = (...parts: readonly [market: Market, date: string, origin: string]) =>
  [`${CURVE_FIT_VERSION}.1`, ...parts].join(' ');

function getFitFile(source: ReaderSource): string {
  return getCacheFile('path' in source ? source.path : getLocalName(source.urls.join()), 'fits');
}
