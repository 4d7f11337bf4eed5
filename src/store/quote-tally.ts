import type { EncodedRow } from './rows.ts';

/** The columns of a quote, in the order of its table. */
type QuoteColumns = EncodedRow['columns'];

/** Changes of the summaries by the quotes that a revision publishes and supersedes. */
export interface QuoteTally {
  addPublished(columns: QuoteColumns): void;
  addSuperseded(columns: QuoteColumns): void;
  /** By how much the number of quotes changed, where it did. */
  listDays(): (readonly [date: string, type: string, difference: number])[];
  /** The securities of published quotes. */
  listSecurities(): (readonly [symbolKey: string, symbol: string, isinKey: string])[];
}

export function createQuoteTally(): QuoteTally {
  // Maps of maps, because a text for each pair of values would cost a load of millions too much.
  const days = new Map<string, Map<string, number>>();
  const securities = new Map<string, { readonly key: string; readonly isins: Set<string> }>();
  const addToDay = (date: string, type: string, difference: number) => {
    const types = getOrCreate(days, date, () => new Map<string, number>());
    types.set(type, (types.get(type) ?? 0) + difference);
  };
  return {
    addPublished(columns) {
      const [date, symbol, symbolKey, isinKey, type] = columns as readonly string[] as TextColumns;
      addToDay(date, type, 1);
      const { isins } = getOrCreate(securities, symbol, () => ({
        key: copyText(symbolKey),
        isins: new Set(),
      }));
      if (!isins.has(isinKey)) isins.add(copyText(isinKey));
    },
    addSuperseded(columns) {
      const [date, , , , type] = columns as readonly string[] as TextColumns;
      addToDay(date, type, -1);
    },
    listDays: () =>
      [...days].flatMap(([date, types]) =>
        [...types]
          .filter(([, difference]) => difference !== 0)
          .map(([type, difference]) => [date, type, difference] as const),
      ),
    listSecurities: () =>
      [...securities].flatMap(([symbol, { key, isins }]) =>
        [...isins].map((isin) => [key, symbol, isin] as const),
      ),
  };
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

/** A text of a file may be a part of a large one, which would stay in memory with it. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}
