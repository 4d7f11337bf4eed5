import type { EmitEvent } from '../event-log.ts';
import type { StoreReader } from '../store/open-store.ts';
import type { TokenRegistry } from '../tokens/token-registry.ts';
import type { FailedAuthLimiter } from './rate-limiting/failed-auth-limiter.ts';
import type { RateLimiter } from './rate-limiting/rate-limiter.ts';
import { type CursorCodec, createCursorCodec } from './request/cursor-codec.ts';
import { createResponseCache, type ResponseCache } from './responses/response-cache.ts';
import { createStoreLookups, type StoreLookups } from './responses/store-lookups.ts';
import { createKeepAlive, type KeepAlive } from './runtime/keep-alive.ts';
import { createStoreHealth, type StoreHealth } from './runtime/store-health.ts';
import { createTaskQueue, type TaskQueue } from './runtime/task-queue.ts';

/** What handling a request needs. */
export interface ServerContext extends StoreLookups {
  readonly reader: StoreReader;
  readonly storeHealth: StoreHealth;
  readonly keepAlive: KeepAlive;
  readonly tokens: TokenRegistry;
  readonly rateLimiter: RateLimiter;
  readonly failedAuthLimiter: FailedAuthLimiter;
  readonly cursors: CursorCodec;
  readonly responseCache: ResponseCache;
  /** Bounds how many responses are encoded at a time in formats that take memory. */
  readonly encodingQueue: TaskQueue;
  /** Counts the bytes of new responses towards the next garbage collection. */
  readonly reportAllocatedBytes: (bytes: number) => void;
  readonly emit: EmitEvent;
}

const RESPONSE_CACHE_BYTES = 24 * 1024 * 1024;
const MAX_CONCURRENT_ENCODINGS = 4;
const GC_INTERVAL_BYTES = 16 * 1024 * 1024;

/** Assembles a context over a reader. */
export async function createServerContext(
  reader: StoreReader,
  options: Pick<ServerContext, 'tokens' | 'rateLimiter' | 'failedAuthLimiter' | 'emit'>,
): Promise<ServerContext> {
  return {
    ...options,
    ...createStoreLookups(reader),
    reader,
    storeHealth: createStoreHealth(options.emit),
    keepAlive: createKeepAlive(),
    cursors: createCursorCodec(await reader.secret()),
    responseCache: createResponseCache(RESPONSE_CACHE_BYTES),
    encodingQueue: createTaskQueue(MAX_CONCURRENT_ENCODINGS),
    reportAllocatedBytes: createGarbageCollectionTrigger(),
  };
}

/** The collector does not count blobs and SQLite's texts, so it would run too late by itself. */
function createGarbageCollectionTrigger(): (bytes: number) => void {
  let allocated = 0;
  return (bytes) => {
    allocated += bytes;
    if (allocated < GC_INTERVAL_BYTES) return;
    allocated = 0;
    Bun.gc(true);
  };
}
