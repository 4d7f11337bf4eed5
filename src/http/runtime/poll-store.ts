import { StoreUnavailableError } from '../../store/open-store.ts';
import type { ServerContext } from '../server-context.ts';

const REVISION_POLL_INTERVAL_MS = 250;
const TOKEN_POLL_INTERVAL_MS = 1_000;
const LAST_USED_FLUSH_INTERVAL_MS = 10_000;

/**
 * Keeps a running server in step with its store: new revisions, issued and revoked tokens, last
 * uses. Returns what ends it.
 */
export function startPollingStore(context: ServerContext): () => Promise<void> {
  const { reader, storeHealth, tokens, responseCache, emit } = context;
  const seeRevision = async () => {
    const revision = await reader.revision();
    storeHealth.markReachable();
    if (responseCache.advanceTo(revision)) emit({ event: 'revision.seen', revision });
  };
  let isReported = false;
  const seeTokens = async () => {
    await tokens.reload();
    isReported = false;
  };
  // What was known goes on being served, and tokens go on being accepted; the next round asks again.
  const timers = [
    every(REVISION_POLL_INTERVAL_MS, seeRevision, storeHealth.markUnreachable),
    every(TOKEN_POLL_INTERVAL_MS, seeTokens, (cause) => {
      if (!isReported && storeHealth.unconfirmedSince === undefined)
        emit({ event: 'tokens.unconfirmed', cause });
      isReported = true;
    }),
    every(LAST_USED_FLUSH_INTERVAL_MS, tokens.flushLastUsed, () => {}),
  ];
  return async () => {
    timers.forEach(clearInterval);
    await tokens.flushLastUsed();
  };

  function every(ms: number, operation: () => Promise<void>, onMissing: (cause: string) => void) {
    const failed = (cause: unknown) => {
      if (cause instanceof StoreUnavailableError) onMissing(cause.message);
      else
        emit({
          event: 'watch.failed',
          cause: cause instanceof Error ? cause.message : String(cause),
        });
    };
    return setInterval(() => operation().catch(failed), ms);
  }
}
