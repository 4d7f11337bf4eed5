import { datasets } from '../../catalogue/datasets/datasets.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../schema/storage-table.ts';
import { getSummaryTables, type SummaryTable } from '../../schema/summary-tables.ts';
import { ChangeDigest } from '../change-lines.ts';
import { computeRevisionChecksum, RowChecksum } from '../checksum.ts';
import { DuplicateKeyError, StoreUnavailableError } from '../errors.ts';
import type { ChangeCounts } from '../ledger.ts';
import type { CorrectedRow, DatasetChange, PublisherOptions, StagedChange } from '../publisher.ts';
import { QuoteTally } from '../quote-tally.ts';
import {
  type EncodedRow,
  joinBatches,
  type RecordKey,
  toBatches,
  toBatchesAsync,
} from '../rows.ts';
import { getSealedText } from '../sealed-text.ts';
import { countByPeriod, streamCorrected, streamNeighbours } from './compare-revision.ts';
import { findRevisions, insertLedgerEntry } from './ledger.ts';
import type { LedgerLog } from './ledger-log.ts';
import { assertClockIsRight, takeInstant } from './publish-clock.ts';
import { type QuerySteps, queryCount, queryRow, type SqlValue } from './query-steps.ts';
import { hasIdentifier } from './select-records.ts';
import type { RowWriter, WriteSession } from './session.ts';
import { andOwnRows, isSameRecordSql, ownRows, selectWhere } from './sql-fragments.ts';
import { hasDays } from './stream-by-date-slice.ts';

/** Writes the rows of one change as those of the next revision, within a transaction. */
export async function stageRevision(
  session: WriteSession,
  change: DatasetChange,
  options: PublisherOptions,
  openLog: () => Promise<LedgerLog>,
  /** How many revisions are staged before this one, and not recorded. */
  stagedBefore = 0,
): Promise<StagedChange> {
  const { dataset } = change;
  if (dataset.declared?.revision) await session.run(() => assertStillDeclared(dataset));
  const [last] = await session.run(() => findRevisions({ limit: 1 }));
  if (!change.at) await assertClockIsRight(session, last, options, change.notBefore);
  const revision = (last?.revision ?? 0) + stagedBefore + 1;
  const table = getStorageTable(dataset);
  const { counts, digest, checksum } = await writeRevision(session, change, revision);
  const record: StagedChange['record'] = async (report = {}, recorded = {}) => {
    if (counts.added + counts.corrected + counts.retired === 0) return undefined;
    const {
      source,
      author,
      sample = false,
      files = [],
      isDryRun,
      ...entered
    } = {
      ...change,
      ...recorded,
    };
    const newest = await session.run(() => findNewestDay(table));
    const notBefore = isDryRun ? undefined : entered.notBefore;
    // Before the instant of publication, since as-of reads wait from then on.
    const log = await openLog();
    const publishedAt = entered.at
      ? getLater(entered.at.toISOString(), last?.publishedAt)
      : await takeInstant(session, last, notBefore, options.signal);
    const origin = { revision, dataset: dataset.name, publishedAt, source, files, author, sample };
    const entry = { ...origin, ...counts, report, options: entered.options ?? {}, newest };
    await session.run(() =>
      insertLedgerEntry({ ...entry, checksum: computeRevisionChecksum(entry, checksum) }),
    );
    await log.append(entry, digest, recorded.salt);
    const { note } = entry.options.release ?? {};
    return { ...origin, ...counts, ...(note !== undefined && { note }) };
  };
  const countCorrected = async (before: string | number) => {
    const { currentTable, historyTable, key } = table;
    // As a value it is found by its key; planners would join it by the index by revision.
    const replacing = `SELECT new.since FROM ${currentTable} AS new WHERE ${isSameRecordSql(table, 'new', 'old')}`;
    const sql = `SELECT count(*) AS count FROM ${historyTable} AS old
      WHERE old.until = ?${andOwnRows(table, 'old')} AND old.${key[0]?.column} < ? AND (${replacing}) = ?`;
    return session.run(() => queryCount({ sql, values: [revision, before, revision] }));
  };
  const series = {
    revision,
    neighbours: () => streamNeighbours(session, dataset, revision, counts),
    corrected: () =>
      streamCorrected(session, dataset, revision) as AsyncIterable<readonly CorrectedRow[]>,
    countByPeriod: async (range: readonly [number, number]) =>
      session.run(() => countByPeriod(dataset, revision, range)),
  };
  return { revision, counts, digest, countCorrected, series, record };
}

/** Writes the rows of a change; what the ledger says of them follows from what is returned. */
export async function writeRevision(
  session: WriteSession,
  change: Pick<
    DatasetChange,
    'dataset' | 'rows' | 'retiredKeys' | 'replace' | 'onChange' | 'onDuplicateKey'
  >,
  revision: number,
) {
  const { dataset } = change;
  const checksum = new RowChecksum();
  const table = getStorageTable(dataset);
  const summaries = getSummaryTables(dataset);
  const tally = new QuoteTally();
  using digest = new ChangeDigest(dataset, session.temporaryFolder);
  const writer = await session.createWriter(table, revision, (old, row) => {
    const oldText = old ? getSealedText(table, old) : null;
    const text = row ? getSealedText(table, row) : null;
    const texts = { old: oldText, new: text };
    digest.add(texts);
    change.onChange?.(texts);
    if (old) {
      checksum.addSuperseded(oldText as string, old.since);
      if (summaries) tally.addSuperseded(old.columns);
    }
    if (row) {
      checksum.addPublished(text as string);
      if (summaries) tally.addPublished(row.columns);
    }
  });
  const counts = await writeRows(writer, table, change);
  // Before the change is recorded, since the securities that it publishes may be listed.
  await session.run(() => writeSummaries(dataset, tally, revision));
  return { counts, digest: digest.hex, checksum };
}

/** Since a command has read its declaration, it may have been declared again, or retired. */
function* assertStillDeclared({ name, declared }: Dataset): QuerySteps<void> {
  const table = getStorageTable(datasets);
  const conditions = [...ownRows(table), hasIdentifier(table, [name])];
  const row = yield* queryRow<{ since: number }>(
    selectWhere(['since'], table.currentTable, conditions),
  );
  if (row?.since === declared?.revision) return;
  const change = row ? `declared again, by revision ${row.since}` : 'retired';
  throw new StoreUnavailableError(
    `nothing was published: ${name} was ${change}, meanwhile; run the command again`,
  );
}

function getLater(instant: string, other = ''): string {
  return other > instant ? other : instant;
}

/** How many keys are retired at once: in a cluster, a statement costs the same for many as for one. */
const RETIRED_KEYS = 10_000;

async function writeRows(
  writer: RowWriter,
  table: StorageTable,
  change: Pick<DatasetChange, 'rows' | 'retiredKeys' | 'replace' | 'onDuplicateKey'>,
): Promise<ChangeCounts> {
  const { onDuplicateKey = (row: EncodedRow) => throwDuplicateKey(table, getRowKey(table, row)) } =
    change;
  try {
    for await (const rows of joinBatches(change.rows ?? [], writer.minBatchRows))
      (await writer.write(rows)).forEach(onDuplicateKey);
    for await (const keys of toBatchesAsync(change.retiredKeys ?? [], RETIRED_KEYS)) {
      const [duplicate] = await writer.retire(keys);
      if (duplicate) throwDuplicateKey(table, duplicate);
    }
    if (change.replace) await writer.retireAbsent();
    (await writer.flush()).forEach(onDuplicateKey);
  } catch (cause) {
    // A write in progress must not continue after the rollback. If it failed, it failed first.
    throw (await writer.waitForPending()) ?? cause;
  }
  return { ...writer.counts };
}

export function* findNewestDay(table: StorageTable): QuerySteps<string | null> {
  if (!hasDays(table)) return null;
  const sql = `SELECT date FROM ${table.currentTable} ORDER BY date DESC LIMIT 1`;
  const row = yield* queryRow<{ date: string }>({ sql });
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

/** Adds what a revision changed to the summaries of its dataset. */
function* writeSummaries(dataset: Dataset, tally: QuoteTally, revision: number): QuerySteps<void> {
  const summaries = getSummaryTables(dataset);
  if (!summaries) return;
  const securities = tally.listSecurities().map((security) => [...security, revision]);
  const days = tally
    .listDays()
    .map(([date, type, difference]) => [date, type, revision, difference]);
  // A security that is there already keeps its first revision.
  yield* insertRows(summaries.securities, securities, ' ON CONFLICT DO NOTHING');
  yield* insertRows(summaries.days, days);
}

function* insertRows(
  { name, columns }: SummaryTable,
  rows: readonly (readonly SqlValue[])[],
  onConflict = '',
): QuerySteps<void> {
  const placeholders = `(${columns.map(() => '?').join(', ')})`;
  for (const batch of toBatches(rows)) {
    const values = batch.map(() => placeholders).join(', ');
    yield { sql: `INSERT INTO ${name} VALUES ${values}${onConflict}`, values: batch.flat() };
  }
}
