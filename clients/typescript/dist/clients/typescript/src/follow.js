import { TenorError } from '../../../src/client/errors.js';
import { parseEvents } from '../../../src/client/parse-events.js';
import { parseMeta } from '../../../src/client/response-meta.js';
import { getBackoffMs, isTemporary, SYSTEM_CLOCK } from '../../../src/client/retry.js';
/** The service sends a comment every 15 seconds. */
const MAX_SILENCE_MS = 45_000;
const DEFAULT_POLL_MS = 30_000;
/** The maximum number of revisions that a poll reads. */
const POLL_LIMIT = 1_000;
/** Each revision as it is published. Ends only by an error that does not pass, or the signal. */
export async function* followRevisions(source, options, clock = SYSTEM_CLOCK) {
    const { signal } = options;
    const reader = new RevisionReader(source, options, clock);
    let failures = 0;
    for (;;) {
        try {
            for await (const revision of reader.read()) {
                failures = 0;
                yield revision;
            }
        }
        catch (error) {
            signal?.throwIfAborted();
            if (!(error instanceof TenorError) || !isTemporary(error))
                throw error;
            const backoffMs = getBackoffMs(++failures, clock.random());
            await clock.wait(Math.max(error.retryAfterMs ?? 0, backoffMs), signal);
        }
    }
}
/** Reads on after the last revision that was read. */
class RevisionReader {
    #source;
    #pollMs;
    #signal;
    #clock;
    #last;
    /** The instant at which the last revision was published, if it is known. */
    #publishedAt;
    constructor(source, options, clock) {
        this.#source = source;
        this.#last = options.since;
        this.#pollMs = options.pollMs ?? DEFAULT_POLL_MS;
        this.#signal = options.signal;
        this.#clock = clock;
    }
    /** The revisions of one connection, or of polling where the service has no events. */
    async *read() {
        try {
            yield* this.#readEvents();
        }
        catch (error) {
            this.#signal?.throwIfAborted();
            const kind = error instanceof TenorError ? error.kind : undefined;
            if (kind === 'bad_request' && this.#last !== undefined)
                yield* this.#startAnew();
            else if (kind === 'not_found')
                yield* this.#poll();
            else
                throw error;
        }
    }
    async *#readEvents() {
        const response = await this.#source.openEvents(this.#last, this.#signal);
        const meta = parseMeta(response.url || 'http://localhost/', response.headers, false);
        const { sincePublishedAt = this.#publishedAt } = meta;
        if (this.#publishedAt !== undefined && sincePublishedAt !== this.#publishedAt) {
            await response.body?.cancel();
            return yield* this.#startAnew();
        }
        this.#publishedAt = this.#last === undefined ? meta.publishedAt : sincePublishedAt;
        this.#last ??= meta.revision ?? 0;
        for await (const data of parseEvents(response, MAX_SILENCE_MS))
            yield this.#advanceTo(JSON.parse(data));
        throw new TenorError('network', 'the stream of events ended', { url: response.url });
    }
    #advanceTo(revision) {
        this.#last = revision.revision;
        this.#publishedAt = revision.publishedAt;
        return revision;
    }
    /** The newest revision of a database that replaced the one before. */
    async *#startAnew() {
        this.#source.forgetSeenRevision();
        const [newest] = await this.#source.readRevisions(1, this.#signal);
        this.#last = 0;
        this.#publishedAt = undefined;
        if (newest)
            yield this.#advanceTo(newest);
    }
    async *#poll() {
        const revisions = await this.#source.readRevisions(POLL_LIMIT, this.#signal);
        const last = this.#last ?? revisions[0]?.revision ?? 0;
        this.#last = last;
        for (const revision of revisions.filter(({ revision: number }) => number > last).reverse())
            yield this.#advanceTo(revision);
        await this.#clock.wait(this.#pollMs, this.#signal);
    }
}
