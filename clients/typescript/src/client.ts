import { toAcceptDatetime } from './accept-datetime.ts';
import { buildUrl } from './build-url.ts';
import { type Changes, createChanges } from './changes.ts';
import { Connection } from './connection.ts';
import { type Corrections, createCorrections } from './corrections.ts';
import { TenorError } from './errors.ts';
import { type FollowOptions, followRevisions } from './follow.ts';
import {
  type DatasetName,
  EXPORTS,
  type ExportFormat,
  type Format,
  MEDIA_TYPES,
  type Operations,
  PATHS,
  type RevisionsRecord,
  SERIES,
  type SeriesName,
  TABLES,
  type TableName,
} from './generated.ts';
import {
  type CallOptions,
  type ResolvedOptions,
  resolveOptions,
  type TenorOptions,
} from './options.ts';
import { createPagedOperation, type PagedOperation } from './paged-operation.ts';
import type { TenorResponse } from './response-meta.ts';
import { createRevisionOperation, type RevisionOperation } from './revision.ts';

type OperationName = keyof Operations;
type Parameters<N extends OperationName> = Operations[N]['parameters'];
type OperationData<N extends OperationName> = Operations[N]['data'];
type OperationRecord<N extends OperationName> =
  OperationData<N> extends readonly (infer T)[] ? T : never;

/** The page size for reading all records. */
const DEFAULT_PAGE_SIZE = 1_000;

/** A stream of events, and so no operation with data. */
const EVENTS = '/events';

const FORMATS = Object.keys(MEDIA_TYPES) as Format[];

/** A client of one service with one token. */
export class Tenor {
  readonly #options: TenorOptions;
  readonly #settings: ResolvedOptions;
  #connection: Connection;

  /**
   * Quotes of bills and bonds, for a day or a range of days. Without `date`, `from` and `to` only
   * the newest day is read, by `all` and `pages` too: the history of a security needs a `from`.
   */
  readonly quotes: PagedOperation<OperationRecord<'quotes'>, Parameters<'quotes'>>;

  /** The revisions: what was published, corrected and retired, newest first. */
  readonly revisions: PagedOperation<OperationRecord<'revisions'>, Parameters<'revisions'>>;

  /** One revision with its changes, which come in pages: `all` reads every one. */
  readonly revision: RevisionOperation;

  /** The old and new versions of records that were corrected or retired, newest first. */
  readonly corrections: Corrections;

  /** What must be done to a copy of revision `since` to have the newest one. */
  readonly changes: Changes;

  constructor(options: TenorOptions) {
    this.#options = { ...options };
    this.#settings = resolveOptions(options);
    this.#connection = new Connection(this.#settings);
    this.quotes = this.#paged('quotes', { limit: DEFAULT_PAGE_SIZE });
    this.revisions = this.#paged('revisions', { limit: DEFAULT_PAGE_SIZE });
    this.revision = createRevisionOperation({
      allPagesDefaults: { limit: DEFAULT_PAGE_SIZE },
      url: (n, parameters) => buildUrl(this.#settings.base, PATHS.revision, parameters, { n }),
      read: (url, options) => this.#connection.read(url, options),
    });
    this.corrections = createCorrections((dataset) =>
      this.#paged('corrections', { limit: DEFAULT_PAGE_SIZE }, { dataset }),
    );
    this.changes = createChanges((dataset) =>
      // The caller's parameters have the revision.
      this.#paged('changes', { limit: DEFAULT_PAGE_SIZE } as Parameters<'changes'>, { dataset }),
    );
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

  /** Every dataset the token may read: descriptions, units, coverage, last revision, and when the next data is due. */
  catalogue(options?: CallOptions): Promise<TenorResponse<OperationData<'catalogue'>>> {
    return this.#read('catalogue', {}, {}, options);
  }

  /** Every security ever quoted. */
  securities(options?: CallOptions): Promise<TenorResponse<OperationData<'securities'>>> {
    return this.#read('securities', {}, {}, options);
  }

  /** Every fund. */
  funds(options?: CallOptions): Promise<TenorResponse<OperationData<'funds'>>> {
    return this.#read('funds', {}, {}, options);
  }

  /**
   * One page of a response in another format, with a `Link` header if more records match. Its body
   * can be streamed.
   */
  async download<N extends TableName>(
    name: N,
    format: Format,
    parameters?: Parameters<N>,
    options: CallOptions = {},
  ): Promise<Response> {
    const url = buildUrl(this.#settings.base, PATHS[assertKnownName(TABLES, name)], parameters);
    return this.#connection.open(url, MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
  }

  /** A whole dataset, from one revision. Its body can be streamed. */
  async export(
    name: DatasetName,
    format: ExportFormat,
    options: CallOptions = {},
  ): Promise<Response> {
    const url = buildUrl(this.#settings.base, EXPORTS, {}, { file: `${name}.${format}` });
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
        readRevisions: async (signal) =>
          (await this.revisions({ limit: DEFAULT_PAGE_SIZE }, { signal })).data,
      },
      options,
    );
  }

  /**
   * The same client, reading all data as of that instant, or as of the end of that day.
   * Revisions are always the current ones.
   */
  asOf(instant: Date | string): Tenor {
    const client = new Tenor(this.#options);
    client.#connection = this.#connection.withInstant(toAcceptDatetime(instant));
    return client;
  }

  #paged<N extends OperationName>(
    name: N,
    allPagesDefaults: Parameters<N>,
    segments: Readonly<Record<string, string>> = {},
  ): PagedOperation<OperationRecord<N>, Parameters<N>> {
    return createPagedOperation({
      allPagesDefaults,
      url: (parameters) => buildUrl(this.#settings.base, PATHS[name], parameters, segments),
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
    segments: Readonly<Record<string, string | number>>,
    options: CallOptions = {},
  ): Promise<TenorResponse<OperationData<N>>> {
    const url = buildUrl(this.#settings.base, PATHS[name], parameters, segments);
    return (await this.#connection.read(url, options)) as TenorResponse<OperationData<N>>;
  }
}

/** Rejects unknown names, which the type checker cannot do for JavaScript. */
function assertKnownName<N extends string>(names: readonly string[], name: N): N {
  if (names.includes(name)) return name;
  throw new TypeError(`there is no "${String(name)}"; there are ${names.join(', ')}`);
}
