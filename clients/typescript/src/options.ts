import type { RetryPolicy } from './retry.ts';

/** What a client is made with. */
export interface TenorOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string | URL;
  /** Sent only there, and shown nowhere. */
  readonly token: string;
  /** Most time for one try of a request: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Most tries of a request: 7. With 1, nothing is tried again. */
  readonly tries?: number | undefined;
  /** Most time for all tries of a request, with the waits between them: 120,000. */
  readonly totalMs?: number | undefined;
  /** How many characters of answers are kept, to be given again if unchanged: 16,000,000. */
  readonly cacheCharacters?: number | undefined;
  /** What sends requests, where that is not to be the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What can be said about one request. */
export interface CallOptions {
  /** Ends the request, its waits and the reading of its answer. */
  readonly signal?: AbortSignal | undefined;
  /** Whether to count what matches: see `meta.total`. */
  readonly count?: boolean | undefined;
}

/** Options, checked and with their defaults. */
export interface ResolvedOptions extends RetryPolicy {
  readonly base: URL;
  readonly token: string;
  readonly cacheCharacters: number;
  readonly fetch: Fetch;
}

/** Throws a `TypeError` that names what is wrong. No message has the token in it. */
export function resolveOptions(options: TenorOptions): ResolvedOptions {
  return {
    base: parseBaseUrl(options.baseUrl),
    token: validateToken(options.token),
    timeoutMs: requireAtLeast(1, 'timeoutMs', options.timeoutMs ?? 30_000),
    tries: requireAtLeast(1, 'tries', options.tries ?? 7),
    totalMs: requireAtLeast(1, 'totalMs', options.totalMs ?? 120_000),
    cacheCharacters: requireAtLeast(0, 'cacheCharacters', options.cacheCharacters ?? 16_000_000),
    // Looked up when it is called, and called as a function: browsers refuse it as a method.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  };
}

function parseBaseUrl(baseUrl: string | URL): URL {
  const base = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
  const isPlain = base?.username === '' && base.password === '' && base.search + base.hash === '';
  if (!base || !isPlain || !/^https?:$/.test(base.protocol)) {
    throw new TypeError(
      'baseUrl must be an http or https address without user, query and fragment',
    );
  }
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return base;
}

function validateToken(token: string): string {
  // A header with anything else in it makes some runtimes print the header.
  if (typeof token === 'string' && /^[!-~]+$/.test(token)) return token;
  throw new TypeError('token must be a text of printable ASCII characters without spaces');
}

/** The most that timers take: they fire at once where it is longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function requireAtLeast(least: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= least) return Math.min(value, MAX_TIMER_MS);
  throw new TypeError(`${name} must be a number from ${least}`);
}
