import type { Emit } from '../events.ts';
import type { Reader } from '../store/index.ts';
import type { Keyring } from '../tokens/keyring.ts';
import type { Changed } from './answers/changed.ts';
import type { Memory } from './answers/memory.ts';
import type { StoodAt } from './answers/stood-at.ts';
import type { Totals } from './answers/totals.ts';
import type { Contact } from './contact.ts';
import type { InTurn } from './in-turn.ts';
import type { Guesses } from './limits/guesses.ts';
import type { RateLimit } from './limits/rate-limit.ts';
import type { Cursors } from './request/cursor.ts';

/** What a request needs on its way. */
export interface Service {
  readonly reader: Reader;
  readonly contact: Contact;
  readonly keyring: Keyring;
  readonly limit: RateLimit;
  readonly guesses: Guesses;
  readonly cursors: Cursors;
  readonly memory: Memory;
  readonly stoodAt: StoodAt;
  readonly changed: Changed;
  /** Makes answers that take memory and time, a few at once. */
  readonly making: InTurn;
  /** How many quotes match in all. */
  readonly totals: Totals;
  /** Told of the bytes of each new answer. */
  readonly collect: (bytes: number) => void;
  readonly emit: Emit;
}
