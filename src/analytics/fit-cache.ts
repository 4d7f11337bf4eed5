import { CURVE_FIT_VERSION, type MarketCurve } from '../bonds/curve/index.ts';
import type { Market } from '../operations/curve/curve-operation.ts';
import { getCacheFile } from '../shared/database-folders.ts';
import { createBoundedMap } from '../shared/memoize.ts';
import { getLocalName } from '../shared/postgres-url.ts';
import { type ReaderSource, TextCache } from '../store/open-store.ts';

/** The fit of a market on a day, and the terms by ISIN that it depends on besides those of symbols. */
export interface KeptFit {
  readonly curve: MarketCurve;
  /** The settlement days of most quotes of the day, whatever their market. */
  readonly usualDays: number;
  readonly isins: readonly string[];
  readonly termsByIsin: string;
}

const MAX_FITS_IN_MEMORY = 2_000;

/** Fits by what they were computed from: some in memory, all in a file that can be deleted at any time. */
export class FitCache {
  readonly #fits = createBoundedMap<string, KeptFit>(MAX_FITS_IN_MEMORY);
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
    if (text === undefined) return undefined;
    const fit = JSON.parse(text) as KeptFit;
    this.#fits.set(key, fit);
    return fit;
  }

  set(market: Market, date: string, version: string, fit: KeptFit): void {
    const key = formatKey(market, date, version);
    this.#fits.set(key, fit);
    this.#openFile()?.set(key, JSON.stringify(fit));
  }
}

const formatKey = (...parts: readonly [Market, string, string]) =>
  [CURVE_FIT_VERSION, ...parts].join(' ');

function getFitFile(source: ReaderSource): string {
  return getCacheFile('path' in source ? source.path : getLocalName(source.urls.join()), 'fits');
}
