import { TenorError } from './errors.js';
import { parseEvents } from './parse-events.js';
import { getBackoffMs, SYSTEM_CLOCK } from './retry.js';
/** The service sends a comment every 15 seconds. */
const MAX_SILENCE_MS = 45_000;
const TEMPORARY = new Set([
    'network',
    'timeout',
    'too_many_requests',
    'temporarily_unavailable',
]);
/** Each revision as it is published. Ends only by an error that does not pass, or the signal. */
export async function* followRevisions(source, { since, pollMs = 30_000, signal }, clock = SYSTEM_CLOCK) {
    let last = since;
    let failures = 0;
    for (;;) {
        try {
            const response = await source.openEvents(last, signal);
            last ??= Number(response.headers.get('tenor-revision'));
            for await (const data of parseEvents(response, MAX_SILENCE_MS)) {
                const revision = JSON.parse(data);
                failures = 0;
                last = revision.revision;
                yield revision;
            }
            signal?.throwIfAborted();
            await clock.wait(getBackoffMs(++failures, clock.random()), signal);
        }
        catch (error) {
            signal?.throwIfAborted();
            if (!(error instanceof TenorError))
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
                const backoffMs = getBackoffMs(++failures, clock.random());
                await clock.wait(Math.max(error.retryAfterMs ?? 0, backoffMs), signal);
            }
            else
                throw error;
        }
    }
}
