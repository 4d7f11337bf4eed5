import { getAnalyticsReader } from '../../analytics/readers.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { ReadContext } from '../../http/pipeline/route.ts';
import {
  findNextPosition,
  type PlannedSelection,
  type QueryPlan,
} from '../../http/request/plan-query.ts';
import {
  type PageRecords,
  toPageRecords,
  type WaitingClient,
} from '../../http/responses/encode-page.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { memoizeAsync, memoizeByIdentity } from '../../shared/memoize.ts';
import {
  keepFiltersOfSecurities,
  type ObservationSelection,
  type QuoteSelection,
  type ReadResult,
  type Selection,
  type StoreReader,
} from '../../store/open-store.ts';
import { readTransformed } from '../../transforms/read-transformed.ts';
import { type AnalyticsRecord, DEFAULT_HORIZON_MONTHS } from '../analytics/analytics-operation.ts';
import { buildQuoteTable, needsSpreads, type QuoteTable } from './quote-table.ts';

/** The parts of a query that say what is read. */
interface RecordsQuery extends QueryPlan {
  readonly includesTotal: boolean;
  readonly quoteTable?: QuoteTable | undefined;
}

/** Reads the records that a query selects as of a view, or what is computed from them. */
export function readRecords(
  { name }: Dataset,
  query: RecordsQuery,
  { view, reader, client }: ReadContext,
): Awaitable<PageRecords> {
  const { selection: planned, transform, quoteTable, format, includesTotal } = query;
  const dataset = view.catalogue.get(name);
  const selection = { ...planned, dataset, asOf: view.revision } as Selection;
  if (transform) {
    const { kind: _, ...observations } = selection as ObservationSelection;
    const { signal } = client;
    return readTransformed(reader, dataset, { ...observations, ...transform }, signal).then(
      (result) => toPageRecords(query, result),
    );
  }
  const selected = { ...selection, asNdjson: format !== 'json' };
  const read = includesTotal ? readCounted(reader, selected) : reader.read(selected);
  if (quoteTable)
    return readQuoteTable(
      reader,
      { selection: selection as QuoteSelection, read },
      quoteTable,
      client,
    );
  return read instanceof Promise
    ? read.then((result) => addNextPosition(planned, result))
    : addNextPosition(planned, read);
}

function addNextPosition(selection: PlannedSelection, result: ReadResult): PageRecords {
  return { ...result, nextPosition: findNextPosition(selection, result) };
}

async function readCounted(reader: StoreReader, selection: Selection): Promise<ReadResult> {
  const result = await reader.read(selection);
  const total = await getTotalCounter(reader)(withoutPage(selection, result.revision));
  return { ...result, total };
}

const MAX_CACHED_TOTALS = 1_000;

const getTotalCounter = memoizeByIdentity((reader: StoreReader) =>
  memoizeAsync(
    MAX_CACHED_TOTALS,
    (selection: Selection) => JSON.stringify({ ...selection, dataset: selection.dataset.name }),
    async (selection) => {
      const { total = 0 } = await reader.read({ ...selection, includeTotal: true });
      return total;
    },
  ),
);

/** Every page, and every limit, has the same total. */
function withoutPage(selection: Selection, revision: number): Selection {
  const { after: _, asNdjson: __, ...all } = selection as QuoteSelection;
  return { ...all, limit: 1, asOf: revision } as Selection;
}

async function readQuoteTable(
  reader: StoreReader,
  { selection, read }: { selection: QuoteSelection; read: Awaitable<ReadResult> },
  table: QuoteTable,
  client: WaitingClient,
): Promise<PageRecords> {
  const { records, ...page } = await read;
  const pinned = { ...selection, asOf: page.revision };
  const compared = await readCompared(reader, pinned, table);
  const spreads = await readSpreads(reader, pinned, table, client);
  const { source, texts } = buildQuoteTable(selection.dataset, parseLines(records), table, {
    compared: new Map(compared.map((quote) => [quote.symbol, quote])),
    getSpread: ({ date, symbol }) => spreads.get(`${date} ${symbol}`) ?? null,
  });
  const rows = { ...page, records: texts.join('\n'), source, hasRequestedFields: true } as const;
  return addNextPosition(selection, rows);
}

/** The quotes of the date to compare with; none without one. */
async function readCompared(
  reader: StoreReader,
  { after: _, isOldestFirst: __, ...selection }: QuoteSelection,
  { compare }: QuoteTable,
): Promise<Quote[]> {
  if (compare === undefined) return [];
  const day = { dateRange: [compare, compare] as const, limit: MAX_COMPARED, asNdjson: true };
  const compared = { ...keepFiltersOfSecurities(selection), ...day };
  return parseLines((await reader.read(compared)).records);
}

/** Far more securities than are quoted on a day. */
const MAX_COMPARED = 10_000;

async function readSpreads(
  reader: StoreReader,
  selection: QuoteSelection & { readonly asOf: number },
  table: QuoteTable,
  { signal }: WaitingClient,
) {
  if (!needsSpreads(table)) return new Map<string, number | null>();
  const holding = { months: DEFAULT_HORIZON_MONTHS };
  const { texts } = await getAnalyticsReader(reader).read({ ...selection, ...holding }, signal);
  return new Map(
    texts.map((text) => {
      const { date, symbol, spread } = JSON.parse(text) as AnalyticsRecord;
      return [`${date} ${symbol}`, spread as number | null];
    }),
  );
}

function parseLines(records: string): Quote[] {
  return records === '' ? [] : records.split('\n').map((text) => JSON.parse(text) as Quote);
}
