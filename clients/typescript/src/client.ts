import { type Aligned, formatAlignedQuery } from '../../../src/client/aligned.ts';
import { bufferResponse } from '../../../src/client/buffer-response.ts';
import { buildUrl } from '../../../src/client/build-url.ts';
import { Connection } from '../../../src/client/connection.ts';
import { toLogResponse } from '../../../src/client/create-open-path.ts';
import { TenorError } from '../../../src/client/errors.ts';
import {
  type AnyDatasetName,
  EXPORTS,
  type ExportFormat,
  type Format,
  MEDIA_TYPES,
  PATHS,
  type RevisionsRecord,
  SERIES,
  type SeriesName,
  TABLES,
  type TableName,
} from '../../../src/client/generated.ts';
import {
  type CallOptions,
  type Fetch,
  type ResolvedOptions,
  resolveOptions,
  type TenorOptions,
} from '../../../src/client/options.ts';
import type { TenorResponse } from '../../../src/client/response-meta.ts';
import { verify } from '../../../src/client/verify.ts';
import type { OpenPath } from '../../../src/ledger/open-path.ts';
import type { Verification, VerifyOptions } from '../../../src/ledger/verify-ledger.ts';
import { type AsOf, type ResolvedAsOf, resolveAsOf } from './as-of.ts';
import type { Changes } from './changes.ts';
import type { SyncResult } from './copy-sync.ts';
import type { Corrections } from './corrections.ts';
import {
  combineBySubject,
  DATASET_PATH,
  type DatasetParameters,
  type Datasets,
} from './dataset.ts';
import { type FollowOptions, followRevisions } from './follow.ts';
import {
  type AllParameters,
  assertKnownName,
  type OperationData,
  type OperationName,
  type OperationRecord,
  type Parameters,
  splitPathParameters,
} from './operation-types.ts';
import { createPagedOperation, type PagedOperation } from './paged-operation.ts';
import { createRevisionOperation, type RevisionOperation } from './revision.ts';
import { withSymbolBatches } from './symbol-batches.ts';
import { buildVintageMatrix } from './vintage-matrix.ts';
import type { MatrixOptions, Vintages } from './vintages.ts';

/** The page size for reading all records. */
const DEFAULT_PAGE_SIZE = 1_000;

/** A stream of events, and so no operation with data. */
const EVENTS = '/events';

type PathSegments = Readonly<Record<string, string | number>>;

const FORMATS = Object.keys(MEDIA_TYPES) as Format[];

/** A client of one service with one token. */
export class Tenor {
  readonly #options: TenorOptions;
  readonly #settings: ResolvedOptions;
  #connection: Connection;
  #asOf: ResolvedAsOf = {};

  /**
   * Quotes of bills and bonds, for a day or a range of days. Without `date`, `from` and `to` only
   * the newest day is read, by `all` and `pages` too: the history of a security needs a `from`.
   * `symbol` is one, or up to 50; `all` takes any number, and reads them from one revision.
   */
  readonly quotes: PagedOperation<OperationRecord<'quotes'>, Parameters<'quotes'>>;

  /**
   * The yield curve of a market: on up to 12 days, through time by `from` or `to`, which `all` reads
   * to its end, or by default on the newest day.
   */
  readonly curve: PagedOperation<OperationRecord<'curve'>, Parameters<'curve'>>;

  /** Accrued interest, yield, durations, convexity and spread of quotes, selected like these. */
  readonly analytics: PagedOperation<OperationRecord<'analytics'>, Parameters<'analytics'>>;

  /** Every dataset the token may read: descriptions, units, coverage, last revision, and when the next data is due. */
  readonly catalogue: PagedOperation<OperationRecord<'catalogue'>, Parameters<'catalogue'>>;

  /** Every security ever quoted, or those with the text `q`; all of them without a `limit`. */
  readonly securities: PagedOperation<OperationRecord<'securities'>, Parameters<'securities'>>;

  /** Every fund, or those with the text `q`; all of them without a `limit`. */
  readonly funds: PagedOperation<OperationRecord<'funds'>, Parameters<'funds'>>;

  /**
   * The records of any series or declared dataset by its name, by period and dimension values;
   * aggregated to a `frequency`, and as changes or growth by `units`.
   */
  readonly dataset: Datasets;

  /** Figures of several datasets, securities and curves in one table by period, newest first. */
  readonly aligned: Aligned;

  /** The revisions: what was published, corrected and retired, newest first. */
  readonly revisions: PagedOperation<OperationRecord<'revisions'>, Parameters<'revisions'>>;

  /** One revision with its changes, which come in pages: `all` reads every one. */
  readonly revision: RevisionOperation;

  /** The old and new versions of records that were corrected or retired, newest first. */
  readonly corrections: Corrections;

  /** Every published state of the records of a dataset; `matrix` has a column for each revision. */
  readonly vintages: Vintages;

  /** The changes that make a copy of revision `since` one of the newest revision. */
  readonly changes: Changes;

  /** URL and token are by default those of TENOR_URL and TENOR_TOKEN, on Node, Bun and Deno. */
  constructor(options: TenorOptions = {}) {
    this.#options = { ...options };
    this.#settings = resolveOptions(options);
    this.#connection = new Connection(this.#settings);
    const limit = DEFAULT_PAGE_SIZE;
    this.quotes = withSymbolBatches(
      this.#paged('quotes', { limit }),
      (revision) => this.asOf(revision).quotes,
    );
    // A limit is for a range only.
    this.curve = this.#paged('curve', {});
    this.analytics = withSymbolBatches(
      this.#paged('analytics', { limit } as Parameters<'analytics'>),
      (revision) => this.asOf(revision).analytics,
    );
    this.catalogue = this.#paged('catalogue', { limit });
    this.securities = this.#paged('securities', { limit });
    this.funds = this.#paged('funds', { limit });
    this.revisions = this.#paged('revisions', { limit });
    this.revision = createRevisionOperation({
      allPagesDefaults: { limit },
      url: (n, parameters) => this.#url('revision', parameters, { n }),
      read: (url, options) => this.#connection.read(url, options),
    });
    // The records of one dataset have its type.
    this.dataset = combineBySubject((dataset: AnyDatasetName) =>
      this.#pagedPath(DATASET_PATH, { limit }, { dataset }),
    ) as Datasets;
    this.aligned = combineBySubject((columns: readonly string[]) =>
      this.#pagedPath(PATHS.aligned, { limit }, {}, (parameters) =>
        formatAlignedQuery(columns, parameters),
      ),
    ) as Aligned;
    const vintages = combineBySubject((dataset: AnyDatasetName) =>
      this.#pagedPath(PATHS.vintages, { limit }, { dataset }),
    ) as Omit<Vintages, 'matrix'>;
    this.vintages = Object.assign(vintages, {
      matrix: async (dataset: AnyDatasetName, parameters?: object, options?: MatrixOptions) => {
        const states = await this.vintages.all(dataset, { ...parameters }, options).toArray();
        return buildVintageMatrix(dataset, states, options?.measures);
      },
    }) as Vintages;
    this.corrections = combineBySubject((dataset: AnyDatasetName) =>
      this.#paged('corrections', { limit }, { dataset }),
    ) as unknown as Corrections;
    this.changes = combineBySubject((dataset: AnyDatasetName) =>
      // The caller's parameters have the revision.
      this.#paged('changes', { limit } as Parameters<'changes'>, { dataset }),
    ) as unknown as Changes;
  }

  /** The asset allocation of a fund. An unknown fund is a `TenorError`. */
  fundAllocation(
    parameters: Parameters<'fund-allocation'>,
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<'fund-allocation'>>> {
    return this.#read('fund-allocation', parameters, {}, options);
  }

  /** A statistical series, newest period first. */
  async series<N extends SeriesName>(
    name: N,
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<N>>> {
    return this.#read(assertKnownName(SERIES, name), {}, {}, options);
  }

  /** The figures of securities at a `price`, `yield` or `spread`, one for all or one for each. */
  price(
    parameters: Parameters<'price'>,
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<'price'>>> {
    return this.#read('price', parameters, {}, options);
  }

  /**
   * The figures of positions, which are face values by symbol or ISIN, and of all together: values,
   * durations by key rates, and what they are worth under each `shift` in basis points.
   */
  portfolio(
    positions: Readonly<Record<string, number>>,
    parameters: Omit<Parameters<'portfolio'>, 'positions'> = {},
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<'portfolio'>>> {
    const texts = Object.entries(positions).map(
      ([security, face]) => `${security}:${formatDecimal(face)}`,
    );
    return this.#read('portfolio', { ...parameters, positions: texts }, {}, options);
  }

  /** The payments that securities are still to make, by the newest quote of each or that of a date. */
  cashflows(
    parameters: Parameters<'cashflows'>,
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<'cashflows'>>> {
    return this.#read('cashflows', parameters, {}, options);
  }

  /** What is released next of each dataset, when, and what was released last. */
  releases(options?: CallOptions): Promise<TenorResponse<OperationData<'releases'>>> {
    return this.#read('releases', {}, {}, options);
  }

  /** Any operation by its name; names in its path, such as `dataset`, are parameters too. */
  async query<N extends OperationName>(
    name: N,
    parameters?: AllParameters<N>,
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<N>>> {
    const path = PATHS[assertKnownName(Object.keys(PATHS), name)];
    const [query, segments] = splitPathParameters(path, parameters);
    return this.#read(name, query as Parameters<N>, segments, options);
  }

  /**
   * One page of a response in another format, with a `Link` header if more records match. Its body
   * can be streamed. Names in its path, such as `dataset`, are parameters too.
   */
  async download<N extends TableName | 'dataset'>(
    name: N,
    format: Format,
    parameters?: N extends TableName
      ? AllParameters<N>
      : DatasetParameters & { readonly dataset: string },
    options: CallOptions = {},
  ): Promise<Response> {
    const path =
      name === 'dataset' ? DATASET_PATH : PATHS[assertKnownName(TABLES, name) as TableName];
    const url = this.#pathUrl(path, ...splitPathParameters(path, parameters));
    return this.#connection.open(url, MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
  }

  /** A whole dataset, from one revision. Its body can be streamed. */
  async export(
    name: AnyDatasetName,
    format: ExportFormat,
    options: CallOptions = {},
  ): Promise<Response> {
    const { base } = this.#settings;
    const url = buildUrl(base, EXPORTS, this.#asOfParameter(), { file: `${name}.${format}` });
    return this.#connection.open(url, MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
  }

  /**
   * Each revision as it is published, without end: from `/events`, connecting again when that ends,
   * or by polling where a service or proxy has none. Errors that do not pass are thrown.
   */
  follow(options: FollowOptions = {}): AsyncGenerator<RevisionsRecord, never, undefined> {
    const { base } = this.#settings;
    return followRevisions(
      {
        openEvents: (after, signal) =>
          this.#connection.openEvents(buildUrl(base, EVENTS), after, signal),
        readRevisions: async (limit, signal) => (await this.revisions({ limit }, { signal })).data,
        forgetSeenRevision: () => this.#connection.forgetSeenRevision(),
      },
      options,
    );
  }

  /**
   * Makes a file the newest copy of a dataset, by the changes since the last call; only where there
   * are files: on Node, Bun and Deno. See `CopySync`.
   */
  async sync(dataset: AnyDatasetName, path: string): Promise<SyncResult> {
    const { CopySync } = await import('./copy-sync.ts');
    // What this client has seen must not keep it from a database that was replaced by an older one.
    const source = new Tenor(this.#options);
    source.#asOf = this.#asOf;
    source.#connection = this.#connection.withoutSeenRevision();
    const sync = new CopySync(source, dataset, path);
    return sync.run(() => this.#connection.forgetSeenRevision());
  }

  /**
   * Verifies that the service has not changed what it published: keep the `state` of the result, and
   * give it to the next call. An alarm is a `VerificationError`; a service that only lacks revisions
   * which were verified before is a `TenorError` of the kind `behind`.
   */
  verify(options: VerifyOptions = {}): Promise<Verification> {
    // What this client has seen must not keep it from finding that revisions are gone.
    // Neither must a browser's cache: after a restart, tiles of the log before it are others.
    const settings = this.#settings;
    const fetch: Fetch = (url, init) => settings.fetch(url, { ...init, cache: 'no-store' });
    const connection = new Connection({ ...settings, fetch });
    const open: OpenPath = async (path, mediaType) => {
      const send = () => connection.open(new URL(`.${path}`, settings.base), mediaType, {});
      const isStreamed = mediaType === MEDIA_TYPES.ndjson;
      return toLogResponse(await (isStreamed ? send() : bufferResponse(send)));
    };
    return verify(open, options);
  }

  /**
   * The same client, reading all data as of that instant, the end of that day or that revision.
   * Anything else throws a `TypeError` at once. Revisions are always the current ones.
   */
  asOf(asOf: AsOf): Tenor {
    const client = new Tenor(this.#options);
    client.#asOf = resolveAsOf(asOf);
    client.#connection = this.#connection.withInstant(client.#asOf.acceptDatetime ?? '');
    return client;
  }

  /** A ledger has no past; what it says of a revision stays. */
  #asOfParameter(path = ''): { readonly as_of?: number } {
    const { revision } = this.#asOf;
    return revision === undefined || /^\/(releases|revisions)/.test(path)
      ? {}
      : { as_of: revision };
  }

  #url(name: OperationName, parameters?: object, segments?: PathSegments): URL {
    return this.#pathUrl(PATHS[name], parameters, segments);
  }

  #pathUrl(path: string, parameters?: object, segments?: PathSegments): URL {
    const { base } = this.#settings;
    return buildUrl(base, path, { ...this.#asOfParameter(path), ...parameters }, segments);
  }

  #paged<N extends OperationName>(
    name: N,
    allPagesDefaults: Parameters<N>,
    segments: PathSegments = {},
  ): PagedOperation<OperationRecord<N>, Parameters<N>> {
    return this.#pagedPath(PATHS[name], allPagesDefaults, segments);
  }

  #pagedPath<T, P>(
    path: string,
    allPagesDefaults: P,
    segments: PathSegments,
    formatQuery = (parameters?: P) => parameters as object,
  ) {
    return createPagedOperation<T, P>({
      allPagesDefaults,
      url: (parameters) => this.#pathUrl(path, formatQuery(parameters), segments),
      read: async (url, options) => {
        const { data, meta } = await this.#connection.read(url, options);
        if (Array.isArray(data)) return { data, meta };
        const { requestId } = meta;
        throw new TenorError('malformed', 'the response is not a list', {
          url: url.href,
          requestId,
        });
      },
    });
  }

  async #read<N extends OperationName>(
    name: N,
    parameters: Parameters<N>,
    segments: PathSegments,
    options: CallOptions = {},
  ): Promise<TenorResponse<OperationData<N>>> {
    const url = this.#url(name, parameters, segments);
    return (await this.#connection.read(url, options)) as TenorResponse<OperationData<N>>;
  }
}

/** A number without an exponent. */
function formatDecimal(number: number): string {
  return number.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
}
