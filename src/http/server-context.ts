import type { EmitEvent } from '../event-log.ts';
import type { StoreReader } from '../store/open-store.ts';
import type { TokenRegistry } from '../tokens/token-registry.ts';
import type { FailedAuthLimiter } from './rate-limiting/failed-auth-limiter.ts';
import type { RateLimiter } from './rate-limiting/rate-limiter.ts';
import type { CursorCodec } from './request/cursor-codec.ts';
import type { FindLastChange } from './responses/last-change.ts';
import type { ResponseCache } from './responses/response-cache.ts';
import type { FindRevisionAt } from './responses/revision-at.ts';
import type { CountTotal } from './responses/total-count.ts';
import type { StoreHealth } from './runtime/store-health.ts';
import type { TaskQueue } from './runtime/task-queue.ts';

/** What a request needs on its way. */
export interface ServerContext {
  readonly reader: StoreReader;
  readonly storeHealth: StoreHealth;
  readonly tokens: TokenRegistry;
  readonly rateLimiter: RateLimiter;
  readonly failedAuthLimiter: FailedAuthLimiter;
  readonly cursors: CursorCodec;
  readonly responseCache: ResponseCache;
  readonly findRevisionAt: FindRevisionAt;
  readonly findLastChange: FindLastChange;
  /** Makes answers that take memory and time, a few at once. */
  readonly encodingQueue: TaskQueue;
  /** How many quotes match in all. */
  readonly countTotal: CountTotal;
  /** Told of the bytes of each new answer. */
  readonly reportAllocatedBytes: (bytes: number) => void;
  readonly emit: EmitEvent;
}
