import type { QuotesAsOf } from '../../analytics/price-quotes.ts';
import { type Quote, TABLE_FIGURES } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import type { Fields } from '../../catalogue/model/field.ts';
import {
  CURVE_COST,
  computeRequestCost,
  type ResponseSize,
} from '../../http/background/job-scheduler.ts';
import type { ReadContext } from '../../http/pipeline/route.ts';
import type { PageRecords } from '../../http/responses/encode-page.ts';
import { roundFigure } from '../../shared/decimals.ts';
import {
  keepFiltersOfSecurities,
  type ReadResult,
  type StoreReader,
} from '../../store/open-store.ts';
import { type AnalyticsRecord, DEFAULT_HORIZON_MONTHS } from '../analytics/analytics-operation.ts';
import { readAnalytics } from '../analytics/read-analytics.ts';
import type { QuoteTable } from '../plan-query.ts';

const needsSpreads = ({ fields = [] }: QuoteTable) => fields.includes('spread');

/** The records are read twice if they are compared; each spread may need the curve of its day. */
export function estimateTableCost(
  table: QuoteTable,
  { records, format }: Omit<ResponseSize, 'counted'>,
): number {
  const spreads = needsSpreads(table) ? Math.ceil(records / SPREADS_PER_REQUEST) : 0;
  return Math.max(CURVE_COST, spreads) + computeRequestCost({ records: 2 * records, format });
}

const SPREADS_PER_REQUEST = 4;

/** The rows of a table, and the dataset that declares their columns. */
export async function readQuoteTable(
  table: QuoteTable,
  selection: QuotesAsOf,
  { records, ...page }: ReadResult,
  { reader, client }: Pick<ReadContext, 'reader' | 'client'>,
): Promise<PageRecords> {
  const compared = await readCompared(reader, selection, table);
  const spreads = needsSpreads(table) ? await readSpreads(reader, selection, client.signal) : [];
  const oldQuotes = new Map(compared.map((quote) => [quote.symbol, quote]));
  const spreadByQuote = new Map(
    spreads.map(({ date, symbol, spread }) => [`${date} ${symbol}`, spread]),
  );
  const rows = parseLines(records).map((quote) => {
    const old = oldQuotes.get(quote.symbol);
    return {
      ...quote,
      spread: spreadByQuote.get(`${quote.date} ${quote.symbol}`) ?? null,
      ytmChange: computeChange(old?.ytm, quote.ytm, 100),
      lastPriceChange: computeChange(old?.lastPrice, quote.lastPrice),
    };
  });
  const { source, texts } = selectColumns(selection.dataset, rows, table);
  return { ...page, records: texts.join('\n'), source, hasRequestedFields: true };
}

/** The quotes of the date to compare with; none without one. */
async function readCompared(
  reader: StoreReader,
  { after: _, isOldestFirst: __, ...selection }: QuotesAsOf,
  { compare }: QuoteTable,
): Promise<Quote[]> {
  if (compare === undefined) return [];
  const day = { dateRange: [compare, compare] as const, limit: MAX_COMPARED, asNdjson: true };
  const compared = { ...keepFiltersOfSecurities(selection), ...day };
  return parseLines((await reader.read(compared)).records);
}

/** Far more securities than are quoted on a day. */
const MAX_COMPARED = 10_000;

async function readSpreads(reader: StoreReader, selection: QuotesAsOf, signal: AbortSignal) {
  const holding = { months: DEFAULT_HORIZON_MONTHS };
  const { texts } = await readAnalytics(reader, { ...selection, ...holding }, signal);
  return texts.map((text) => JSON.parse(text) as AnalyticsRecord);
}

function parseLines(records: string): Quote[] {
  return records === '' ? [] : records.split('\n').map((text) => JSON.parse(text) as Quote);
}

function selectColumns(
  dataset: Dataset,
  rows: readonly AnyRecord[],
  { fields, order = '', compare }: QuoteTable,
) {
  const { spread, ...changes } = TABLE_FIGURES;
  const computed = { ...(fields?.includes('spread') && { spread }), ...(compare && changes) };
  const all: Fields = { ...dataset.fields, ...computed };
  const names = (fields ?? Object.keys(all)).filter((name) => Object.hasOwn(all, name));
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
export function computeChange(from = 0, to = 0, scale = 1): number | null {
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
