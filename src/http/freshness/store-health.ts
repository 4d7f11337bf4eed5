import type { EmitEvent } from '../../event-log.ts';
import { system } from '../../shared/system.ts';
import type { StoreMigratedError } from '../../store/open-store.ts';

/** Tracks whether the store can be reached, and logs changes only. */
export class StoreHealth {
  /** When an unreachable store was last reached, as an HTTP date. */
  unconfirmedSince: string | undefined;
  hasEverFailed = false;
  /** Whether a newer Tenor has migrated the store: it is not served any more. */
  isMigrated = false;
  readonly #migration = Promise.withResolvers<StoreMigratedError>();
  #reachedMs = system.now();

  constructor(private readonly emit: EmitEvent) {}

  /** Resolves when a newer Tenor has migrated the store. */
  get migration(): Promise<StoreMigratedError> {
    return this.#migration.promise;
  }

  markMigrated(migration: StoreMigratedError): void {
    if (this.isMigrated) return;
    this.isMigrated = true;
    this.emit({ event: 'store.migrated', from: migration.from, to: migration.to });
    this.#migration.resolve(migration);
  }

  markReachable(): void {
    const nowMs = system.now();
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
