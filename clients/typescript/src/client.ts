import { toAcceptDatetime } from './accept-datetime.ts';
import { buildUrl } from './build-url.ts';
import { Connection } from './connection.ts';
import { type Corrections, createCorrections } from './corrections.ts';
import { TenorError } from './errors.ts';
import {
  type DatasetName,
  EXPORTS,
  type ExportFormat,
  type Format,
  MEDIA_TYPES,
  type Operations,
  PATHS,
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

type OperationName = keyof Operations;
type Parameters<N extends OperationName> = Operations[N]['parameters'];
type OperationData<N extends OperationName> = Operations[N]['data'];
type OperationRecord<N extends OperationName> =
  OperationData<N> extends readonly (infer T)[] ? T : never;

/** How many records are asked for at a time where all are wanted. */
const DEFAULT_PAGE_SIZE = 1_000;

const FORMATS = Object.keys(MEDIA_TYPES) as Format[];

/** A client of one service with one token. */
export class Tenor {
  readonly #options: TenorOptions;
  readonly #settings: ResolvedOptions;
  #connection: Connection;

  /**
   * Quotes of bills and bonds: of a day or of a range of days. Without `date`, `from` and `to` only
   * the newest day is meant, by `all` and `pages` too: the history of a security needs a `from`.
   */
  readonly quotes: PagedOperation<OperationRecord<'quotes'>, Parameters<'quotes'>>;

  /** What was published, corrected and retired, newest first. */
  readonly revisions: PagedOperation<OperationRecord<'revisions'>, Parameters<'revisions'>>;

  /** What stood before: every record of a dataset that was corrected or retired, newest first. */
  readonly corrections: Corrections;

  constructor(options: TenorOptions) {
    this.#options = { ...options };
    this.#settings = resolveOptions(options);
    this.#connection = new Connection(this.#settings);
    this.quotes = this.#listing('quotes', { limit: DEFAULT_PAGE_SIZE });
    this.revisions = this.#listing('revisions', { limit: DEFAULT_PAGE_SIZE });
    this.corrections = createCorrections((dataset) =>
      this.#listing('corrections', { limit: DEFAULT_PAGE_SIZE }, { dataset }),
    );
  }

  /** How a fund divides its assets. A fund that there is not is a `TenorError`. */
  fundAllocation(
    parameters: Parameters<'fund-allocation'>,
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<'fund-allocation'>>> {
    return this.#one('fund-allocation', parameters, {}, options);
  }

  /** A statistical series, newest period first. */
  async series<N extends SeriesName>(
    name: N,
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<N>>> {
    return this.#one(assertKnownName(SERIES, name), {}, {}, options);
  }

  /** Every dataset that the token opens: meanings, units, how far it reaches, how fresh it is. */
  catalogue(options?: CallOptions): Promise<TenorResponse<OperationData<'catalogue'>>> {
    return this.#one('catalogue', {}, {}, options);
  }

  /** Every security ever quoted. */
  securities(options?: CallOptions): Promise<TenorResponse<OperationData<'securities'>>> {
    return this.#one('securities', {}, {}, options);
  }

  /** Every fund. */
  funds(options?: CallOptions): Promise<TenorResponse<OperationData<'funds'>>> {
    return this.#one('funds', {}, {}, options);
  }

  /** One revision with what it changed. */
  revision(
    n: number,
    parameters: Parameters<'revision'> = {},
    options?: CallOptions,
  ): Promise<TenorResponse<OperationData<'revision'>>> {
    return this.#one('revision', parameters, { n }, options);
  }

  /** An answer with records in another form. Its body is there to be read as it comes in. */
  async download<N extends TableName>(
    name: N,
    format: Format,
    parameters?: Parameters<N>,
    options: CallOptions = {},
  ): Promise<Response> {
    const url = buildUrl(this.#settings.base, PATHS[assertKnownName(TABLES, name)], parameters);
    return this.#connection.open(url, MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
  }

  /** A whole dataset, from one revision. Its body is there to be read as it comes in. */
  async export(
    name: DatasetName,
    format: ExportFormat,
    options: CallOptions = {},
  ): Promise<Response> {
    const url = buildUrl(this.#settings.base, EXPORTS, {}, { file: `${name}.${format}` });
    return this.#connection.open(url, MEDIA_TYPES[assertKnownName(FORMATS, format)], options);
  }

  /**
   * The same client, with every answer as it stood at that instant, or at the end of that day.
   * What was published when is always told as of now.
   */
  asOf(instant: Date | string): Tenor {
    const past = new Tenor(this.#options);
    past.#connection = this.#connection.withInstant(toAcceptDatetime(instant));
    return past;
  }

  #listing<N extends OperationName>(
    name: N,
    whole: Parameters<N>,
    segments: Readonly<Record<string, string>> = {},
  ): PagedOperation<OperationRecord<N>, Parameters<N>> {
    return createPagedOperation({
      allPagesDefaults: whole,
      url: (parameters) => buildUrl(this.#settings.base, PATHS[name], parameters, segments),
      read: async (url, options) => {
        const { data, meta } = await this.#connection.read(url, options);
        if (Array.isArray(data)) return { data, meta };
        const { requestId } = meta;
        throw new TenorError('malformed', 'the answer is not a list', { url: url.href, requestId });
      },
    });
  }

  async #one<N extends OperationName>(
    name: N,
    parameters: Parameters<N>,
    segments: Readonly<Record<string, string | number>>,
    options: CallOptions = {},
  ): Promise<TenorResponse<OperationData<N>>> {
    const url = buildUrl(this.#settings.base, PATHS[name], parameters, segments);
    return (await this.#connection.read(url, options)) as TenorResponse<OperationData<N>>;
  }
}

/** A name that is among the names. Who writes JavaScript is told what there is. */
function assertKnownName<N extends string>(names: readonly string[], name: N): N {
  if (names.includes(name)) return name;
  throw new TypeError(`there is no "${String(name)}"; there are ${names.join(', ')}`);
}
