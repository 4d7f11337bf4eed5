import { type Fetch } from './bounded-response.ts';
import type { RetryPolicy } from './retry.ts';
export interface TenorOptions {
    /** The URL of the service, such as `http://127.0.0.1:8080`; default TENOR_URL. */
    readonly baseUrl?: string | URL | undefined;
    /** Sent to that host only, and never part of an error; default TENOR_TOKEN. */
    readonly token?: string | undefined;
    /** The maximum time for one try of a request; default 30,000. */
    readonly timeoutMs?: number | undefined;
    /** The maximum number of tries of a request; default 7. With 1, nothing is retried. */
    readonly tries?: number | undefined;
    /** The maximum time for all tries of a request, with waits; default 120,000. */
    readonly totalMs?: number | undefined;
    /** The size of the response cache in characters; default 16,000,000. */
    readonly cacheCharacters?: number | undefined;
    /** Replaces the `fetch` of the platform. */
    readonly fetch?: Fetch | undefined;
}
export type { Fetch };
/** Options of one request. */
export interface CallOptions {
    /** Aborts the request, its waits and the reading of its body. */
    readonly signal?: AbortSignal | undefined;
    /** Whether to count all matching records: see `meta.total`. */
    readonly count?: boolean | undefined;
}
/** Validated options with their defaults. */
export interface ResolvedOptions extends RetryPolicy {
    readonly base: URL;
    readonly token: string;
    readonly cacheCharacters: number;
    readonly fetch: Fetch;
}
/** Throws a `TypeError` that names the invalid option, never with the token in it. */
export declare function resolveOptions(options: TenorOptions): ResolvedOptions;
export declare function parseBaseUrl(baseUrl: string | URL, name?: string): URL;
