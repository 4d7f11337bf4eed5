"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.followRevisions = followRevisions;
const errors_ts_1 = require("./errors.js");
const parse_events_ts_1 = require("./parse-events.js");
const retry_ts_1 = require("./retry.js");
/** The service sends a comment every 15 seconds. */
const MAX_SILENCE_MS = 45_000;
const TEMPORARY = new Set([
    'network',
    'timeout',
    'too_many_requests',
    'temporarily_unavailable',
]);
/** How many revisions a poll reads. */
const POLL_LIMIT = 1_000;
/** Each revision as it is published. Ends only by an error that does not pass, or the signal. */
async function* followRevisions(source, { since, pollMs = 30_000, signal }, clock = retry_ts_1.SYSTEM_CLOCK) {
    const reader = { source, last: since, pollMs, signal, clock };
    let failures = 0;
    for (;;) {
        try {
            for await (const revision of readSome(reader)) {
                failures = 0;
                yield revision;
            }
        }
        catch (error) {
            signal?.throwIfAborted();
            if (!(error instanceof errors_ts_1.TenorError) || !TEMPORARY.has(error.kind))
                throw error;
            const backoffMs = (0, retry_ts_1.getBackoffMs)(++failures, clock.random());
            await clock.wait(Math.max(error.retryAfterMs ?? 0, backoffMs), signal);
        }
    }
}
/** The revisions of one connection, or of polling where the service has no events. */
async function* readSome(reader) {
    const { source, signal } = reader;
    try {
        const response = await source.openEvents(reader.last, signal);
        reader.last ??= Number(response.headers.get('tenor-revision'));
        for await (const data of (0, parse_events_ts_1.parseEvents)(response, MAX_SILENCE_MS)) {
            const revision = JSON.parse(data);
            reader.last = revision.revision;
            yield revision;
        }
        throw new errors_ts_1.TenorError('network', 'the stream of events ended', { url: response.url });
    }
    catch (error) {
        signal?.throwIfAborted();
        const kind = error instanceof errors_ts_1.TenorError ? error.kind : undefined;
        if (kind === 'bad_request' && reader.last !== undefined)
            yield* startAnew(reader);
        else if (kind === 'not_found')
            yield* poll(reader);
        else
            throw error;
    }
}
/** The newest revision of a database that replaced one with more revisions. */
async function* startAnew(reader) {
    reader.source.forgetSeenRevision();
    const [newest] = await reader.source.readRevisions(1, reader.signal);
    reader.last = newest?.revision ?? 0;
    if (newest)
        yield newest;
}
async function* poll(reader) {
    const { source, clock, pollMs, signal } = reader;
    const revisions = await source.readRevisions(POLL_LIMIT, signal);
    const last = reader.last ?? revisions[0]?.revision ?? 0;
    reader.last = last;
    for (const revision of revisions.filter(({ revision: number }) => number > last).reverse()) {
        reader.last = revision.revision;
        yield revision;
    }
    await clock.wait(pollMs, signal);
}
