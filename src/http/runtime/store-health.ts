import type { EmitEvent } from '../../event-log.ts';

/** Whether the store answers. */
export interface StoreHealth {
  /** When it last did, as a header tells it; undefined as long as it does. */
  readonly lastAt: string | undefined;
  /** Whether it ever did not. */
  readonly wasLost: boolean;
  /** It has answered. */
  found(): void;
  /** It has not. */
  missed(cause: string): void;
}

/** Keeps in mind whether the store answers, and tells of changes only. */
export function createStoreHealth(emit: EmitEvent, nowMs: () => number = Date.now): StoreHealth {
  let foundMs = nowMs();
  let lastAt: string | undefined;
  let wasLost = false;
  return {
    get lastAt() {
      return lastAt;
    },
    get wasLost() {
      return wasLost;
    },
    found() {
      if (lastAt !== undefined) emit({ event: 'store.back', afterMs: nowMs() - foundMs });
      lastAt = undefined;
      foundMs = nowMs();
    },
    missed(cause) {
      if (lastAt !== undefined) return;
      wasLost = true;
      lastAt = new Date(foundMs).toUTCString();
      emit({ event: 'store.lost', cause });
    },
  };
}
