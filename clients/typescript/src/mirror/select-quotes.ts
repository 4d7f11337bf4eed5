import type { QuotesParameters, QuotesRecord } from '../../../../src/client/generated.ts';
import type { RowSelector } from '../../../../src/client/mirror/restore-records.ts';
import { isDay } from '../as-of.ts';
import { fold } from '../copy-format.ts';
import { compareQuotes } from '../symbol-batches.ts';

export type QuoteFilters = Pick<
  QuotesParameters,
  'symbol' | 'type' | 'date' | 'from' | 'to' | 'sort'
>;

/** The quotes of each month; only those of these rows. */
type ReadMonths = (
  isSelected: (month: string) => boolean,
  selectRows: RowSelector | undefined,
) => AsyncIterable<readonly QuotesRecord[]>;

/** The quotes that a service would send, from months that are read newest first. */
export async function selectQuotes(
  filters: QuoteFilters,
  readMonths: ReadMonths,
): Promise<QuotesRecord[]> {
  const { symbol, type = 'all', sort = 'desc' } = filters;
  const range = parseRange(filters);
  const [first, last] = range.map((day) => day.slice(0, 7)) as [string, string];
  const isInRange = (month: string) => month >= first && month <= last;
  const isWithin = (quote: QuotesRecord) =>
    quote.date >= range[0] && quote.date <= range[1] && (type === 'all' || quote.type === type);
  const hasRange = [filters.date, filters.from, filters.to].some((day) => day !== undefined);
  const securities = symbol === undefined ? [new Security()] : listSecurities(symbol);
  const selectRows = symbol === undefined ? undefined : selectRowsOf(securities);
  const isFound = () => securities.every((security) => security.isFound(hasRange));
  for await (const quotes of readMonths(isInRange, selectRows)) {
    for (const security of securities) security.add(quotes, isWithin, hasRange);
    if (isFound()) break;
  }
  // A text that is the symbol of any quote selects no quotes by their ISIN.
  if (securities.some((security) => security.isOpen)) {
    for await (const quotes of readMonths((month) => !isInRange(month), selectRows))
      for (const security of securities) security.add(quotes, () => false, hasRange);
  }
  const selected = [...new Set(securities.flatMap((security) => security.list()))];
  // Those of one security are in order.
  if (securities.length > 1) selected.sort(compareQuotes);
  return sort === 'asc' ? selected.reverse() : selected;
}

/** A symbol or an ISIN, in any letter case, or all securities. */
class Security {
  readonly key: string | undefined;
  #isSymbol = false;
  #bySymbol: QuotesRecord[] = [];
  #byIsin: QuotesRecord[] = [];

  constructor(key?: string) {
    this.key = key;
  }

  /** Adds those of its quotes that are within the range, or of the newest day of them. */
  add(
    quotes: readonly QuotesRecord[],
    isWithin: (quote: QuotesRecord) => boolean,
    hasRange: boolean,
  ): void {
    const { key } = this;
    const isOnDay = (found: readonly QuotesRecord[], { date }: QuotesRecord) =>
      hasRange || (found[0]?.date ?? date) === date;
    for (const quote of quotes) {
      const isSymbol = key === undefined || fold(quote.symbol) === key;
      this.#isSymbol ||= isSymbol;
      const found = isSymbol ? this.#bySymbol : this.#byIsin;
      if ((isSymbol || fold(quote.isin) === key) && isWithin(quote) && isOnDay(found, quote))
        found.push(quote);
    }
  }

  /** Whether no earlier month has more of it. */
  isFound(hasRange: boolean): boolean {
    return !hasRange && this.#bySymbol.length > 0;
  }

  /** Whether it depends on other quotes which ones are selected. */
  get isOpen(): boolean {
    return !this.#isSymbol && this.#byIsin.length > 0;
  }

  list(): readonly QuotesRecord[] {
    return this.#isSymbol ? this.#bySymbol : this.#byIsin;
  }
}

/** Most rows are of other securities, and need not become records. */
function selectRowsOf(securities: readonly Security[]): RowSelector {
  const keys = new Set(securities.map(({ key }) => key));
  const lengths = new Set([...keys].map((key) => key?.length));
  const isKey = (text: unknown) => lengths.has(String(text).length) && keys.has(fold(String(text)));
  return (columns) => {
    const [symbol, isin] = [columns.indexOf('symbol'), columns.indexOf('isin')];
    return (row) => isKey(row[symbol]) || isKey(row[isin]);
  };
}

function listSecurities(symbol: string | readonly string[]): Security[] {
  const texts = typeof symbol === 'string' ? symbol.split(',') : symbol;
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === ''))
    throw new TypeError('symbol must be a symbol or an ISIN, or a list of them');
  return [...new Set(texts.map(fold))].map((key) => new Security(key));
}

function parseRange({ date, from, to, sort, type = 'all' }: QuoteFilters): [string, string] {
  for (const [name, day] of Object.entries({ date, from, to }))
    if (day !== undefined && !(typeof day === 'string' && isDay(day)))
      throw new TypeError(`${name} must be a calendar day as YYYY-MM-DD`);
  const isRange = from !== undefined || to !== undefined;
  if (date !== undefined && isRange)
    throw new TypeError('date cannot be combined with from and to');
  if (sort !== undefined && !['asc', 'desc'].includes(sort))
    throw new TypeError('sort must be asc or desc');
  if (sort === 'asc' && !isRange) throw new TypeError('sort asc needs from or to');
  if (!['tbill', 'bond', 'corporate', 'all'].includes(type))
    throw new TypeError('type must be one of tbill, bond, corporate, all');
  const range: [string, string] = [date ?? from ?? '0001-01-01', date ?? to ?? '9999-12-31'];
  if (range[0] > range[1]) throw new TypeError('from must not be later than to');
  return range;
}
