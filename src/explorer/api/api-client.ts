import { buildUrl } from '../../client/build-url.ts';
import { Connection } from '../../client/connection.ts';
import { fetchPages } from '../../client/fetch-pages.ts';
import { resolveOptions } from '../../client/options.ts';
import { toTenorError } from '../../client/parse-body.ts';
import { parseMeta, type ResponseMeta, type TenorResponse } from '../../client/response-meta.ts';
import { withTimeout } from '../../client/retry.ts';
import type { Tab } from './tab.ts';
import type { ApiRequest } from './types.ts';

export type { TenorResponse } from '../../client/response-meta.ts';

const MAX_CACHED_RESPONSES = 200;
const TIMEOUT_MS = 20_000;

/** A revision's number and instant, which together distinguish databases. */
export type RevisionId = `${number} ${string}`;

type Identified = Partial<Pick<ResponseMeta, 'revision' | 'publishedAt'>>;

export const identifyRevision = ({ revision = 0, publishedAt = '' }: Identified): RevisionId =>
  `${revision} ${publishedAt}`;

export const getRevisionNumber = (id: RevisionId = '0 ') => Number.parseInt(id, 10);

/** The revision that the signed checkpoint of the ledger names. */
export interface Checkpoint {
  readonly etag: string;
  readonly revision: RevisionId;
}

const NO_CHECKPOINT: Checkpoint = { etag: '', revision: '0 ' };

/** Reads from the service with one token, as of one instant. */
export class ApiClient {
  readonly #connection: Connection;
  readonly #cache = new Map<string, Promise<TenorResponse<unknown>>>();
  #revision: RevisionId | undefined;
  #version: string | undefined;
  /**
   * Called if a response is of another revision than the catalogue, so that a poll reads everything again.
   */
  onOtherRevision: () => void = () => {};

  constructor(
    readonly tab: Tab,
    token: string,
    readonly asOf: string | undefined,
  ) {
    const { baseUrl, fetch } = tab;
    // No retries here: the page itself retries, and says so.
    const options = resolveOptions({ baseUrl, fetch, token, tries: 1, timeoutMs: TIMEOUT_MS });
    this.#connection = new Connection(options).withInstant(asOf ?? '');
  }

  async read<T>(request: ApiRequest): Promise<TenorResponse<T>> {
    const cached = this.#readCached(request);
    const response = await cached;
    if (this.#isCurrent(response)) return response as TenorResponse<T>;
    // The request was sent together with that for the catalogue, which is of another revision.
    const key = JSON.stringify(request);
    if (this.#cache.get(key) === cached) this.#cache.delete(key);
    const repeated = await this.#readCached(request);
    if (!this.#isCurrent(repeated)) {
      this.#version = '';
      this.onOtherRevision();
    }
    return repeated as TenorResponse<T>;
  }

  #isCurrent({ meta }: TenorResponse<unknown>): boolean {
    // The ledger is never read as of an instant.
    if (this.asOf !== undefined && meta.memento === undefined) return true;
    return this.#revision === undefined || identifyRevision(meta) === this.#revision;
  }

  readUncached<T>({ path, parameters, allPages }: ApiRequest): Promise<TenorResponse<T>> {
    const url = buildUrl(this.tab.baseUrl, path, parameters);
    const response = allPages
      ? readAllPages(url, this.#connection)
      : this.#connection.read(url, {});
    return response as Promise<TenorResponse<T>>;
  }

  /** Requests a format other than JSON. */
  download({ path, parameters }: ApiRequest, mediaType: string): Promise<Response> {
    return this.#connection.open(buildUrl(this.tab.baseUrl, path, parameters), mediaType, {});
  }

  /**
   * Reads the checkpoint, without the token because it is open to all; returns the previous one if it is not
   * modified.
   */
  readCheckpoint(previous = NO_CHECKPOINT): Promise<Checkpoint> {
    const { href: url } = buildUrl(this.tab.baseUrl, '/ledger/checkpoint');
    const attempt = { url, timeoutMs: TIMEOUT_MS, signal: undefined, isStreamed: false };
    return withTimeout(attempt, async (signal) => {
      const headers = new Headers(previous.etag ? { 'if-none-match': previous.etag } : {});
      const response = await this.tab.fetch(url, { headers, signal });
      if (response.status === 304) return previous;
      if (response.status === 404) return NO_CHECKPOINT;
      if (!response.ok) throw await toTenorError(response, { url }, String);
      const { etag = '', ...meta } = parseMeta(url, response.headers, false);
      return { etag, revision: identifyRevision(meta) };
    });
  }

  /** Forgets the responses of another revision; returns whether the revision has changed. */
  setRevision(revision: RevisionId, version: string): boolean {
    if (revision === this.#revision && version === this.#version) return false;
    if (this.#version !== undefined) this.#cache.clear();
    // Only another database, or one that has lost revisions, responds with an older revision than requested.
    if (getRevisionNumber(revision) < getRevisionNumber(this.#revision)) this.forgetSeenRevision();
    this.#version = version;
    this.#revision = revision;
    return true;
  }

  /** Accepts responses that are older than previous ones: the database may have been replaced. */
  forgetSeenRevision(): void {
    this.#connection.forgetSeenRevision();
  }

  #readCached(request: ApiRequest): Promise<TenorResponse<unknown>> {
    const key = JSON.stringify(request);
    const response = this.#cache.get(key) ?? this.readUncached(request);
    response.catch(() => this.#cache.delete(key));
    // A map keeps insertion order, so the least recently used response comes first.
    this.#cache.delete(key);
    this.#cache.set(key, response);
    const [oldest = key] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED_RESPONSES) this.#cache.delete(oldest);
    return response;
  }
}

async function readAllPages(first: URL, connection: Connection): Promise<TenorResponse<unknown>> {
  const data: unknown[] = [];
  let last: TenorResponse<unknown> | undefined;
  const read = (url: URL) => connection.read(url, {}) as Promise<TenorResponse<readonly unknown[]>>;
  for await (const page of fetchPages(first, read)) {
    for (const record of page.data) data.push(record);
    last = page;
  }
  if (!last) throw new TypeError('a paginated response has at least one page');
  return { data, meta: last.meta };
}
