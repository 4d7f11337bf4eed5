import type { EmitEvent } from '../../event-log.ts';

/** Whether the store answers. */
export interface StoreHealth {
  /** When it last did, as a header tells it; undefined as long as it does. */
  readonly unconfirmedSince: string | undefined;
  /** Whether it ever did not. */
  readonly hasEverFailed: boolean;
  /** It has answered. */
  markReachable(): void;
  /** It has not. */
  markUnreachable(cause: string): void;
}

/** Keeps in mind whether the store answers, and tells of changes only. */
export function createStoreHealth(emit: EmitEvent, nowMs: () => number = Date.now): StoreHealth {
  let foundMs = nowMs();
  let lastAt: string | undefined;
  let wasLost = false;
  return {
    get unconfirmedSince() {
      return lastAt;
    },
    get hasEverFailed() {
      return wasLost;
    },
    markReachable() {
      if (lastAt !== undefined) emit({ event: 'store.back', afterMs: nowMs() - foundMs });
      lastAt = undefined;
      foundMs = nowMs();
    },
    markUnreachable(cause) {
      if (lastAt !== undefined) return;
      wasLost = true;
      lastAt = new Date(foundMs).toUTCString();
      emit({ event: 'store.lost', cause });
    },
  };
}
