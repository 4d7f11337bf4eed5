import { TenorError } from './errors.js';
import { parseData, toTenorError } from './parse-body.js';
import { ResponseCache } from './response-cache.js';
import { parseMeta } from './response-meta.js';
import { withRetry, withTimeout } from './retry.js';
/** Sends requests to the service, with the token and a cache of the responses to it. */
export class Connection {
    #settings;
    #cache;
    #seen;
    #instant;
    constructor(settings, cache = new ResponseCache(settings.cacheCharacters), seen = { newest: 0 }, instant = '') {
        this.#settings = settings;
        this.#cache = cache;
        this.#seen = seen;
        this.#instant = instant;
    }
    /** The same connection, reading as of that instant. */
    withInstant(instant) {
        return new Connection(this.#settings, this.#cache, this.#seen, instant);
    }
    /** The same connection, which accepts older responses than this one has seen. */
    withoutSeenRevision() {
        return new Connection(this.#settings, this.#cache, { newest: 0 }, this.#instant);
    }
    /** Accepts responses that are older than others: the database was replaced. */
    forgetSeenRevision() {
        this.#seen.newest = 0;
    }
    /** Reads a JSON response, revalidating a cached one. */
    read({ href: url }, { signal, count }) {
        const headers = this.#buildHeaders(JSON_TYPE, count);
        const key = `${count ? 'counted ' : ''}${this.#instant} ${url}`;
        const cached = this.#cache.get(key);
        if (cached)
            headers.set('if-none-match', cached.etag);
        return this.#send({ url, headers, signal, isStreamed: false }, async (response) => {
            const details = getErrorDetails(url, response);
            if (response.status === 304 && cached) {
                const merged = mergeHeaders(cached.headers, response.headers);
                const data = parseData(details, cached.text, this.#redact);
                return { data, meta: parseMeta(url, merged, true) };
            }
            if (response.status !== 200)
                throw await toTenorError(response, details, this.#redact);
            const text = await response.text();
            const data = parseData(details, text, this.#redact);
            const meta = parseMeta(url, response.headers, false);
            const { etag } = meta;
            if (etag !== undefined)
                this.#cache.set(key, { etag, text, headers: response.headers });
            return { data, meta };
        });
    }
    /** Opens a response in another format, whose body can be streamed. */
    open({ href: url }, mediaType, { signal, count }) {
        const headers = this.#buildHeaders(mediaType, count);
        return this.#send({ url, headers, signal, isStreamed: true }, async (response) => {
            const details = getErrorDetails(url, response);
            if (response.status !== 200)
                throw await toTenorError(response, details, this.#redact);
            const type = getMediaType(response);
            if (type === mediaType)
                return response;
            // Errors are JSON in any format; so are responses that have no other format.
            if (type === JSON_TYPE)
                parseData(details, await response.text(), this.#redact);
            throw new TenorError('malformed', `the response is not ${mediaType}`, details);
        });
    }
    /** Opens a stream of events after a revision, without retries. */
    openEvents({ href: url }, lastEventId, signal) {
        const headers = this.#buildHeaders(EVENT_STREAM_TYPE, false);
        // The database may have been replaced by an older one, which is no error here.
        headers.delete('tenor-revision');
        if (lastEventId !== undefined)
            headers.set('last-event-id', String(lastEventId));
        const request = { url, headers, signal, isStreamed: true, shouldRetry: () => false };
        return this.#send(request, async (response) => {
            const details = getErrorDetails(url, response);
            if (response.status !== 200)
                throw await toTenorError(response, details, this.#redact);
            if (getMediaType(response) === EVENT_STREAM_TYPE)
                return response;
            throw new TenorError('malformed', 'the response is not a stream of events', details);
        });
    }
    /** Sends a request with retries; the callback reads the response within the timeout. */
    #send({ url, headers, signal, isStreamed, ...overrides }, callback) {
        const { fetch, ...policy } = this.#settings;
        return withRetry({ ...policy, ...overrides }, signal, (timeoutMs) => withTimeout({ url, timeoutMs, signal, isStreamed }, async (attemptSignal) => {
            const response = await fetch(url, { headers, signal: attemptSignal, redirect: 'manual' });
            const revision = Number(response.headers.get('tenor-revision'));
            if (revision > this.#seen.newest)
                this.#seen.newest = revision;
            return callback(response);
        }));
    }
    #buildHeaders(mediaType, count) {
        const authorization = `Bearer ${this.#settings.token}`;
        const headers = new Headers({ accept: mediaType, authorization });
        if (this.#instant !== '')
            headers.set('accept-datetime', this.#instant);
        if (count)
            headers.set('prefer', 'count=exact');
        // Another machine of the service may not have the revision yet: it then waits for it.
        if (this.#seen.newest > 0)
            headers.set('tenor-revision', String(this.#seen.newest));
        return headers;
    }
    /** A proxy may echo the request, and so the token. */
    #redact = (text) => text.replaceAll(this.#settings.token, '[token]');
}
const JSON_TYPE = 'application/json';
const EVENT_STREAM_TYPE = 'text/event-stream';
function getMediaType({ headers }) {
    return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}
function getErrorDetails(url, { status, headers }) {
    // Browsers hide a redirect behind status 0.
    return { url, status: status || undefined, requestId: headers.get('x-request-id') ?? undefined };
}
/** A 304 repeats only some of the headers; those replace the cached ones. */
function mergeHeaders(cached, newer) {
    const merged = new Headers(cached);
    for (const [name, value] of newer)
        merged.set(name, value);
    return merged;
}
