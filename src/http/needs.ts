import type { EmitEvent } from '../events.ts';
import type { StoreReader } from '../store/index.ts';
import type { TokenRegistry } from '../tokens/keyring.ts';
import type { FindLastChange } from './answers/changed.ts';
import type { ResponseCache } from './answers/memory.ts';
import type { FindRevisionAt } from './answers/stood-at.ts';
import type { CountTotal } from './answers/totals.ts';
import type { StoreHealth } from './contact.ts';
import type { TaskQueue } from './in-turn.ts';
import type { FailedAuthLimiter } from './limits/guesses.ts';
import type { RateLimiter } from './limits/rate-limit.ts';
import type { CursorCodec } from './request/cursor.ts';

/** What a request needs on its way. */
export interface ServerContext {
  readonly reader: StoreReader;
  readonly contact: StoreHealth;
  readonly keyring: TokenRegistry;
  readonly limit: RateLimiter;
  readonly guesses: FailedAuthLimiter;
  readonly cursors: CursorCodec;
  readonly memory: ResponseCache;
  readonly stoodAt: FindRevisionAt;
  readonly changed: FindLastChange;
  /** Makes answers that take memory and time, a few at once. */
  readonly making: TaskQueue;
  /** How many quotes match in all. */
  readonly totals: CountTotal;
  /** Told of the bytes of each new answer. */
  readonly collect: (bytes: number) => void;
  readonly emit: EmitEvent;
}
