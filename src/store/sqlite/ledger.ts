import type { Database } from 'bun:sqlite';
import type { LedgerEntry, Revision, Sealed, WhichRevisions } from '../store.ts';

/** A row of the ledger, as SQLite gives it. */
interface LedgerRow extends Omit<Revision, 'publishedAt' | 'sample' | 'files'>, Sealed {
  readonly published_at: string;
  readonly sample: number;
  readonly files: string;
  readonly report: string;
}

const REVISION =
  'revision, dataset, published_at, source, files, author, sample, added, corrected, retired, unchanged';
const ENTRY = `${REVISION}, report, newest, checksum`;

/** Revisions, newest first. */
export function revisionsIn(database: Database, which: WhichRevisions = {}): Revision[] {
  const { datasets, before, limit = -1 } = which;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (datasets) {
    conditions.push(`dataset IN (${datasets.map(() => '?').join(', ')})`);
    values.push(...datasets);
  }
  if (before !== undefined) {
    conditions.push('revision < ?');
    values.push(before);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT ${REVISION} FROM revisions ${where} ORDER BY revision DESC LIMIT ?`;
  return database
    .query<LedgerRow, typeof values>(sql)
    .all(...values, limit)
    .map(revisionOf);
}

/** The newest revision that was published by an instant. */
export function revisionAt(database: Database, instant: string): Revision | undefined {
  const sql = `SELECT ${REVISION} FROM revisions WHERE published_at <= ?
    ORDER BY published_at DESC, revision DESC LIMIT 1`;
  const row = database.query<LedgerRow, [string]>(sql).get(instant);
  return row ? revisionOf(row) : undefined;
}

/** One revision with all that is known of it. */
export function entryOf(database: Database, revision: number): (LedgerEntry & Sealed) | undefined {
  const sql = `SELECT ${ENTRY} FROM revisions WHERE revision = ?`;
  const row = database.query<LedgerRow, [number]>(sql).get(revision);
  return row ? sealedOf(row) : undefined;
}

/**
 * The whole ledger, oldest first. Where a value is not as it was written, it comes as it is stored,
 * so that an entry which was damaged differs from the entry that was made.
 */
export function wholeLedger(database: Database): (LedgerEntry & Sealed)[] {
  return database
    .query<LedgerRow, []>(`SELECT ${ENTRY} FROM revisions ORDER BY revision`)
    .all()
    .map((row) => {
      const { published_at: publishedAt, ...rest } = row;
      const sample = [false, true][row.sample] ?? row.sample;
      const [files, report] = [asWritten(row.files), asWritten(row.report)];
      return { ...rest, publishedAt, sample, files, report } as LedgerEntry & Sealed;
    });
}

function asWritten(text: string): unknown {
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

/** Writes an entry into the ledger. */
export function enter(database: Database, entry: LedgerEntry & Sealed): void {
  const { revision, dataset, publishedAt, source, files, author, sample } = entry;
  const { added, corrected, retired, unchanged, report, newest, checksum } = entry;
  database
    .query(`INSERT INTO revisions (${ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      revision,
      dataset,
      publishedAt,
      source,
      JSON.stringify(files),
      author,
      Number(sample),
      added,
      corrected,
      retired,
      unchanged,
      JSON.stringify(report),
      newest,
      checksum,
    );
}

function revisionOf(row: LedgerRow): Revision {
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

function sealedOf(row: LedgerRow): LedgerEntry & Sealed {
  const { newest, checksum } = row;
  return { ...revisionOf(row), report: JSON.parse(row.report), newest, checksum };
}
