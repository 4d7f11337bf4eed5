import { expect } from 'bun:test';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import type { SharedLimits } from '../../src/http/rate-limiting/shared-limits.ts';
import type { ScrubPace } from '../../src/http/scrub/scrubber.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import type { StartServingThread } from '../../src/http/server/thread/start-thread.ts';
import type { AddressRanges } from '../../src/shared/ip-address.ts';
import type { Rate } from '../../src/shared/request-rate.ts';
import { retryUntil } from './eventually.ts';
import { startServingInProcess } from './start-thread-in-process.ts';
import type { TestStore } from './store.ts';

export const TOKEN = 'test-token';

export const SERVER_SETTINGS = {
  host: '127.0.0.1',
  port: 0,
  apiToken: TOKEN,
  rateLimit: null,
  tlsCert: '',
  tlsKey: '',
  scrubInterval: null,
  logRequests: 'all',
  logAddresses: 'all',
  logSlowMs: 60_000,
  trustedProxies: null,
  mcpOrigins: new Set(['https://allowed.example']),
  sdmxAgency: 'TENOR',
} as const;

/** A scrub that ends within seconds, and soon finds that damage was repaired. */
export const QUICK_PACE: ScrubPace = { coreShare: 0.75, repairIntervalMs: 500 };

export interface TestServer extends AsyncDisposable {
  readonly address: string;
  readonly store: TestStore;
  readonly events: LogEvent[];
  /** Sends a request with the operator's token; a header set to '' is left out. */
  request(target: string, headers?: Record<string, string>, method?: string): Promise<Response>;
  /** Waits until the server has taken up what was published, which `request` does by itself. */
  awaitPublished(): Promise<void>;
  /** The parsed body of a GET. */
  // biome-ignore lint/suspicious/noExplicitAny: what a body holds is what the tests find out
  getJson(target: string, headers?: Record<string, string>): Promise<any>;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly rateLimit?: Rate | null;
  readonly sharedLimits?: SharedLimits;
  readonly trustedProxies?: AddressRanges | null;
  readonly port?: number | undefined;
  readonly startThread?: StartServingThread | undefined;
  /** The address of the server that this one follows. */
  readonly follow?: string;
  readonly auditLog?: string;
}

/** Starts a server on a free port. Stopping it removes the store. */
export async function startTestServer(
  store: TestStore,
  {
    rateLimit = null,
    sharedLimits,
    trustedProxies = null,
    port = SERVER_SETTINGS.port,
    startThread = startServingInProcess,
    follow = '',
    auditLog = '',
  }: TestServerOptions = {},
): Promise<TestServer> {
  const events: LogEvent[] = [];
  const folder = join(tmpdir(), `tenor-exports-${crypto.randomUUID()}`);
  const exportCache = { folder, maxBytes: 50_000_000 };
  const limits = { rateLimit, trustedProxies };
  const settings = { ...SERVER_SETTINGS, ...limits, port, exportCache, follow, auditLog };
  const emit = (event: LogEvent) => events.push(event);
  const listening = await startServer({
    store,
    catalogue,
    settings,
    emit,
    startThread,
    ...(sharedLimits && { sharedLimits }),
  });
  let waiting = Promise.resolve();
  const awaitPublished = () => {
    if (store.takePublished?.()) waiting = waitForNewest(store, events);
    return waiting;
  };
  const ask: TestServer['request'] = async (target, headers = {}, method = 'GET') => {
    await awaitPublished();
    const sent = { authorization: `Bearer ${TOKEN}`, ...headers };
    const entries = Object.entries(sent).filter(([, value]) => value !== '');
    return fetch(`${listening.address}${target}`, { method, headers: Object.fromEntries(entries) });
  };
  const stop = async () => {
    await listening.stop();
    await store.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    address: listening.address,
    store,
    events,
    request: ask,
    awaitPublished,
    getJson: async (target, headers) => (await ask(target, headers)).json(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A server takes up what is published with its next poll. */
async function waitForNewest(store: TestStore, events: readonly LogEvent[]): Promise<void> {
  const reader = store.reader();
  const newest = await reader.revision();
  reader.close();
  await retryUntil(5_000, async () => {
    const seen = events.flatMap((event) =>
      event.event === 'revision.seen' || event.event === 'service.started' ? event.revision : [],
    );
    expect(Math.max(...seen)).toBeGreaterThanOrEqual(newest);
  });
}

/** The message of an error body. */
export async function errorMessage(response: Response): Promise<string> {
  const body = (await response.json()) as { message: string };
  return body.message;
}
