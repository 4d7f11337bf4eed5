import { boundResponse, type Fetch, fetchInflated } from './bounded-response.ts';
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
export function resolveOptions(options: TenorOptions): ResolvedOptions {
  const { fetch = fetchInflated } = options;
  return {
    base: parseBaseUrl(options.baseUrl ?? readEnvironment('TENOR_URL')),
    token: validateToken(options.token ?? readEnvironment('TENOR_TOKEN')),
    timeoutMs: requireAtLeast(1, 'timeoutMs', options.timeoutMs ?? 30_000),
    tries: requireAtLeast(1, 'tries', options.tries ?? 7),
    totalMs: requireAtLeast(1, 'totalMs', options.totalMs ?? 120_000),
    cacheCharacters: requireAtLeast(0, 'cacheCharacters', options.cacheCharacters ?? 16_000_000),
    fetch: async (url, init) =>
      boundResponse(await fetch(url, init), url, new Headers(init.headers).get('accept')),
  };
}

/** Browsers have no environment. */
function readEnvironment(name: string): string {
  const { process } = globalThis as {
    process?: { env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[name] ?? '';
}

export function parseBaseUrl(baseUrl: string | URL, name = 'baseUrl (or TENOR_URL)'): URL {
  const base = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
  const isPlain = base?.username === '' && base.password === '' && base.search + base.hash === '';
  if (!base || !isPlain || !/^https?:$/.test(base.protocol)) {
    throw new TypeError(
      `${name} must be an http or https address without user, query and fragment`,
    );
  }
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return base;
}

function validateToken(token: string): string {
  // Some runtimes print the whole header in the error about an invalid character.
  if (typeof token === 'string' && /^[!-~]+$/.test(token)) return token;
  throw new TypeError(
    'token (or TENOR_TOKEN) must be a text of printable ASCII characters without spaces',
  );
}

/** Timers fire at once if their delay is longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function requireAtLeast(min: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= min) return Math.min(value, MAX_TIMER_MS);
  throw new TypeError(`${name} must be a number from ${min}`);
}
