import type { EmitEvent } from '../../event-log.ts';

/** Tracks whether the store can be reached, and logs changes only. */
export class StoreHealth {
  /** When an unreachable store was last reached, as an HTTP date. */
  unconfirmedSince: string | undefined;
  hasEverFailed = false;
  #reachedMs: number;

  constructor(
    private readonly emit: EmitEvent,
    private readonly nowMs: () => number = Date.now,
  ) {
    this.#reachedMs = nowMs();
  }

  markReachable(): void {
    const nowMs = this.nowMs();
    if (this.unconfirmedSince !== undefined)
      this.emit({ event: 'store.back', afterMs: nowMs - this.#reachedMs });
    this.unconfirmedSince = undefined;
    this.#reachedMs = nowMs;
  }

  markUnreachable(cause: string): void {
    if (this.unconfirmedSince !== undefined) return;
    this.hasEverFailed = true;
    this.unconfirmedSince = new Date(this.#reachedMs).toUTCString();
    this.emit({ event: 'store.lost', cause });
  }
}
