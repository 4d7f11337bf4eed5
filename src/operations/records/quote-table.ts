import { roundFigure } from '../../analytics/round-figure.ts';
import { type Quote, TABLE_FIGURES } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { Fields } from '../../catalogue/model/field.ts';

/** A table of quotes in an order of its own, or with figures that are computed. */
export interface QuoteTable {
  readonly fields?: readonly string[] | undefined;
  /** `ytm`, or from the greatest `-ytm`. */
  readonly order?: string | undefined;
  /** The date that changes are since. */
  readonly compare?: string | undefined;
}

/** What the figures of quotes are computed from: the compared quotes by symbol, spreads by quote. */
interface TableContext {
  readonly compared: ReadonlyMap<string, Quote>;
  readonly getSpread: (quote: Quote) => number | null;
}

export const needsSpreads = ({ fields = [] }: QuoteTable) => fields.includes('spread');

/** The rows of the table as JSON, and the dataset that declares their columns. */
export function buildQuoteTable(
  dataset: Dataset,
  quotes: readonly Quote[],
  { fields, order = '', compare }: QuoteTable,
  { compared, getSpread }: TableContext,
): { readonly source: Dataset; readonly texts: string[] } {
  const { spread, ...changes } = TABLE_FIGURES;
  const computed = { ...(fields?.includes('spread') && { spread }), ...(compare && changes) };
  const all: Fields = { ...dataset.fields, ...computed };
  const names = (fields ?? Object.keys(all)).filter((name) => Object.hasOwn(all, name));
  const rows = quotes.map((quote) => {
    const old = compared.get(quote.symbol);
    return {
      ...quote,
      spread: getSpread(quote),
      ytmChange: computeChange(old?.ytm, quote.ytm, 100),
      lastPriceChange: computeChange(old?.lastPrice, quote.lastPrice, 1),
    };
  });
  // The header of a change says since when.
  const columns = names.map((name) => {
    const title = Object.hasOwn(changes, name) ? `${name} since ${compare}` : name;
    return { name, title };
  });
  const pick = (row: AnyRecord) => columns.map(({ name, title }) => [title, row[name]]);
  return {
    source: {
      ...dataset,
      fields: Object.fromEntries(columns.map(({ name, title }) => [title, all[name]])) as Fields,
    },
    texts: sortRows(rows, order).map((row) => JSON.stringify(Object.fromEntries(pick(row)))),
  };
}

const DECIMALS = 4;

/** A price of 0 means that there is none, and a yield of 0 that it was not computed. */
function computeChange(from: number | undefined, to: number, scale: number): number | null {
  return from && to ? roundFigure((to - from) * scale, DECIMALS) : null;
}

/** Rows without a figure come last in both directions. */
function sortRows<Row extends AnyRecord>(rows: readonly Row[], order: string): readonly Row[] {
  const name = order.replace('-', '');
  if (name === '') return rows;
  const getKey = (row: Row) => (MISSING_AS_ZERO.includes(name) ? row[name] || null : row[name]);
  return rows.toSorted((a, b) => {
    const [first, second] = [getKey(a) as string, getKey(b) as string];
    if (first === second) return 0;
    if (first === null || second === null) return first === null ? 1 : -1;
    return first < second === order.startsWith('-') ? 1 : -1;
  });
}

const MISSING_AS_ZERO = ['ytm', 'bidPrice', 'askPrice', 'lastPrice'];
