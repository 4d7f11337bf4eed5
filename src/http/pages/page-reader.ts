import type { AlignedSelection } from '../../analytics/aligned/plan-table.ts';
import { AlignedTableReader } from '../../analytics/aligned/table-reader.ts';
import { AnalyticsReader, type AnalyticsSelection } from '../../analytics/analytics-reader.ts';
import { CurveReader, type CurveSelection, type Figures } from '../../analytics/curve-reader.ts';
import { QuoteSource } from '../../analytics/quote-source.ts';
import type { Catalogue } from '../../catalogue/catalogues.ts';
import type { Quote } from '../../catalogue/datasets/quotes.ts';
import { buildCatalogueEntry } from '../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { findNextDue } from '../../catalogue/model/next-due.ts';
import { observationsOf } from '../../catalogue/model/observations.ts';
import {
  type AnalyticsRecord,
  analyticsOperation,
  DEFAULT_HORIZON_MONTHS,
} from '../../catalogue/operations/analytics.ts';
import { cashFlowsOperation } from '../../catalogue/operations/cashflows.ts';
import { createWideCurve, curveOperation } from '../../catalogue/operations/curve.ts';
import {
  catalogueOperation,
  fundsOperation,
  getSecuritiesForm,
} from '../../catalogue/operations/discovery.ts';
import { getKeyFields } from '../../schema/key-fields.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { memoizeAsync } from '../../shared/memoize.ts';
import type {
  CorrectionFilter,
  Coverage,
  QuoteSelection,
  ReadResult,
  Selection,
  StoreReader,
} from '../../store/open-store.ts';
import { changesOf, type RecordSource } from '../../tabular/encode-records.ts';
import { readTransformed, type TransformSelection } from '../../transforms/read-transformed.ts';
import { transformDataset } from '../../transforms/transformed-dataset.ts';
import type {
  DistributiveOmit,
  PlannedQuotes,
  PlannedSelection,
  PlannedVintages,
} from '../request/plan-query.ts';
import {
  type EncodedPage,
  encodePage,
  type PageClient,
  type PageRecords,
  type RequestedTable,
} from './encode-page.ts';
import { buildQuoteTable, needsSpreads, type QuoteTable } from './quote-table.ts';
import {
  type ChangesSelection,
  readChanges,
  readCorrections,
  readVintages,
} from './read-changes.ts';
import { type ListFilter, selectListPage } from './select-list-page.ts';

/** A page of a dataset, of its changes, of a list, or of figures computed from it; the catalogue. */
export type PageJob =
  | SelectionJob
  | ListJob
  | (RequestedTable & { readonly catalogue: true })
  | (RequestedTable & { readonly changes: ChangesSelection })
  | (RequestedTable & { readonly corrections: CorrectionFilter })
  | (RequestedTable & { readonly transform: TransformSelection })
  | (RequestedTable & { readonly vintages: PlannedVintages })
  | (RequestedTable & { readonly aligned: AlignedSelection })
  | (RequestedTable & { readonly curve: CurveSelection })
  /** The figures of these quotes. */
  | (RequestedTable & { readonly analytics: Omit<AnalyticsSelection, 'dataset'> })
  /** The payments of the securities of these quotes. */
  | (RequestedTable & { readonly cashFlows: PlannedQuotes });

/** A job without what the query of a request says of its table. */
export type PageContents = DistributiveOmit<PageJob, keyof RequestedTable> &
  Pick<RequestedTable, 'asOf'>;

interface SelectionJob extends RequestedTable {
  readonly selection: PlannedSelection;
  /** Whether all matches are counted, beyond the limit. */
  readonly includeTotal: boolean;
  /** What the table has besides the records, and its order; of quotes alone. */
  readonly quoteTable?: QuoteTable | undefined;
}

interface ListJob extends RequestedTable {
  readonly list: keyof typeof LIST_OPERATIONS;
  readonly filter: ListFilter;
}

const CATALOGUE_SOURCE = catalogueOperation([]);
const LIST_OPERATIONS = {
  securities: (catalogue: Catalogue) => getSecuritiesForm(catalogue.get('securities')),
  funds: (): ReturnType<typeof getSecuritiesForm> => fundsOperation,
};

const MAX_CACHED_TOTALS = 1_000;

/** Reads pages: selects records or computes them, counts them where requested, and encodes them. */
export class PageReader {
  readonly #curves: CurveReader;
  readonly #analytics: AnalyticsReader;
  readonly #aligned: AlignedTableReader;
  readonly #countTotal: (selection: Selection) => Awaitable<number>;

  constructor(private readonly reader: StoreReader) {
    const quoteSource = new QuoteSource(reader);
    this.#curves = new CurveReader(reader, quoteSource);
    this.#analytics = new AnalyticsReader(reader, quoteSource, this.#curves);
    this.#aligned = new AlignedTableReader(reader, this.#curves);
    this.#countTotal = memoizeAsync(
      MAX_CACHED_TOTALS,
      (selection) => JSON.stringify({ ...selection, dataset: selection.dataset.name }),
      async (selection) => {
        const { total = 0 } = await reader.read({ ...selection, includeTotal: true });
        return total;
      },
    );
  }

  read(catalogue: Catalogue, job: PageJob, client: PageClient): Awaitable<EncodedPage> {
    const { reader } = this;
    const encode = (source: RecordSource) => (page: PageRecords) =>
      encodePage(reader, source, { job, page, client });
    if ('catalogue' in job)
      return this.#readCatalogue(catalogue, job).then(encode(CATALOGUE_SOURCE));
    const dataset = catalogue.get(job.datasets[0] ?? '');
    if ('selection' in job && job.quoteTable)
      return this.#readQuoteTable(job, dataset, job.quoteTable, client);
    if ('selection' in job) {
      const source = job.selection.kind === 'observations' ? observationsOf(dataset) : dataset;
      return whenReady(this.#readSelection(job, dataset), encode(source));
    }
    if ('transform' in job) {
      const records = readTransformed(reader, dataset, job.transform, client.signal);
      return records
        .then(toPageRecords(job))
        .then(encode(transformDataset(dataset, job.transform)));
    }
    if ('list' in job) {
      const operation = LIST_OPERATIONS[job.list](catalogue);
      return this.#readList(job, dataset, operation.names).then(encode(operation));
    }
    const { signal } = client;
    if ('aligned' in job) {
      const table = this.#aligned.read(catalogue, job.aligned, signal);
      return table.then(({ source, ...rows }) => encode(source)(toPageRecords(job)(rows)));
    }
    if ('curve' in job) {
      const figures = this.#curves.read(dataset, job.curve, signal);
      const { wideRate, tenors } = job.curve;
      const source = wideRate ? createWideCurve(tenors, wideRate) : curveOperation;
      return figures.then(toPageRecords(job)).then(encode(source));
    }
    if ('analytics' in job) {
      const figures = this.#analytics.read({ ...job.analytics, dataset }, signal);
      return figures.then(toPageRecords(job)).then(encode(analyticsOperation));
    }
    if ('cashFlows' in job) {
      const flows = this.#analytics.readCashFlows({ ...job.cashFlows, dataset }, signal);
      return flows.then(toPageRecords(job)).then(encode(cashFlowsOperation));
    }
    const [kind, changes] =
      'changes' in job
        ? (['changes', readChanges(reader, dataset, job.changes, signal)] as const)
        : 'vintages' in job
          ? (['vintages', readVintages(reader, dataset, job.vintages, job.asOf)] as const)
          : (['corrections', readCorrections(reader, dataset, job.corrections, job.asOf)] as const);
    return changes.then(toPageRecords(job)).then(encode(changesOf(dataset, kind)));
  }

  async #readCatalogue(catalogue: Catalogue, job: RequestedTable): Promise<PageRecords> {
    const datasets = job.datasets.map((name) => catalogue.get(name));
    const { revision, entries } = await this.reader.coverage(datasets, job.asOf);
    const texts = entries.map((entry) => JSON.stringify(toCatalogueEntry(entry)));
    return toPageRecords(job)({ revision, texts });
  }

  #readSelection(job: SelectionJob, dataset: Dataset): Awaitable<ReadResult> {
    const selection = { ...job.selection, dataset, asNdjson: job.format !== 'json' } as Selection;
    const read = this.reader.read(selection);
    if (!job.includeTotal) return read;
    return whenReady(read, (result) =>
      whenReady(this.#countTotal(withoutPage(selection, result.revision)), (total) => ({
        ...result,
        total,
      })),
    );
  }

  async #readQuoteTable(
    job: SelectionJob,
    dataset: Dataset,
    table: QuoteTable,
    client: PageClient,
  ): Promise<EncodedPage> {
    const { records, ...page } = await this.#readSelection(job, dataset);
    const pinned = { ...job.selection, dataset, asOf: page.revision } as QuoteSelection;
    const compared = await this.#readCompared(pinned, table);
    const spreads = await this.#readSpreads(pinned, table, client);
    const { source, texts } = buildQuoteTable(dataset, parseLines(records), table, {
      compared: new Map(compared.map((quote) => [quote.symbol, quote])),
      getSpread: ({ date, symbol }) => spreads.get(`${date} ${symbol}`) ?? null,
    });
    const all = { ...job, fields: undefined };
    const rows = toPageRecords(job)({ ...page, texts });
    return encodePage(this.reader, source, { job: all, page: rows, client });
  }

  /** The quotes of the date to compare with; none without one. */
  async #readCompared(
    { after: _, isOldestFirst: __, ...selection }: QuoteSelection,
    { compare }: QuoteTable,
  ): Promise<Quote[]> {
    if (compare === undefined) return [];
    const day = { dateRange: [compare, compare] as const, limit: MAX_COMPARED, asNdjson: true };
    return parseLines((await this.reader.read({ ...selection, ...day })).records);
  }

  async #readSpreads(selection: QuoteSelection, table: QuoteTable, { signal }: PageClient) {
    if (!needsSpreads(table)) return new Map<string, number | null>();
    const holding = { months: DEFAULT_HORIZON_MONTHS };
    const { texts } = await this.#analytics.read({ ...selection, ...holding }, signal);
    return new Map(
      texts.map((text) => {
        const { date, symbol, spread } = JSON.parse(text) as AnalyticsRecord;
        return [`${date} ${symbol}`, spread as number | null];
      }),
    );
  }

  async #readList(job: ListJob, dataset: Dataset, names?: string[]): Promise<PageRecords> {
    const { revision, entries } = await this.reader[job.list](dataset, job.asOf);
    const { entries: selected, ...page } = selectListPage(entries, job.filter);
    const texts = selected.map((entry) => JSON.stringify(entry, names));
    return { ...page, ...toPageRecords(job)({ revision, texts }) };
  }
}

/** Far more securities than are quoted on a day. */
const MAX_COMPARED = 10_000;

function parseLines(records: string): Quote[] {
  return records === '' ? [] : records.split('\n').map((text) => JSON.parse(text) as Quote);
}

function toCatalogueEntry(newest: Coverage): object {
  const { dataset, first, last, count, lastRevision } = newest;
  return {
    ...buildCatalogueEntry(dataset),
    key: getKeyFields(dataset),
    coverage: { first, last, count },
    lastRevision,
    nextDue: findNextDue(newest),
  };
}

/** Records that were made one by one, joined as the format of a job needs them. */
function toPageRecords({ format }: RequestedTable) {
  return ({
    texts,
    ...page
  }: Figures & Pick<PageRecords, 'nextPosition' | 'unknown'>): PageRecords => ({
    ...page,
    count: texts.length,
    records: texts.join(format === 'json' ? ',' : '\n'),
  });
}

/** Every page, and every limit, has the same total. */
function withoutPage(selection: Selection, revision: number): Selection {
  const { after: _, asNdjson: __, ...all } = selection as QuoteSelection;
  return { ...all, limit: 1, asOf: revision } as Selection;
}
