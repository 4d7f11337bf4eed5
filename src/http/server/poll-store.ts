import { LEDGER } from '../../check/check-ledger.ts';
import type { EmitEvent } from '../../event-log.ts';
import type { EventStreams } from '../../operations/events/event-streams.ts';
import { startPolling } from '../../shared/start-polling.ts';
import {
  StoreDamagedError,
  StoreMigratedError,
  StoreUnavailableError,
} from '../../store/open-store.ts';
import type { TokenRegistry } from '../../tokens/token-registry.ts';
import type { StoreHealth } from '../freshness/store-health.ts';
import type { ReplaceableDatabase } from './replaceable-database.ts';

const REVISION_POLL_INTERVAL_MS = 250;
const TOKEN_POLL_INTERVAL_MS = 1_000;
/** Soon enough that a server which is killed a second after a request has stored it. */
const LAST_USED_SAVE_INTERVAL_MS = 500;

interface PollOptions {
  readonly replaceable: Pick<ReplaceableDatabase, 'database' | 'reopenIfReplaced'>;
  readonly storeHealth: StoreHealth;
  readonly tokens: Pick<
    TokenRegistry,
    'reload' | 'getSourceKeys' | 'saveSettledUses' | 'flushLastUsed'
  >;
  readonly eventStreams: Pick<EventStreams, 'advanceTo'>;
  readonly emit: EmitEvent;
}

/** Polls the store for revisions and tokens, and writes last uses. Returns what stops it. */
export function startPollingStore(options: PollOptions): () => Promise<void> {
  const { replaceable, storeHealth, tokens, eventStreams, emit } = options;
  const pollRevision = async () => {
    await replaceable.reopenIfReplaced();
    const { database } = replaceable;
    const { reader, newestRevision, damage } = database;
    const revision = await reader.revision();
    storeHealth.markReachable();
    await newestRevision.advanceTo(revision);
    // Clients that hear of it by an event may ask any process.
    newestRevision.shareWithOtherProcesses(revision);
    if (damage.covers([LEDGER])) return;
    try {
      await damage.watch([LEDGER], () => eventStreams.advanceTo(database, revision));
    } catch (cause) {
      // The store was reached; a scrub finds out what is damaged.
      if (!(cause instanceof StoreDamagedError)) throw cause;
    }
  };
  let isFailureReported = false;
  const pollTokens = async () => {
    await tokens.reload();
    replaceable.database.useSourceKeys(tokens.getSourceKeys());
    isFailureReported = false;
  };
  // While the store is unreachable, cached responses are served and known tokens accepted.
  const polls = [
    poll(REVISION_POLL_INTERVAL_MS, pollRevision, (cause) => storeHealth.markUnreachable(cause)),
    poll(TOKEN_POLL_INTERVAL_MS, pollTokens, (cause) => {
      if (!isFailureReported && storeHealth.unconfirmedSince === undefined)
        emit({ event: 'tokens.unconfirmed', cause });
      isFailureReported = true;
    }),
    poll(LAST_USED_SAVE_INTERVAL_MS, tokens.saveSettledUses, () => {}),
  ];
  return async () => {
    for (const stopPoll of polls) stopPoll();
    if (!storeHealth.isMigrated) await tokens.flushLastUsed();
  };

  function poll(
    intervalMs: number,
    operation: () => Promise<void>,
    onUnavailable: (cause: string) => void,
  ) {
    const handleFailure = (cause: unknown) => {
      if (cause instanceof Error && cause.cause instanceof StoreMigratedError)
        return storeHealth.markMigrated(cause.cause);
      const message = cause instanceof Error ? cause.message : String(cause);
      if (cause instanceof StoreUnavailableError) onUnavailable(message);
      else emit({ event: 'watch.failed', cause: message });
    };
    return startPolling(intervalMs, async () => {
      if (!storeHealth.isMigrated) await operation().catch(handleFailure);
    });
  }
}
