import {
  type DataOrigin,
  type LedgerEntry,
  REVERT_SOURCE_PREFIX,
  type Release,
  type Revision,
  type RevisionOptions,
  type SealedEntry,
} from '../ledger.ts';
import type { RevisionAt, RevisionFilter } from '../reader.ts';
import { type QuerySteps, queryCount, queryRow, queryRows } from './query-steps.ts';
import { buildSql, orderAndLimit, type SqlCondition, selectWhere } from './sql-fragments.ts';

type JsonColumn = 'files' | 'report' | 'options';
type LedgerRow = Omit<SealedEntry, 'sample' | JsonColumn> &
  Readonly<Record<'sample', number> & Record<JsonColumn, string>>;

const REVISION_COLUMNS = `revision, dataset, published_at AS "publishedAt", source, files, author,
  sample, added, corrected, retired, unchanged`;

/** Only options with a release, since others may be long. */
const LISTED_COLUMNS = `${REVISION_COLUMNS},
  CASE WHEN options LIKE '%"release":%' THEN options ELSE '{}' END AS options`;

export function* findNewestRevision(): QuerySteps<number> {
  const row = yield* queryRow<{ newest: number | null }>({
    sql: 'SELECT max(revision) AS newest FROM revisions',
  });
  return row?.newest ?? 0;
}

/** How many records a dataset had: each was added once more often than it was retired. */
export function countRecords(dataset: string, revision: number): QuerySteps<number> {
  return queryCount({
    sql: `SELECT coalesce(sum(added) - sum(retired), 0) AS count FROM revisions
      WHERE dataset = ? AND revision <= ?`,
    values: [dataset, revision],
  });
}

/** How many rows of a dataset some revisions published or superseded, and how many there are. */
export interface TouchedRows {
  /** The newest revision, of any dataset. */
  readonly newest: number;
  readonly published: number;
  readonly superseded: number;
  /** Superseded by later revisions. */
  readonly supersededLater: number;
  readonly current: number;
  readonly history: number;
}

/** Counts by the ledger: of the revisions after the first one, up to the last one. */
export function* countTouchedRows(
  dataset: string,
  since: number,
  until: number,
): QuerySteps<TouchedRows> {
  const isWithin = 'revision > ? AND revision <= ?';
  const row = yield* queryRow<Record<keyof TouchedRows, number | string | null>>({
    sql: `SELECT (SELECT max(revision) FROM revisions) AS newest,
        sum(CASE WHEN ${isWithin} THEN added + corrected END) AS published,
        sum(CASE WHEN ${isWithin} THEN corrected + retired END) AS superseded,
        sum(CASE WHEN revision > ? THEN corrected + retired END) AS "supersededLater",
        sum(added - retired) AS current, sum(corrected + retired) AS history
      FROM revisions WHERE dataset = ?`,
    values: [since, until, since, until, until, dataset],
  });
  // Engines may return large numbers as text.
  const counts = Object.entries(row ?? {}).map(([name, count]) => [name, Number(count ?? 0)]);
  return Object.fromEntries(counts);
}

export function* findRevisions(filter: RevisionFilter = {}): QuerySteps<Revision[]> {
  const { datasets, before, limit } = filter;
  const conditions: SqlCondition[] = [];
  if (datasets) {
    // Not every engine accepts an empty list.
    const placeholders = ['NULL', ...datasets.map(() => '?')].join(', ');
    conditions.push([`dataset IN (${placeholders})`, ...datasets]);
  }
  if (before !== undefined) conditions.push(['revision < ?', before]);
  const tail = orderAndLimit([{ column: 'revision', isDescending: true }], limit);
  const rows = yield* queryRows<LedgerRow>(
    buildSql`${selectWhere([LISTED_COLUMNS], 'revisions', conditions)}${tail}`,
  );
  return rows.map(toRevision);
}

export function* findInstants(revisions: readonly number[]): QuerySteps<Map<number, string>> {
  const values = [...new Set(revisions)];
  // Lists have few lengths, so that engines know the statements again.
  while (values.length % 100 > 0) values.push(0);
  const sql = `SELECT revision, published_at AS instant FROM revisions
    WHERE revision IN (NULL${', ?'.repeat(values.length)})`;
  const rows = yield* queryRows<{ revision: number; instant: string }>({ sql, values });
  return new Map(rows.map(({ revision, instant }) => [revision, instant]));
}

/** The newest revision that was published by an instant; final if there is a later one. */
export function* findRevisionAt(instant: string): QuerySteps<RevisionAt> {
  // The instants of revisions never decrease, so those of revisions to come are later as well.
  const sql = `SELECT ${LISTED_COLUMNS},
      EXISTS (SELECT 1 FROM revisions WHERE published_at > ?) AS "isFinal"
    FROM revisions WHERE published_at <= ? ORDER BY published_at DESC, revision DESC LIMIT 1`;
  const values = [instant, instant];
  const row = yield* queryRow<LedgerRow & { isFinal: number | boolean }>({ sql, values });
  if (!row) {
    const laterSql = 'SELECT 1 AS found FROM revisions WHERE published_at > ? LIMIT 1';
    const later = yield* queryRow({ sql: laterSql, values: [instant] });
    return { revision: undefined, isFinal: later !== undefined };
  }
  const { isFinal, ...revision } = row;
  return { revision: toRevision(revision), isFinal: Boolean(isFinal) };
}

export function* findLedgerEntry(revision: number): QuerySteps<LedgerEntry | undefined> {
  const sql = `SELECT ${REVISION_COLUMNS}, report, options FROM revisions WHERE revision = ?`;
  const row = yield* queryRow<LedgerRow>({ sql, values: [revision] });
  if (!row) return undefined;
  return { ...toRevision(row), report: JSON.parse(row.report), options: JSON.parse(row.options) };
}

/** Where the data of a dataset came from up to a revision, newest first: the sample, some others. */
export function* findOrigins(
  dataset: string,
  revision: number,
  limit: number,
): QuerySteps<DataOrigin[]> {
  // Retirements bring no data from anywhere.
  const rows = yield* queryRows<OriginRow>({
    sql: `SELECT revision, source, files, sample, options FROM revisions
      WHERE dataset = ? AND revision <= ?
        AND (sample = 1 OR files <> '[]' OR source LIKE '${REVERT_SOURCE_PREFIX}%')
      ORDER BY sample DESC, revision DESC LIMIT ?`,
    values: [dataset, revision, limit],
  });
  const newestFirst = rows.toSorted((a, b) => b.revision - a.revision);
  return removeReverted(newestFirst).map(({ source, sample, options }) => ({
    source,
    sample: sample === 1,
    options: JSON.parse(options),
  }));
}

type OriginRow = Pick<LedgerRow, 'revision' | 'source' | 'files' | 'sample' | 'options'>;

/** Without reversions, and without what they reverted, unless they were reverted themselves. */
function removeReverted(newestFirst: readonly OriginRow[]): OriginRow[] {
  const reverted = new Set<number>();
  return newestFirst.filter(({ revision, source, files }) => {
    const isReverted = reverted.has(revision);
    const isReversion = files === '[]' && source.startsWith(REVERT_SOURCE_PREFIX);
    if (isReversion && !isReverted) reverted.add(Number(source.slice(REVERT_SOURCE_PREFIX.length)));
    return !isReversion && !isReverted;
  });
}

/**
 * The entries of the ledger, or those after one revision and up to another, oldest first. Values
 * that Tenor did not write stay as stored, so that damage is noticed.
 */
export function* readLedger(
  [after, upTo]: readonly number[] = [],
  limit?: number,
): QuerySteps<SealedEntry[]> {
  const columns = [REVISION_COLUMNS, 'report', 'options', 'newest', 'checksum'];
  const conditions: SqlCondition[] = [];
  if (after !== undefined) conditions.push(['revision > ?', after]);
  if (upTo !== undefined) conditions.push(['revision <= ?', upTo]);
  const entries = selectWhere(columns, 'revisions', conditions);
  const tail = orderAndLimit([{ column: 'revision' }], limit);
  return (yield* queryRows<LedgerRow>(buildSql`${entries}${tail}`)).map(toSealedEntry);
}

function toSealedEntry(row: LedgerRow): SealedEntry {
  const sample = [false, true][row.sample] ?? row.sample;
  const files = parseCanonicalJson(row.files);
  const [report, options] = [parseCanonicalJson(row.report), parseCanonicalJson(row.options)];
  return { ...row, sample, files, report, options } as SealedEntry;
}

function parseCanonicalJson(text: string): unknown {
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

export function* insertLedgerEntry(entry: SealedEntry): QuerySteps<void> {
  const { publishedAt, ...rest } = entry;
  const columns = {
    ...rest,
    published_at: publishedAt,
    files: JSON.stringify(entry.files),
    sample: Number(entry.sample),
    report: JSON.stringify(entry.report),
    options: JSON.stringify(entry.options),
  };
  const names = Object.keys(columns);
  const placeholders = names.map(() => '?').join(', ');
  yield {
    sql: `INSERT INTO revisions (${names.join(', ')}) VALUES (${placeholders})`,
    values: Object.values(columns),
  };
}

function toRevision({ options, ...row }: LedgerRow): Revision {
  const { note }: Release = (JSON.parse(options) as RevisionOptions).release ?? {};
  const revision = { ...row, files: JSON.parse(row.files), sample: row.sample === 1 };
  return note === undefined ? revision : { ...revision, note };
}
