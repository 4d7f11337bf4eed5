import { readChangePages, readEntryText } from '../../clients/typescript/src/ledger/log-entry.ts';
import { encodeBase64 } from '../../clients/typescript/src/ledger/note.ts';
import { readDigest } from '../../clients/typescript/src/ledger/read-leaves.ts';
import {
  type Hash,
  hashLeaf,
  isSameHash,
  sha256,
} from '../../clients/typescript/src/ledger/tree.ts';
import { createAlarm } from '../../clients/typescript/src/ledger/verification-error.ts';
import {
  type LogVerification,
  type OpenPath,
  openCheckpoint,
} from '../../clients/typescript/src/ledger/verify-log.ts';
import type { FollowedRevision, LedgerKey } from '../store/open-store.ts';

/** A log that was verified, and what its revisions are compared with. */
export interface VerifiedLog extends Pick<LogVerification, 'size' | 'root' | 'key'> {
  readonly keys: readonly LedgerKey[];
  /** The hashes of all revisions; undefined where the next one is the newest. */
  readonly leaves: readonly Hash[] | undefined;
}

/** Reads a revision of a log and the first of its changes; the others as they are taken. */
export async function readRevision(
  open: OpenPath,
  revision: number,
  log: VerifiedLog,
): Promise<FollowedRevision> {
  const [entry, signed] = await Promise.all([
    readEntryText(open, revision),
    readSigned(open, revision, log),
  ]);
  const digest =
    entry === undefined ? await readDigest(open, revision, log.size) : await digestText(entry);
  const leaf = log.leaves?.[revision - 1];
  if (leaf && !isSameHash(await hashLeaf(digest), leaf)) throw createEntryAlarm(revision);
  if (entry === undefined) return { revision, ...signed, digest };
  const pages = readChangePages(open, { revision, dataset: parseDataset(entry, revision) });
  return { revision, ...signed, entry, lines: await readPagesAhead(pages) };
}

/** The signed note of the log that ends with a revision, and when that was published. */
export async function readSigned(
  open: OpenPath,
  revision: number,
  { size, root, keys }: VerifiedLog,
) {
  const response = await open(`/ledger/checkpoint?size=${revision}`, 'text/plain');
  const publishedAt = response.headers.get('tenor-published-at') ?? '';
  const note = await response.text();
  for (const { key } of keys) {
    const opened = await openCheckpoint(note, key);
    const isOther = revision === size && opened && encodeBase64(opened.root) !== root;
    if (opened?.size === revision && !isOther) return { checkpoint: note, publishedAt, keys };
  }
  const message = `The checkpoint of revision ${revision} is not one that a key of the log has signed.`;
  throw createAlarm('unsigned', message, { revision });
}

const digestText = (text: string) => sha256(new TextEncoder().encode(text));

function parseDataset(entry: string, revision: number): string {
  try {
    return String(Object(JSON.parse(entry)).dataset);
  } catch {
    throw createEntryAlarm(revision);
  }
}

function createEntryAlarm(revision: number) {
  const message = `What the source says of revision ${revision} is not what the log has.`;
  return createAlarm('altered-entry', message, { revision });
}

/** Waits for the first page; then, the next one is read while one is used. */
async function readPagesAhead<T>(pages: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  let next = pages.next();
  await next;
  return (async function* () {
    for (;;) {
      const page = await next;
      if (page.done) return;
      next = pages.next();
      // It fails when it is awaited, if it ever is.
      next.catch(() => {});
      yield page.value;
    }
  })();
}
