import type { SummaryTable } from '../../schema/summary-tables.ts';
import type { EngineMigration, EngineName } from './dialect.ts';

/**
 * The terms of securities from before they were records of `securities`: they were published with
 * the quotes of a file, and are part of the checksums of those revisions.
 */
export const ARCHIVED_TERMS_TABLE: SummaryTable = {
  name: 'archived_terms',
  revisionColumn: 'since',
  columns: [
    { name: 'record', type: 'text' },
    { name: 'since', type: 'integer' },
    { name: 'until', type: 'integer' },
  ],
  key: [],
  indexes: {},
};

/** Expressions of each engine: the present instant, and a member of a record as JSON text. */
export const EXPRESSIONS = {
  sqlite: {
    now: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    later: 'max',
    member: (name: string) => `(record -> '$.${name}')`,
  },
  postgres: {
    now: `to_char(now() AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    later: 'greatest',
    member: (name: string) => `(record::json -> '${name}')::text`,
  },
} as const satisfies Record<EngineName, unknown>;

/**
 * Archives the tables of terms, and enters a revision of `securities` in the ledger that takes over
 * the current ones; without a checksum, as no migration computes one. A new database has none.
 */
function buildMigration(engine: EngineName): EngineMigration {
  const { now, later } = EXPRESSIONS[engine];
  const columns = 'symbol_key TEXT NOT NULL, record TEXT NOT NULL, since INTEGER NOT NULL';
  const next = '(SELECT coalesce(max(revision), 0) + 1 FROM revisions)';
  const last = '(SELECT max(published_at) FROM revisions)';
  const statements = [
    `CREATE TABLE IF NOT EXISTS security_terms_now (${columns})`,
    `CREATE TABLE IF NOT EXISTS security_terms_past (${columns}, until INTEGER NOT NULL)`,
    `CREATE TABLE archived_terms (${columns}, until INTEGER NOT NULL)`,
    'INSERT INTO archived_terms SELECT symbol_key, record, since, until FROM security_terms_past',
    `INSERT INTO archived_terms SELECT symbol_key, record, since, ${next} FROM security_terms_now`,
    `INSERT INTO revisions (revision, dataset, published_at, source, author, sample, added, corrected, retired, unchanged)
      SELECT ${next}, 'securities', ${later}(${now}, ${last}), 'terms of securities from files of quotes', 'tenor migrate', 0, count(*), 0, 0, 0
      FROM security_terms_now HAVING count(*) > 0`,
    'DROP TABLE security_terms_now',
    'DROP TABLE security_terms_past',
  ];
  return { engine, sql: statements.join('; ') };
}

export const ARCHIVE_TERMS_MIGRATIONS = [buildMigration('sqlite'), buildMigration('postgres')];

/** Inserts the terms of before as records of `securities`, in the revision that took them over. */
export function fillSecuritiesSql(engine: EngineName): string {
  const { member } = EXPRESSIONS[engine];
  const parts = [
    `'{"symbol":' || ${member('symbol')}`,
    `',"isin":null,"name":null,"issuer":null,"issueDate":null,"couponRate":' || ${member('couponRate')}`,
    `',"couponFrequency":' || ${member('couponFrequency')}`,
    `',"pricing":' || ${member('pricing')}`,
    `',"floating":null}'`,
  ];
  return `INSERT INTO securities_now SELECT symbol_key, ${parts.join(' || ')}, until FROM archived_terms
    WHERE until = (SELECT min(revision) FROM revisions WHERE dataset = 'securities')`;
}
