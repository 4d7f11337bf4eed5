import { copyText } from '../shared/copy-text.ts';
import type { EncodedRow } from './rows.ts';

/** The columns of a quote, in the order of its table. */
type QuoteColumns = EncodedRow['columns'];

/** Changes of the summaries by the quotes that a revision publishes and supersedes. */
export class QuoteTally {
  // Maps of maps, because a text for each pair of values would cost a load of millions too much.
  readonly #days = new Map<string, Map<string, number>>();
  readonly #securities = new Map<string, { readonly key: string; readonly isins: Set<string> }>();

  addPublished(columns: QuoteColumns): void {
    const [date, symbol, symbolKey, isinKey, type] = columns as readonly string[] as TextColumns;
    this.#addToDay(date, type, 1);
    const { isins } = getOrCreate(this.#securities, symbol, () => ({
      key: copyText(symbolKey),
      isins: new Set(),
    }));
    if (!isins.has(isinKey)) isins.add(copyText(isinKey));
  }

  addSuperseded(columns: QuoteColumns): void {
    const [date, , , , type] = columns as readonly string[] as TextColumns;
    this.#addToDay(date, type, -1);
  }

  /** By how much the number of quotes changed, if it did. */
  listDays(): (readonly [date: string, type: string, difference: number])[] {
    return [...this.#days].flatMap(([date, types]) =>
      [...types]
        .filter(([, difference]) => difference !== 0)
        .map(([type, difference]) => [date, type, difference] as const),
    );
  }

  /** The securities of published quotes. */
  listSecurities(): (readonly [symbolKey: string, symbol: string, isinKey: string])[] {
    return [...this.#securities].flatMap(([symbol, { key, isins }]) =>
      [...isins].map((isin) => [key, symbol, isin] as const),
    );
  }

  #addToDay(date: string, type: string, difference: number): void {
    const types = getOrCreate(this.#days, date, () => new Map<string, number>());
    types.set(type, (types.get(type) ?? 0) + difference);
  }
}

type TextColumns = readonly [
  date: string,
  symbol: string,
  symbolKey: string,
  isinKey: string,
  type: string,
];

function getOrCreate<V>(map: Map<string, V>, key: string, create: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  map.set(copyText(key), created);
  return created;
}
