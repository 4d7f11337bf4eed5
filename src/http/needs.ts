import type { Emit } from '../events.ts';
import type { Reader } from '../store/index.ts';
import type { Keyring } from '../tokens/keyring.ts';
import type { Changed } from './changed.ts';
import type { Cursors } from './cursor.ts';
import type { Guesses } from './guesses.ts';
import type { Memory } from './memory.ts';
import type { RateLimit } from './rate-limit.ts';
import type { StoodAt } from './stood-at.ts';

/** What a request needs on its way. */
export interface Service {
  readonly reader: Reader;
  readonly keyring: Keyring;
  readonly limit: RateLimit;
  readonly guesses: Guesses;
  readonly cursors: Cursors;
  readonly memory: Memory;
  readonly stoodAt: StoodAt;
  readonly changed: Changed;
  /** Told of the bytes of each new answer. */
  readonly collect: (bytes: number) => void;
  readonly emit: Emit;
}
