import { TenorError } from './errors.ts';
/** Limits of the tries of a request. */
export interface RetryPolicy {
    /** The maximum number of tries. */
    readonly tries: number;
    /** The maximum time for one try. */
    readonly timeoutMs: number;
    /** The maximum time for all tries, with the waits between them. */
    readonly totalMs: number;
    /** Whether to try again after this error; by default after temporary ones. */
    readonly shouldRetry?: (error: TenorError) => boolean;
}
/** Time and randomness, which tests replace. */
export interface Clock {
    nowMs(): number;
    /** A number from 0 to 1. */
    random(): number;
    /** Rejects with the signal's reason if that aborts first. */
    wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}
/**
 * Tries until it succeeds, the error is permanent, or tries or time run out; then throws the last
 * error. Never retries before `Retry-After`: if that is too late, the error is thrown at once.
 */
export declare function withRetry<T>({ tries, timeoutMs, totalMs, shouldRetry }: RetryPolicy, signal: AbortSignal | undefined, callback: (timeoutMs: number) => Promise<T>, clock?: Clock): Promise<T>;
/** Whether the same request may succeed later. */
export declare function isTemporary({ kind }: TenorError): boolean;
/** Doubles with each attempt, minus up to half at random, so that clients do not retry in step. */
export declare function getBackoffMs(attempt: number, random: number): number;
/** `Retry-After`, which is seconds or a date; undefined if it is neither. */
export declare function parseRetryAfter(headers: Headers, nowMs: number): number | undefined;
/** The clock of the platform, by which requests time out too. */
export declare const SYSTEM_CLOCK: Clock & {
    /** Returns a function that stops the timer. */
    startTimer(ms: number, onTimeout: () => void): () => void;
};
/** The limits of one try. */
interface AttemptOptions {
    readonly url: string;
    readonly timeoutMs: number;
    /** The caller's signal. */
    readonly signal: AbortSignal | undefined;
    /** Whether the body is read after the callback: the caller's signal then aborts that too. */
    readonly isStreamed: boolean;
}
/**
 * Runs the callback with a signal that aborts it at the timeout. Rejects with the reason of the
 * caller's signal if that aborted it, otherwise with a `TenorError`.
 */
export declare function withTimeout<T>({ url, timeoutMs, signal, isStreamed }: AttemptOptions, callback: (signal: AbortSignal) => Promise<T>): Promise<T>;
export {};
