import { TenorError } from './errors.js';
/**
 * Tries until it succeeds, the error is permanent, or tries or time run out; then throws the last
 * error. Never retries before `Retry-After`: if that is too late, the error is thrown at once.
 */
export async function withRetry({ tries, timeoutMs, totalMs, shouldRetry = isTemporary }, signal, callback, clock = SYSTEM_CLOCK) {
    const endMs = clock.nowMs() + totalMs;
    for (let attempt = 1;; attempt += 1) {
        try {
            return await callback(Math.max(1, Math.min(timeoutMs, endMs - clock.nowMs())));
        }
        catch (error) {
            if (!(error instanceof TenorError) || attempt >= tries || !shouldRetry(error))
                throw error;
            const waitMs = Math.max(error.retryAfterMs ?? 0, getBackoffMs(attempt, clock.random()));
            if (clock.nowMs() + waitMs >= endMs)
                throw error;
            await clock.wait(waitMs, signal);
        }
    }
}
const TEMPORARY = new Set([
    'network',
    'timeout',
    'too_many_requests',
    'temporarily_unavailable',
]);
/** Whether the same request may succeed later. */
export function isTemporary({ kind }) {
    return TEMPORARY.has(kind);
}
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;
/** Doubles with each attempt, minus up to half at random, so that clients do not retry in step. */
export function getBackoffMs(attempt, random) {
    const fullMs = Math.min(INITIAL_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
    return fullMs * (1 - random / 2);
}
/** `Retry-After`, which is seconds or a date; undefined if it is neither. */
export function parseRetryAfter(headers, nowMs) {
    const value = headers.get('retry-after')?.trim() ?? '';
    if (/^\d+$/.test(value))
        return Number(value) * 1_000;
    if (!value.endsWith('GMT'))
        return undefined;
    const untilMs = Date.parse(value);
    // A date is relative to the server's clock, which may differ from this one.
    const serverMs = Date.parse(headers.get('date') ?? '');
    const waitMs = untilMs - (Number.isNaN(serverMs) ? nowMs : serverMs);
    return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
/** The clock of the platform, by which requests time out too. */
export const SYSTEM_CLOCK = {
    nowMs: () => performance.now(),
    random: Math.random,
    startTimer(ms, onTimeout) {
        const timer = setTimeout(onTimeout, ms);
        return () => clearTimeout(timer);
    },
    wait: (ms, signal) => new Promise((resolve, reject) => {
        const abort = () => {
            stopTimer();
            reject(signal?.reason);
        };
        const stopTimer = SYSTEM_CLOCK.startTimer(ms, () => {
            signal?.removeEventListener('abort', abort);
            resolve();
        });
        if (signal?.aborted)
            abort();
        else
            signal?.addEventListener('abort', abort, { once: true });
    }),
};
/**
 * Runs the callback with a signal that aborts it at the timeout. Rejects with the reason of the
 * caller's signal if that aborted it, otherwise with a `TenorError`.
 */
export async function withTimeout({ url, timeoutMs, signal, isStreamed }, callback) {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stopTimer = SYSTEM_CLOCK.startTimer(timeoutMs, () => controller.abort());
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let keepsListener = false;
    try {
        // A custom fetch may ignore the signal.
        const result = await Promise.race([
            callback(controller.signal),
            rejectOnAbort(controller.signal),
        ]);
        keepsListener = isStreamed;
        return result;
    }
    catch (cause) {
        if (signal?.aborted)
            throw signal.reason;
        if (cause instanceof TenorError)
            throw cause;
        if (controller.signal.aborted) {
            const message = `no complete response within ${Math.round(timeoutMs)} ms`;
            throw new TenorError('timeout', message, { url }, { cause });
        }
        const message = `the connection failed: ${findRootMessage(cause)}`;
        throw new TenorError('network', message, { url }, { cause });
    }
    finally {
        stopTimer();
        if (!keepsListener)
            signal?.removeEventListener('abort', abort);
    }
}
function rejectOnAbort(signal) {
    return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
}
/** Some runtimes put the reason into a nested cause, or give only a code. */
function findRootMessage(cause) {
    const { message, code, cause: inner } = Object(cause);
    if (inner !== undefined)
        return findRootMessage(inner);
    return String(message || code || cause);
}
