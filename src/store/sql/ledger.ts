import type { LedgerEntry, Revision, RevisionSeal } from '../ledger.ts';
import type { RevisionFilter } from '../reader.ts';
import type { QuerySteps, SqlValue } from './query-steps.ts';
import { queryRow, queryRows } from './query-steps.ts';

/** A row of the ledger, as it is stored. */
interface LedgerRow extends Omit<Revision, 'publishedAt' | 'sample' | 'files'>, RevisionSeal {
  readonly published_at: string;
  readonly sample: number;
  readonly files: string;
  readonly report: string;
}

const REVISION_COLUMNS =
  'revision, dataset, published_at, source, files, author, sample, added, corrected, retired, unchanged';
const ENTRY_COLUMNS = `${REVISION_COLUMNS}, report, newest, checksum`;

/** The number of the newest revision; 0 where there is none. */
export function* findNewestRevision(): QuerySteps<number> {
  const row = yield* queryRow<{ newest: number | null }>(
    'SELECT max(revision) AS newest FROM revisions',
  );
  return row?.newest ?? 0;
}

/** Revisions, newest first. */
export function* findRevisions(which: RevisionFilter = {}): QuerySteps<Revision[]> {
  const { datasets, before, limit } = which;
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  if (datasets) {
    // Not every engine takes an empty list.
    conditions.push(`dataset IN (${['NULL', ...datasets.map(() => '?')].join(', ')})`);
    values.push(...datasets);
  }
  if (before !== undefined) {
    conditions.push('revision < ?');
    values.push(before);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT ${REVISION_COLUMNS} FROM revisions ${where} ORDER BY revision DESC`;
  const rows =
    limit === undefined
      ? yield* queryRows<LedgerRow>(sql, values)
      : yield* queryRows<LedgerRow>(`${sql} LIMIT ?`, [...values, limit]);
  return rows.map(toRevision);
}

/** The newest revision that was published by an instant. */
export function* findRevisionAt(instant: string): QuerySteps<Revision | undefined> {
  const sql = `SELECT ${REVISION_COLUMNS} FROM revisions WHERE published_at <= ?
    ORDER BY published_at DESC, revision DESC LIMIT 1`;
  const row = yield* queryRow<LedgerRow>(sql, [instant]);
  return row && toRevision(row);
}

/** One revision with its report. */
export function* findLedgerEntry(revision: number): QuerySteps<LedgerEntry | undefined> {
  const sql = `SELECT ${REVISION_COLUMNS}, report FROM revisions WHERE revision = ?`;
  const row = yield* queryRow<LedgerRow>(sql, [revision]);
  return row && { ...toRevision(row), report: JSON.parse(row.report) };
}

/**
 * The whole ledger, oldest first. Where a value is not as it was written, it comes as it is stored,
 * so that an entry which was damaged differs from the entry that was made.
 */
export function* readLedger(): QuerySteps<(LedgerEntry & RevisionSeal)[]> {
  const rows = yield* queryRows<LedgerRow>(
    `SELECT ${ENTRY_COLUMNS} FROM revisions ORDER BY revision`,
  );
  return rows.map((row) => {
    const { published_at: publishedAt, ...rest } = row;
    const sample = [false, true][row.sample] ?? row.sample;
    const [files, report] = [parseCanonicalJson(row.files), parseCanonicalJson(row.report)];
    return { ...rest, publishedAt, sample, files, report } as LedgerEntry & RevisionSeal;
  });
}

function parseCanonicalJson(text: string): unknown {
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

/** Writes an entry into the ledger. */
export function* insertLedgerEntry(entry: LedgerEntry & RevisionSeal): QuerySteps<void> {
  const { revision, dataset, publishedAt, source, files, author, sample } = entry;
  const { added, corrected, retired, unchanged, report, newest, checksum } = entry;
  const about = [revision, dataset, publishedAt, source, JSON.stringify(files), author];
  const counts = [added, corrected, retired, unchanged];
  yield {
    sql: `INSERT INTO revisions (${ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [...about, Number(sample), ...counts, JSON.stringify(report), newest, checksum],
  };
}

function toRevision(row: LedgerRow): Revision {
  const { revision, dataset, source, author, added, corrected, retired, unchanged } = row;
  return {
    revision,
    dataset,
    publishedAt: row.published_at,
    source,
    files: JSON.parse(row.files),
    author,
    sample: row.sample === 1,
    added,
    corrected,
    retired,
    unchanged,
  };
}
