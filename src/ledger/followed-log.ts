import type { LedgerKeys } from './follow-keys.ts';
import { type LogEntry, readChangePages, readEntryText } from './log-entry.ts';
import { encodeBase64, parseCheckpoint } from './note.ts';
import type { OpenPath } from './open-path.ts';
import { readDigest } from './read-leaves.ts';
import { hashLeaf, isSameHash, type ReadHash, sha256 } from './tree.ts';
import { createAlarm } from './verification-error.ts';
import {
  type LogVerification,
  openCheckpoint,
  readKeys,
  type VerifierState,
  type VerifyLogOptions,
  verifyGrowth,
} from './verify-log.ts';

/*
 * A log that is followed revision by revision, each compared with it, by a copy of the ledger that
 * keeps the checkpoints and keys of what it has.
 */

export interface FollowedLog extends LogVerification {
  readonly keys: LedgerKeys['keys'];
  readonly readHash: ReadHash;
}

/** The state of a copy by its newest checkpoint and its keys; undefined if it has none. */
export function createState(note = '', keys: LedgerKeys['keys']): VerifierState | undefined {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint) return undefined;
  const { origin, size } = checkpoint;
  const { key = '' } = keys.filter((each) => each.key.startsWith(`${origin}+`)).at(-1) ?? {};
  const root = encodeBase64(checkpoint.root);
  const earlierKeys = keys.map((each) => each.key);
  return { origin, key, size, root, checkpoint: note, verifiedAt: '', earlierKeys, leaves: [] };
}

/** Verifies that a log goes on from the state of a copy. */
export async function openFollowedLog(
  open: OpenPath,
  options: VerifyLogOptions,
): Promise<FollowedLog> {
  const { log, readHash } = await verifyGrowth(open, { ...options, logOnly: true });
  const { keys } = await readKeys(open);
  return { ...log, keys, readHash };
}

/** Revisions, and pages of changes of one, that are read while one is used. */
const [REVISIONS_AHEAD, PAGES_AHEAD] = [4, 3];

/** Reads the revisions from one on, several at a time. */
export async function* readFollowedRevisions(open: OpenPath, first: number, log: FollowedLog) {
  const pending: ReturnType<typeof readFollowedRevision>[] = [];
  for (let next = first; next <= log.size || pending.length > 0; ) {
    while (next <= log.size && pending.length < REVISIONS_AHEAD) {
      const revision = readFollowedRevision(open, next++, log);
      // It fails when it is awaited, if it ever is.
      revision.catch(() => {});
      pending.push(revision);
    }
    yield (await pending.shift()) as Awaited<(typeof pending)[number]>;
  }
}

/** Reads a revision and the first of its changes; the others as they are used. */
async function readFollowedRevision(open: OpenPath, revision: number, log: FollowedLog) {
  const [entry, signed] = await Promise.all([
    readEntryText(open, revision),
    readSigned(open, revision, log),
  ]);
  const isReadable = entry !== undefined;
  const digest = isReadable
    ? await sha256(new TextEncoder().encode(entry))
    : await readDigest(open, revision, log.size);
  const leaf = await log.readHash(0, revision - 1);
  if (!isSameHash(await hashLeaf(digest), leaf)) throw createEntryAlarm(revision);
  if (!isReadable) return { revision, ...signed, digest };
  const pages = readChangePages(open, { ...parseEntry(entry, revision), revision });
  return { revision, ...signed, entry, lines: await readAhead(pages) };
}

/** The signed note of the log that ends with a revision, and when that was published. */
export async function readSigned(
  open: OpenPath,
  revision: number,
  { size, root, keys }: FollowedLog,
) {
  const response = await open(`/ledger/checkpoint?size=${revision}`, 'text/plain');
  const publishedAt = response.headers.get('tenor-published-at') ?? '';
  const checkpoint = await response.text();
  for (const { key } of keys) {
    const opened = await openCheckpoint(checkpoint, key);
    const isOther = revision === size && opened && encodeBase64(opened.root) !== root;
    if (opened?.size === revision && !isOther) return { checkpoint, publishedAt, keys };
  }
  const message = `The checkpoint of revision ${revision} is not one that a key of the log has signed.`;
  throw createAlarm('unsigned', message, { revision });
}

function parseEntry(entry: string, revision: number): LogEntry {
  try {
    return Object(JSON.parse(entry));
  } catch {
    throw createEntryAlarm(revision);
  }
}

function createEntryAlarm(revision: number) {
  const message = `What the source says of revision ${revision} is not what the log has.`;
  return createAlarm('altered-entry', message, { revision });
}

/** Waits for the first page, and then reads the next ones while one is used. */
async function readAhead<T>(pages: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  const pending = [pages.next()];
  await pending[0];
  return (async function* () {
    for (;;) {
      const page = (await pending.shift()) as IteratorResult<T>;
      if (page.done) return;
      while (pending.length < PAGES_AHEAD) {
        const next = pages.next();
        next.catch(() => {});
        pending.push(next);
      }
      yield page.value;
    }
  })();
}
