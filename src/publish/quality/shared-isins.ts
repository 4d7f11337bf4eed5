import { isValidIsin } from '../../bonds/index.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { Warning } from './warning-rules.ts';

/** The compared fields of a quote. */
export type QuoteIdentity = Pick<Quote, 'date' | 'symbol' | 'isin'>;

const MAX_NAMED_SYMBOLS = 5;

/** Warns about the newest day on which an ISIN has quotes under several symbols. */
export function findSharedIsin(quotes: readonly QuoteIdentity[]): Warning | undefined {
  const shared = [...Map.groupBy(quotes, ({ date }) => date)]
    .map(([date, ofDay]) => [date, new Set(ofDay.map(({ symbol }) => symbol))] as const)
    .filter(([, symbols]) => symbols.size > 1);
  const [newest] = shared.toSorted(([a], [b]) => (a < b ? 1 : -1));
  const isin = quotes[0]?.isin;
  if (!newest || isin === undefined) return undefined;
  const [date, symbols] = newest;
  const named = [...symbols].toSorted().slice(0, MAX_NAMED_SYMBOLS).join(', ');
  const hidden = symbols.size - MAX_NAMED_SYMBOLS;
  const others = hidden > 0 ? ` and ${hidden} more` : '';
  const days = shared.length === 1 ? date : `${date} and on ${shared.length - 1} days before`;
  const text = `isin ${isin} is that of ${named}${others} on ${days}`;
  return { rule: 'isin-shared', field: 'isin', value: isin, text };
}

/** Warns about an ISIN in a load whose published symbols all differ from those in the load. */
export function findSymbolChange(
  isin: string,
  loaded: ReadonlySet<string>,
  published: readonly Pick<Quote, 'symbol'>[],
): Warning | undefined {
  const [other] = published;
  if (!other || published.some((entry) => loaded.has(entry.symbol)) || !isValidIsin(isin))
    return undefined;
  const [symbol = ''] = loaded;
  const text = `${symbol} has isin ${isin}, which is published under ${other.symbol}`;
  return { rule: 'symbol-changed', field: 'symbol', value: symbol, text };
}

/** The symbols of each ISIN in the added quotes. */
export class IsinSymbols extends Map<string, Set<string>> {
  add(isin: string, symbol: string): void {
    this.getOrInsertComputed(isin, () => new Set()).add(symbol);
  }

  /** The ISINs with several symbols; other texts, such as placeholders, identify nothing. */
  listShared(): string[] {
    return [...this].flatMap(([isin, symbols]) =>
      symbols.size > 1 && isValidIsin(isin) ? [isin] : [],
    );
  }
}
