import type { OpenPath } from './open-path.ts';
import { readLines } from './read-lines.ts';
import { retryInterrupted } from './retry-interrupted.ts';
import { type Hash, hashLeaf, isSameHash, sha256 } from './tree.ts';
import { createAlarm } from './verification-error.ts';

/** The part of an entry of the log that its changes are compared with. */
export interface LogEntry {
  readonly revision: number;
  readonly dataset: string;
  readonly added: number;
  readonly corrected: number;
  readonly retired: number;
  /** The digest of all changes, in hexadecimal. */
  readonly changes: string;
}

/** Reads the entry of a revision, which must have that leaf; undefined if the token may not. */
export async function readEntry(
  open: OpenPath,
  revision: number,
  leaf: Hash,
): Promise<LogEntry | undefined> {
  const text = await readEntryText(open, revision);
  if (text === undefined) return undefined;
  const digest = await sha256(new TextEncoder().encode(text));
  const entry = isSameHash(await hashLeaf(digest), leaf) && (JSON.parse(text) as LogEntry);
  if (entry && entry.revision === revision) return entry;
  throw createAlarm(
    'altered-entry',
    `What the service says of revision ${revision} (its dataset, instant, source, author or counts) is not what the log has.`,
    { revision },
  );
}

/** The text whose digest is in the log; undefined if the token may not read it. */
export async function readEntryText(open: OpenPath, revision: number) {
  try {
    return await (await open(`/ledger/entries/${revision}`, 'application/json')).text();
  } catch (cause) {
    const { status } = cause as { status?: unknown };
    if (status === 403) return undefined;
    if (status !== 404) throw cause;
    const message = `Revision ${revision} is in the log, but the service does not have it.`;
    throw createAlarm('missing-entry', message, { revision });
  }
}

/** The largest page. */
const PAGE_SIZE = 10_000;

const HASH_BYTES = 32;
const MAX_BATCH_CHARACTERS = 8_388_608;

/** Reads the changes of a revision as lines, in batches: no more than its entry says. */
export async function* readChangePages(
  open: OpenPath,
  entry: LogEntry,
): AsyncGenerator<string[], void, undefined> {
  const { dataset, revision } = entry;
  // A record whose label was corrected comes as two lines.
  const max = entry.added + 2 * entry.corrected + entry.retired;
  let count = 0;
  const range = `since=${revision - 1}&until=${revision}&as_of=${revision}`;
  const path = `/changes/${dataset}?${range}&as_stored=true&limit=${PAGE_SIZE}`;
  let cursor: string | undefined;
  do {
    const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await open(path + page, 'application/x-ndjson').catch(ignoreMissing);
    let [batch, characters]: [string[], number] = [[], 0];
    for await (const line of response ? readLines(response) : []) {
      // Also if the entry has no numbers.
      if (line !== '' && !(++count <= max))
        throw createChangesAlarm(entry, `more than ${max} records`);
      if (line !== '') batch.push(line);
      characters += line.length;
      if (characters < MAX_BATCH_CHARACTERS) continue;
      yield batch;
      [batch, characters] = [[], 0];
    }
    yield batch;
    cursor = response?.cursor;
  } while (cursor !== undefined);
}

/** Reads the changes of a revision as lines, which must be those of its entry. */
export async function readChangeLines(open: OpenPath, entry: LogEntry): Promise<string[]> {
  const lines = await retryInterrupted(async () => {
    const read: string[] = [];
    for await (const batch of readChangePages(open, entry))
      for (const line of batch) read.push(line);
    return read;
  });
  if ((await digestLines(lines)) === entry.changes && hasCountsOf(entry, lines)) return lines;
  throw createChangesAlarm(entry, `${lines.length} records`);
}

function createChangesAlarm({ revision, dataset }: LogEntry, records: string) {
  const message = `The ${records} that the service says revision ${revision} of ${dataset} changed are not those of the log.`;
  return createAlarm('altered-changes', message, { revision, dataset });
}

export function ignoreMissing(cause: { status?: unknown }): undefined {
  if (cause.status !== 404) throw cause;
}

/** SHA-256 over the ascending digests of lines, in hexadecimal. */
export async function digestLines(lines: readonly string[]): Promise<string> {
  const encoder = new TextEncoder();
  const digests: Hash[] = [];
  for (let first = 0; first < lines.length; first += PAGE_SIZE) {
    const page = lines.slice(first, first + PAGE_SIZE);
    for (const digest of await Promise.all(page.map((line) => sha256(encoder.encode(line)))))
      digests.push(digest);
  }
  // There may be more of them than a function takes as arguments.
  const bytes = new Uint8Array(digests.length * HASH_BYTES);
  for (const [index, digest] of digests.sort(compareHashes).entries())
    bytes.set(digest, index * HASH_BYTES);
  return toHex(await sha256(bytes));
}

function compareHashes(a: Hash, b: Hash): number {
  for (let index = 0; index < HASH_BYTES; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function toHex(bytes: Hash): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A record whose label or letter case was corrected comes as two lines: retired and added. */
function hasCountsOf({ added, corrected, retired }: LogEntry, lines: readonly string[]): boolean {
  const count = (change: string) =>
    lines.filter((line) => line.startsWith(`{"change":"${change}",`)).length;
  const relabelled = corrected - count('corrected');
  return (
    relabelled >= 0 &&
    count('added') === added + relabelled &&
    count('retired') === retired + relabelled
  );
}
