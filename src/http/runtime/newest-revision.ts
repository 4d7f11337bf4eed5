import type { Awaitable } from '../../shared/awaitable.ts';
import type { StoreReader } from '../../store/open-store.ts';
import { createHttpError, type HttpError } from '../http-error.ts';
import type { ServerContext } from '../server-context.ts';

type RevisionContext = Pick<ServerContext, 'reader' | 'responseCache' | 'sharedRevision' | 'emit'>;

/** From now on, nothing older than this revision is sent. */
export function advanceToRevision(
  { reader, responseCache, emit }: RevisionContext,
  revision: number,
): void {
  if (!responseCache.advanceTo(revision)) return;
  reader.observeRevision(revision);
  emit({ event: 'revision.seen', revision });
}

/** Takes up what other processes have sent already. */
export function followOtherProcesses(context: RevisionContext): void {
  const { sharedRevision } = context;
  if (sharedRevision) advanceToRevision(context, sharedRevision.get());
}

const WAIT_MS = 1_000;
const POLL_INTERVAL_MS = 25;
/** For one that was lost and given up: another of that number may have been published just now. */
const LOST_WAIT_MS = 100;
export const REQUIRED_REVISION_HEADER = 'Tenor-Revision';
const REVISION_PATTERN = /^\d{1,10}$/;

/**
 * Waits until the revision is there that a request has seen before, perhaps from another machine,
 * unless it was lost and given up since; an error where it is not there in time, or where the
 * header is invalid.
 */
export function awaitRequiredRevision(
  context: RevisionContext,
  header: string,
): Awaitable<HttpError | undefined> {
  if (!REVISION_PATTERN.test(header)) return INVALID_REVISION_ERROR;
  const required = Number(header);
  if (required <= context.responseCache.revision) return undefined;
  return pollForRevision(context, required);
}

async function pollForRevision(
  context: RevisionContext,
  required: number,
): Promise<HttpError | undefined> {
  const { reader, responseCache } = context;
  const isLost = required <= reader.lostRevision();
  const deadlineMs = performance.now() + (isLost ? LOST_WAIT_MS : WAIT_MS);
  let revision = await reader.revision();
  while (revision < required && performance.now() < deadlineMs) revision = await pollSoon(reader);
  advanceToRevision(context, revision);
  return isLost || required <= responseCache.revision ? undefined : MISSING_REVISION_ERROR;
}

const polls = new WeakMap<StoreReader, Promise<number>>();

/** The newest revision in a moment; all who wait for one share the query. */
function pollSoon(reader: StoreReader): Promise<number> {
  const existing = polls.get(reader);
  if (existing) return existing;
  const poll = Bun.sleep(POLL_INTERVAL_MS)
    .then(() => reader.revision())
    .finally(() => polls.delete(reader));
  polls.set(reader, poll);
  return poll;
}

const INVALID_REVISION_ERROR = createHttpError('bad_header', {
  header: REQUIRED_REVISION_HEADER,
  allowed: 'the number of a revision, in plain digits',
});
const MISSING_REVISION_ERROR = createHttpError(
  'temporarily_unavailable',
  {},
  { 'Retry-After': '1' },
);
