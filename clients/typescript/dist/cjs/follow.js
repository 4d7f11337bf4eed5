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
/** Each revision as it is published. Ends only by an error that does not pass, or the signal. */
async function* followRevisions(source, { since, pollMs = 30_000, signal }, clock = retry_ts_1.SYSTEM_CLOCK) {
    let last = since;
    let failures = 0;
    for (;;) {
        try {
            const response = await source.openEvents(last, signal);
            last ??= Number(response.headers.get('tenor-revision'));
            for await (const data of (0, parse_events_ts_1.parseEvents)(response, MAX_SILENCE_MS)) {
                const revision = JSON.parse(data);
                failures = 0;
                last = revision.revision;
                yield revision;
            }
            signal?.throwIfAborted();
            await clock.wait((0, retry_ts_1.getBackoffMs)(++failures, clock.random()), signal);
        }
        catch (error) {
            signal?.throwIfAborted();
            if (!(error instanceof errors_ts_1.TenorError))
                throw error;
            if (error.kind === 'bad_request' && last !== undefined) {
                // The database was replaced by one with fewer revisions.
                last = undefined;
            }
            else if (error.kind === 'not_found') {
                const revisions = await source.readRevisions(signal);
                const known = last ?? revisions[0]?.revision ?? 0;
                yield* revisions.filter(({ revision }) => revision > known).reverse();
                last = Math.max(known, ...revisions.map(({ revision }) => revision));
                await clock.wait(pollMs, signal);
            }
            else if (TEMPORARY.has(error.kind)) {
                const backoffMs = (0, retry_ts_1.getBackoffMs)(++failures, clock.random());
                await clock.wait(Math.max(error.retryAfterMs ?? 0, backoffMs), signal);
            }
            else
                throw error;
        }
    }
}
