import { TenorError } from './errors.ts';
import type { CallOptions, ResolvedOptions } from './options.ts';
import { parseData, toTenorError } from './parse-body.ts';
import { createResponseCache, type ResponseCache } from './response-cache.ts';
import { parseMeta, type TenorResponse } from './response-meta.ts';
import { withRetry } from './retry.ts';
import { withTimeout } from './with-timeout.ts';

/** Asks the service. It holds the token, and the answers that were given for it. */
export class Connection {
  readonly #settings: ResolvedOptions;
  readonly #kept: ResponseCache;
  readonly #instant: string;

  constructor(
    settings: ResolvedOptions,
    cache = createResponseCache(settings.cacheCharacters),
    instant = '',
  ) {
    this.#settings = settings;
    this.#kept = cache;
    this.#instant = instant;
  }

  /** The same connection, but everything as it stood at that instant. */
  withInstant(instant: string): Connection {
    return new Connection(this.#settings, this.#kept, instant);
  }

  /** What the service answers with, as JSON. */
  read({ href: url }: URL, { signal, count }: CallOptions): Promise<TenorResponse<unknown>> {
    const headers = this.#headersFor(JSON_TYPE, count);
    const key = `${count ? 'counted ' : ''}${this.#instant} ${url}`;
    const known = this.#kept.get(key);
    if (known) headers.set('if-none-match', known.etag);
    return this.#ask({ url, headers, signal, isOpen: false }, async (response) => {
      const details = getErrorDetails(url, response);
      if (response.status === 304 && known) {
        const all = mergeHeaders(known.headers, response.headers);
        return {
          data: parseData(details, known.text, this.#hide),
          meta: parseMeta(url, all, true),
        };
      }
      if (response.status !== 200) throw await toTenorError(response, details, this.#hide);
      const text = await response.text();
      const data = parseData(details, text, this.#hide);
      const meta = parseMeta(url, response.headers, false);
      const { etag } = meta;
      if (etag !== undefined) this.#kept.set(key, { etag, text, headers: response.headers });
      return { data, meta };
    });
  }

  /** The answer in another form, as it comes in. */
  open({ href: url }: URL, mediaType: string, { signal, count }: CallOptions): Promise<Response> {
    const headers = this.#headersFor(mediaType, count);
    return this.#ask({ url, headers, signal, isOpen: true }, async (response) => {
      const details = getErrorDetails(url, response);
      if (response.status !== 200) throw await toTenorError(response, details, this.#hide);
      const sent = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
      if (sent === mediaType) return response;
      // Errors are JSON whatever was asked for; so is what the service has in no other form.
      if (sent === JSON_TYPE) parseData(details, await response.text(), this.#hide);
      throw new TenorError('malformed', `the answer is not ${mediaType}`, details);
    });
  }

  /** Tries until there is an answer, and makes of it what is wanted while the time runs. */
  #ask<T>(
    { url, headers, signal, isOpen }: PreparedRequest,
    use: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { fetch, ...patience } = this.#settings;
    return withRetry(patience, signal, (timeoutMs) =>
      withTimeout({ url, timeoutMs, signal, isStreamed: isOpen }, async (ended) =>
        use(await fetch(url, { headers, signal: ended, redirect: 'manual' })),
      ),
    );
  }

  #headersFor(mediaType: string, count: boolean | undefined): Headers {
    const authorization = `Bearer ${this.#settings.token}`;
    const headers = new Headers({ accept: mediaType, authorization });
    if (this.#instant !== '') headers.set('accept-datetime', this.#instant);
    if (count) headers.set('prefer', 'count=exact');
    return headers;
  }

  /** What stands between may answer with what it was sent. */
  readonly #hide = (text: string) => text.replaceAll(this.#settings.token, '[token]');
}

interface PreparedRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | undefined;
  readonly isOpen: boolean;
}

const JSON_TYPE = 'application/json';

function getErrorDetails(url: string, { status, headers }: Response) {
  // Browsers say 0 where they hide a redirect.
  return { url, status: status || undefined, requestId: headers.get('x-request-id') ?? undefined };
}

/** A 304 repeats only some of the headers; those that it has are the newer ones. */
function mergeHeaders(kept: Headers, newer: Headers): Headers {
  const all = new Headers(kept);
  for (const [name, value] of newer) all.set(name, value);
  return all;
}
