import type { EmitEvent } from '../../event-log.ts';

export interface StoreHealth {
  /** When an unreachable store was last reached, as an HTTP date. */
  readonly unconfirmedSince: string | undefined;
  readonly hasEverFailed: boolean;
  markReachable(): void;
  markUnreachable(cause: string): void;
}

/** Tracks whether the store can be reached, and logs changes only. */
export function createStoreHealth(emit: EmitEvent, nowMs: () => number = Date.now): StoreHealth {
  let reachedMs = nowMs();
  let unconfirmedSince: string | undefined;
  let hasEverFailed = false;
  return {
    get unconfirmedSince() {
      return unconfirmedSince;
    },
    get hasEverFailed() {
      return hasEverFailed;
    },
    markReachable() {
      if (unconfirmedSince !== undefined)
        emit({ event: 'store.back', afterMs: nowMs() - reachedMs });
      unconfirmedSince = undefined;
      reachedMs = nowMs();
    },
    markUnreachable(cause) {
      if (unconfirmedSince !== undefined) return;
      hasEverFailed = true;
      unconfirmedSince = new Date(reachedMs).toUTCString();
      emit({ event: 'store.lost', cause });
    },
  };
}
