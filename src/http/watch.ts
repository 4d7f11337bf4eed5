import { StoreUnavailable } from '../store/index.ts';
import type { Service } from './needs.ts';

const REVISION_EVERY_MS = 250;
const TOKENS_EVERY_MS = 1_000;
const LAST_USE_EVERY_MS = 10_000;

/**
 * Keeps a running server in step with its store: new revisions, issued and revoked tokens, last
 * uses. Returns what ends it.
 */
export function watch(service: Service): () => Promise<void> {
  const { reader, contact, keyring, memory, emit } = service;
  const seeRevision = async () => {
    const revision = await reader.revision();
    contact.found();
    if (memory.advance(revision)) emit({ event: 'revision.seen', revision });
  };
  const every = (ms: number, work: () => Promise<void>) =>
    setInterval(() => work().catch((cause) => missed(service, cause)), ms);
  const timers = [
    every(REVISION_EVERY_MS, seeRevision),
    every(TOKENS_EVERY_MS, keyring.reload),
    every(LAST_USE_EVERY_MS, keyring.flush),
  ];
  return async () => {
    timers.forEach(clearInterval);
    await keyring.flush();
  };
}

/** What was known goes on being served; the next round asks again. */
function missed({ contact, emit }: Service, cause: unknown): void {
  if (cause instanceof StoreUnavailable) contact.missed(cause.message);
  else
    emit({ event: 'watch.failed', cause: cause instanceof Error ? cause.message : String(cause) });
}
