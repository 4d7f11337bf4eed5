import { getAuxiliaryTable } from '../../schema/auxiliary-table.ts';
import type { StorageTable } from '../../schema/storage-table.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { toBatchesAsync } from '../batches.ts';
import type { RowChecksum } from '../checksum.ts';
import { computeRevisionChecksum, createRowChecksum } from '../checksum.ts';
import { DuplicateKeyError } from '../errors.ts';
import type { ChangeCounts, Revision } from '../ledger.ts';
import type { DatasetChange, EncodedRow, RecordKey, RevisionExtras } from '../publisher.ts';
import { findRevisions, insertLedgerEntry } from './ledger.ts';
import type { QuerySteps } from './query-steps.ts';
import { queryRow } from './query-steps.ts';
import { toTermRows } from './security-terms.ts';
import type { WriteSession } from './session.ts';

/** Makes one change as one revision, within a transaction; undefined when it changes nothing. */
export async function writeRevision(
  session: WriteSession,
  change: DatasetChange,
): Promise<Revision | undefined> {
  const { dataset, source, author, sample = false, files = [] } = change;
  const [last] = await session.run(() => findRevisions({ limit: 1 }));
  const revision = (last?.revision ?? 0) + 1;
  const sum = createRowChecksum();
  const counts = await writeRows(session, change, revision, sum);

  const { report = {}, terms } = (await change.finalize?.({ ...counts })) ?? {};
  const learned = terms ? await writeTerms(session, change, revision, terms, sum) : 0;
  if (counts.added + counts.corrected + counts.retired + learned === 0) return undefined;
  const at = (change.at ?? new Date()).toISOString();
  // Instants of revisions never run backwards, even where a clock does.
  const publishedAt = last && last.publishedAt > at ? last.publishedAt : at;
  const about = { revision, dataset: dataset.name, publishedAt, source, files, author, sample };
  const newest = await session.run(() => findNewestDay(getStorageTable(dataset)));
  const entry = { ...about, ...counts, report, newest };
  await session.run(() =>
    insertLedgerEntry({ ...entry, checksum: computeRevisionChecksum(entry, sum) }),
  );
  return { ...about, ...counts };
}

/** Writes the records of a change. */
async function writeRows(
  session: WriteSession,
  change: DatasetChange,
  revision: number,
  sum: RowChecksum,
): Promise<ChangeCounts> {
  const table = getStorageTable(change.dataset);
  const writer = await session.writer(table, revision, sum);
  const { onDuplicateKey = (row: EncodedRow) => throwDuplicateKey(table, getRowKey(table, row)) } =
    change;
  try {
    for await (const rows of change.rows ?? []) (await writer.write(rows)).forEach(onDuplicateKey);
    for await (const keys of toBatchesAsync(change.retiredKeys ?? [])) {
      const [twice] = await writer.retire(keys);
      if (twice) throwDuplicateKey(table, twice);
    }
    if (change.replace) await writer.retireUnseen();
    (await writer.flush()).forEach(onDuplicateKey);
  } catch (cause) {
    // What is under way is waited for, lest it goes on behind the point that all is taken back to.
    // Where it failed, that came first, and made the rest fail.
    throw (await writer.waitForPending()) ?? cause;
  }
  return writer.counts;
}

/** Keeps terms as a part of a revision, and adds them to its sum; gives how many changed. */
async function writeTerms(
  session: WriteSession,
  { dataset }: DatasetChange,
  revision: number,
  terms: NonNullable<RevisionExtras['terms']>,
  sum: RowChecksum,
): Promise<number> {
  const table = getAuxiliaryTable(dataset);
  if (!table || terms.size === 0) return 0;
  const writer = await session.writer(table, revision, sum);
  const { rows, retired } = toTermRows(terms);
  await writer.write(rows);
  await writer.retire(retired);
  await writer.flush();
  const { added, corrected, retired: forgotten } = writer.counts;
  return added + corrected + forgotten;
}

/** The newest day that the table holds, where its records have days. */
function* findNewestDay({ currentTable, key: [first] }: StorageTable): QuerySteps<string | null> {
  if (first?.column !== 'date') return null;
  const row = yield* queryRow<{ date: string }>(
    `SELECT date FROM ${currentTable} ORDER BY date DESC LIMIT 1`,
  );
  return row?.date ?? null;
}

function getRowKey({ key, columns }: StorageTable, row: EncodedRow): RecordKey {
  return key.map(
    ({ column }) => row.columns[columns.findIndex(({ name }) => name === column)] ?? '',
  );
}

function throwDuplicateKey({ key }: StorageTable, values: RecordKey): never {
  const names = key.map(({ column }) => column).join(', ');
  throw new DuplicateKeyError(`${names} = ${values.join(', ')} is given twice`);
}
