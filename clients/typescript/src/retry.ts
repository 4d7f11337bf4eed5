import { TenorError, type TenorErrorKind } from './errors.ts';

/** How much is spent on one request. */
export interface RetryPolicy {
  /** Most tries. */
  readonly tries: number;
  /** Most time for one try. */
  readonly timeoutMs: number;
  /** Most time for all tries, with the waits between them. */
  readonly totalMs: number;
}

/** Time and chance. */
export interface Clock {
  nowMs(): number;
  /** Between 0 and 1. */
  random(): number;
  /** Rejects with the signal's reason where that aborts first. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Tries until it works, until a failure is one that trying again does not mend, or until patience
 * ends: then with the last failure. It never asks again before the service said it may: where that
 * is too late, it gives up at once.
 */
export async function withRetry<T>(
  { tries, timeoutMs, totalMs }: RetryPolicy,
  signal: AbortSignal | undefined,
  callback: (timeoutMs: number) => Promise<T>,
  clock: Clock = SYSTEM_CLOCK,
): Promise<T> {
  const endMs = clock.nowMs() + totalMs;
  for (let tried = 1; ; tried += 1) {
    try {
      return await callback(Math.max(1, Math.min(timeoutMs, endMs - clock.nowMs())));
    } catch (failure) {
      if (!isTransient(failure) || tried >= tries) throw failure;
      const waitMs = Math.max(failure.retryAfterMs ?? 0, getBackoffMs(tried, clock.random()));
      if (clock.nowMs() + waitMs >= endMs) throw failure;
      await clock.wait(waitMs, signal);
    }
  }
}

const TRANSIENT: ReadonlySet<TenorErrorKind> = new Set([
  'network',
  'timeout',
  'too_many_requests',
  'temporarily_unavailable',
]);

function isTransient(failure: unknown): failure is TenorError {
  return failure instanceof TenorError && TRANSIENT.has(failure.kind);
}

const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;

/** Twice as long each time; up to half of it by chance, so that many clients do not come at once. */
export function getBackoffMs(tried: number, random: number): number {
  const fullMs = Math.min(INITIAL_BACKOFF_MS * 2 ** (tried - 1), MAX_BACKOFF_MS);
  return fullMs * (1 - random / 2);
}

/** What `Retry-After` asks for: seconds, or a date. Undefined where it says neither. */
export function parseRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  if (!value.endsWith('GMT')) return undefined;
  const untilMs = Date.parse(value);
  // A date is by the clock of whoever sent it, which may go otherwise than this one.
  const theirMs = Date.parse(headers.get('date') ?? '');
  const waitMs = untilMs - (Number.isNaN(theirMs) ? nowMs : theirMs);
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

const SYSTEM_CLOCK: Clock = {
  nowMs: () => performance.now(),
  random: Math.random,
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    }),
};
