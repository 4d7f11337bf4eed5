import { StoreUnavailableError } from '../../store/open-store.ts';
import type { ServerContext } from '../server-context.ts';

const REVISION_POLL_INTERVAL_MS = 250;
const TOKEN_POLL_INTERVAL_MS = 1_000;
const LAST_USED_FLUSH_INTERVAL_MS = 10_000;

/**
 * Keeps a running server in step with its store: new revisions, issued and revoked tokens, last
 * uses. Returns what ends it.
 */
export function startPollingStore(service: ServerContext): () => Promise<void> {
  const { reader, contact, keyring, memory, emit } = service;
  const seeRevision = async () => {
    const revision = await reader.revision();
    contact.found();
    if (memory.advance(revision)) emit({ event: 'revision.seen', revision });
  };
  let isTold = false;
  const seeTokens = async () => {
    await keyring.reload();
    isTold = false;
  };
  // What was known goes on being served, and tokens go on being accepted; the next round asks again.
  const timers = [
    every(REVISION_POLL_INTERVAL_MS, seeRevision, contact.missed),
    every(TOKEN_POLL_INTERVAL_MS, seeTokens, (cause) => {
      if (!isTold && contact.lastAt === undefined) emit({ event: 'tokens.unconfirmed', cause });
      isTold = true;
    }),
    every(LAST_USED_FLUSH_INTERVAL_MS, keyring.flush, () => {}),
  ];
  return async () => {
    timers.forEach(clearInterval);
    await keyring.flush();
  };

  function every(ms: number, work: () => Promise<void>, onMissing: (cause: string) => void) {
    const failed = (cause: unknown) => {
      if (cause instanceof StoreUnavailableError) onMissing(cause.message);
      else
        emit({
          event: 'watch.failed',
          cause: cause instanceof Error ? cause.message : String(cause),
        });
    };
    return setInterval(() => work().catch(failed), ms);
  }
}
