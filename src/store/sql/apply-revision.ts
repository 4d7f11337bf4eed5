import { Catalogue } from '../../catalogue/catalogues.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getColumnValues, getKeyValues, getStorageTable } from '../../schema/storage-table.ts';
import { parseChangeLine } from '../change-lines.ts';
import { computeRevisionChecksum, RowChecksum } from '../checksum.ts';
import { DuplicateKeyError, FollowError } from '../errors.ts';
import { type LedgerEntry, UNREADABLE_DATASET } from '../ledger.ts';
import type { FollowedRevision } from '../publisher.ts';
import type { Batches, EncodedRow, RecordKey } from '../rows.ts';
import { findDeclarations } from './declarations.ts';
import { insertLedgerEntry } from './ledger.ts';
import { formatLogEntry, LedgerLog, type LogDigest, sha256 } from './ledger-log.ts';
import type { WriteSession } from './session.ts';
import { findNewestDay, writeRevision } from './stage-revision.ts';

/**
 * Writes a revision of another database under its number and instant, within a transaction: the next
 * one only, without guards, and only if it fits its log.
 */
export async function applyRevision(
  session: WriteSession,
  followed: FollowedRevision,
  catalogue: readonly Dataset[],
): Promise<void> {
  const { revision, entry: text, checkpoint } = followed;
  const log = await LedgerLog.openFollowed(session, followed.keys);
  if (revision === log.size) return log.replaceCheckpoint(checkpoint);
  if (revision !== log.size + 1)
    throw new FollowError('not-next', `revision ${revision} does not follow revision ${log.size}`);
  const { entry, log: logged } =
    text === undefined ? createUnreadable(followed) : parseEntry(text, revision);
  // Before its records are written, however many they are.
  await log.appendSigned(revision, logged, checkpoint);
  const isReadable = entry.dataset !== UNREADABLE_DATASET;
  const { newest, rows } = isReadable
    ? await writeChanges(session, followed, { ...entry, changes: logged.changes }, catalogue)
    : { newest: null, rows: new RowChecksum() };
  const checksum = computeRevisionChecksum({ ...entry, newest }, rows);
  await session.run(() => insertLedgerEntry({ ...entry, newest, checksum }));
}

/** An entry of the ledger, and what the log has of it. */
interface FollowedEntry {
  readonly entry: LedgerEntry;
  readonly log: LogDigest;
}

function createUnreadable(followed: FollowedRevision): FollowedEntry {
  const { revision, publishedAt = '', digest = new Uint8Array() } = followed;
  const origin = { revision, dataset: UNREADABLE_DATASET, publishedAt, source: '', author: '' };
  const counts = { added: 0, corrected: 0, retired: 0, unchanged: 0 };
  const entry = { ...origin, ...counts, files: [], sample: false, report: {}, options: {} };
  return { entry, log: { salt: '', changes: Buffer.from(digest).toString('hex'), digest } };
}

function parseEntry(text: string, revision: number): FollowedEntry {
  const { salt, changes, ...entry } = parseObject(text) as LedgerEntry & LogDigest;
  if (entry.revision === revision && formatLogEntry(entry, { salt, changes }) === text)
    return { entry, log: { salt, changes, digest: sha256(Buffer.from(text)) } };
  throw new FollowError(
    'altered-entry',
    `what is said of revision ${revision} is no entry as this version of Tenor knows them`,
  );
}

function parseObject(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

async function writeChanges(
  session: WriteSession,
  { revision, lines = [] }: FollowedRevision,
  entry: LedgerEntry & Pick<LogDigest, 'changes'>,
  shipped: readonly Dataset[],
) {
  const declared = await session.run(() => findDeclarations(revision - 1));
  const dataset = new Catalogue(shipped, declared).find(entry.dataset);
  if (!dataset)
    throw new FollowError(
      'unknown-dataset',
      `revision ${revision} is of ${entry.dataset}, which this version of Tenor does not know`,
    );
  try {
    const change = { dataset, ...readChanges(dataset, lines) };
    const { counts, digest, checksum } = await writeRevision(session, change, revision);
    const isAsCounted = (['added', 'corrected', 'retired'] as const).every(
      (kind) => counts[kind] === entry[kind],
    );
    if (isAsCounted && digest === entry.changes) {
      const newest = await session.run(() => findNewestDay(getStorageTable(dataset)));
      return { newest, rows: checksum };
    }
  } catch (cause) {
    // Lines that are no changes, or of one record twice.
    if (!(cause instanceof SyntaxError || cause instanceof DuplicateKeyError)) throw cause;
  }
  throw new FollowError(
    'altered-changes',
    `the changes of revision ${revision} of ${entry.dataset} are not those of the log`,
  );
}

/** The lines of changes as rows to write, and then, once all are read, keys to retire. */
function readChanges(dataset: Dataset, lines: Batches<string>) {
  const table = getStorageTable(dataset);
  const retired = new Map<string, RecordKey>();
  const toRow = (line: string): EncodedRow[] => {
    const { change, record, status, json } = parseChangeLine(line);
    if (change !== 'corrected') {
      const key = getKeyValues(table, record);
      // Another label or letter case: the record is added if the one before it was retired.
      if (change === 'retired') retired.set(key.join(), key);
      else retired.delete(key.join());
    }
    return change === 'retired' ? [] : [{ columns: getColumnValues(table, record, status), json }];
  };
  const readRows = async function* () {
    for await (const batch of lines) yield batch.flatMap(toRow);
  };
  const readRetired = function* () {
    yield* retired.values();
  };
  return { rows: readRows(), retiredKeys: readRetired() };
}
