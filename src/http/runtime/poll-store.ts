import { StoreUnavailableError } from '../../store/open-store.ts';
import type { FollowedContext } from './follow-database.ts';
import { advanceToRevision } from './newest-revision.ts';

const REVISION_POLL_INTERVAL_MS = 250;
const TOKEN_POLL_INTERVAL_MS = 1_000;
const LAST_USED_FLUSH_INTERVAL_MS = 10_000;

/** Polls the store for revisions and tokens, and writes last uses. Returns what stops it. */
export function startPollingStore({
  get: getContext,
  follow,
}: Omit<FollowedContext, 'close'>): () => Promise<void> {
  const { storeHealth, tokens, emit } = getContext();
  const pollRevision = async () => {
    await follow();
    const context = getContext();
    const revision = await context.reader.revision();
    storeHealth.markReachable();
    advanceToRevision(context, revision);
    await context.eventStreams.advanceTo(context.reader, revision);
  };
  let isFailureReported = false;
  const pollTokens = async () => {
    await tokens.reload();
    isFailureReported = false;
  };
  // While the store is unreachable, cached responses are served and known tokens accepted.
  const timers = [
    poll(REVISION_POLL_INTERVAL_MS, pollRevision, storeHealth.markUnreachable),
    poll(TOKEN_POLL_INTERVAL_MS, pollTokens, (cause) => {
      if (!isFailureReported && storeHealth.unconfirmedSince === undefined)
        emit({ event: 'tokens.unconfirmed', cause });
      isFailureReported = true;
    }),
    poll(LAST_USED_FLUSH_INTERVAL_MS, tokens.flushLastUsed, () => {}),
  ];
  return async () => {
    timers.forEach(clearInterval);
    await tokens.flushLastUsed();
  };

  function poll(
    intervalMs: number,
    operation: () => Promise<void>,
    onUnavailable: (cause: string) => void,
  ) {
    const handleFailure = (cause: unknown) => {
      const message = cause instanceof Error ? cause.message : String(cause);
      if (cause instanceof StoreUnavailableError) onUnavailable(message);
      else emit({ event: 'watch.failed', cause: message });
    };
    return setInterval(() => operation().catch(handleFailure), intervalMs);
  }
}
