import type { LedgerEntry, Revision, Sealed, WhichRevisions } from '../store.ts';
import type { Steps, Value } from './steps.ts';
import { rowOf, rowsOf } from './steps.ts';

/** A row of the ledger, as it is stored. */
interface LedgerRow extends Omit<Revision, 'publishedAt' | 'sample' | 'files'>, Sealed {
  readonly published_at: string;
  readonly sample: number;
  readonly files: string;
  readonly report: string;
}

const REVISION =
  'revision, dataset, published_at, source, files, author, sample, added, corrected, retired, unchanged';
const ENTRY = `${REVISION}, report, newest, checksum`;

/** The number of the newest revision; 0 where there is none. */
export function* newestRevision(): Steps<number> {
  const row = yield* rowOf<{ newest: number | null }>(
    'SELECT max(revision) AS newest FROM revisions',
  );
  return row?.newest ?? 0;
}

/** Revisions, newest first. */
export function* revisionsIn(which: WhichRevisions = {}): Steps<Revision[]> {
  const { datasets, before, limit } = which;
  const conditions: string[] = [];
  const values: Value[] = [];
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
  const sql = `SELECT ${REVISION} FROM revisions ${where} ORDER BY revision DESC`;
  const rows =
    limit === undefined
      ? yield* rowsOf<LedgerRow>(sql, values)
      : yield* rowsOf<LedgerRow>(`${sql} LIMIT ?`, [...values, limit]);
  return rows.map(revisionOf);
}

/** The newest revision that was published by an instant. */
export function* revisionAt(instant: string): Steps<Revision | undefined> {
  const sql = `SELECT ${REVISION} FROM revisions WHERE published_at <= ?
    ORDER BY published_at DESC, revision DESC LIMIT 1`;
  const row = yield* rowOf<LedgerRow>(sql, [instant]);
  return row && revisionOf(row);
}

/** One revision with its report. */
export function* entryOf(revision: number): Steps<LedgerEntry | undefined> {
  const sql = `SELECT ${REVISION}, report FROM revisions WHERE revision = ?`;
  const row = yield* rowOf<LedgerRow>(sql, [revision]);
  return row && { ...revisionOf(row), report: JSON.parse(row.report) };
}

/**
 * The whole ledger, oldest first. Where a value is not as it was written, it comes as it is stored,
 * so that an entry which was damaged differs from the entry that was made.
 */
export function* wholeLedger(): Steps<(LedgerEntry & Sealed)[]> {
  const rows = yield* rowsOf<LedgerRow>(`SELECT ${ENTRY} FROM revisions ORDER BY revision`);
  return rows.map((row) => {
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
export function* enter(entry: LedgerEntry & Sealed): Steps<void> {
  const { revision, dataset, publishedAt, source, files, author, sample } = entry;
  const { added, corrected, retired, unchanged, report, newest, checksum } = entry;
  const about = [revision, dataset, publishedAt, source, JSON.stringify(files), author];
  const counts = [added, corrected, retired, unchanged];
  yield {
    sql: `INSERT INTO revisions (${ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [...about, Number(sample), ...counts, JSON.stringify(report), newest, checksum],
  };
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
