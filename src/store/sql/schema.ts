import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  getStorageTable,
  listTablePairs,
  type TableColumn,
  type TableIndex,
  type TablePair,
} from '../../schema/storage-table.ts';
import { getSummaryTables, type SummaryTable } from '../../schema/summary-tables.ts';
import { StoreMigratedError, StoreUnusableError } from '../errors.ts';
import { ARCHIVE_TERMS_MIGRATIONS, fillSecuritiesSql } from './archived-terms.ts';
import { ADD_CONVENTIONS_MIGRATIONS } from './conventions-revision.ts';
import type { EngineMigration, EngineName, SchemaDefinition, TableDialect } from './dialect.ts';
import { formatOrder, ownRows, selectWhere } from './sql-fragments.ts';
import {
  LEDGER_HASHES_TABLE,
  LEDGER_KEYS_TABLE,
  LEDGER_SIGNERS_TABLE,
  REVISION_DIGESTS_TABLE,
} from './stored-tables.ts';
import { takeOverSeriesSql } from './take-over-series.ts';

/*
 * Tables and columns keep the names of the first release: `*_now` has the current records, `*_past`
 * the history; `since` and `until` are validFrom and validTo; `place` is the ordinal of a period.
 */

/**
 * Migrations of shared tables, only ever appended; a database stores how many it has had. A changed
 * definition of a dataset's tables, indexes or views takes one too, if only to count: an older Tenor
 * then rejects the database, where it would otherwise restore its own definition.
 */
export function getMigrations(dialect: TableDialect): readonly string[] {
  const { engine, text, bytes, randomBytes } = dialect;
  const templates = MIGRATION_TEMPLATES.flatMap((step) =>
    typeof step === 'string' ? [step] : step.engine === engine ? [step.sql] : [],
  );
  return templates.map((template) =>
    template
      .replace(/\bTEXT\b/g, text)
      .replace(/\bBYTES\b/g, bytes)
      .replace(/\bRANDOM_BYTES\b/g, randomBytes),
  );
}

/** SQLite keeps tokens in a file of their own; the table has the same columns there. */
export const CREATE_TOKENS_TABLE = `CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    rate TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT
  )`;
/** The one target that a link gives; a token has none. */
export const ADD_TARGET_COLUMN = 'ALTER TABLE tokens ADD COLUMN target TEXT';
/** Whoever runs this by hand must know what tenor migrate does before. */
export const DROP_TOKENS_TABLE =
  '/* tenor migrate first copies the tokens to a file of their own */ DROP TABLE tokens';

const MIGRATION_TEMPLATES: readonly (string | EngineMigration)[] = [
  `CREATE TABLE revisions (
    revision INTEGER PRIMARY KEY,
    dataset TEXT NOT NULL,
    published_at TEXT NOT NULL,
    source TEXT NOT NULL,
    author TEXT NOT NULL,
    sample INTEGER NOT NULL,
    added INTEGER NOT NULL,
    corrected INTEGER NOT NULL,
    retired INTEGER NOT NULL,
    unchanged INTEGER NOT NULL
  )`,
  CREATE_TOKENS_TABLE,
  "ALTER TABLE revisions ADD COLUMN files TEXT NOT NULL DEFAULT '[]'",
  "ALTER TABLE revisions ADD COLUMN report TEXT NOT NULL DEFAULT '{}'",
  'ALTER TABLE revisions ADD COLUMN newest TEXT',
  'ALTER TABLE revisions ADD COLUMN checksum TEXT',
  'CREATE INDEX revisions_by_dataset ON revisions (dataset, revision)',
  'CREATE INDEX revisions_by_instant ON revisions (published_at, revision)',
  'CREATE TABLE secrets (name TEXT PRIMARY KEY, value BYTES NOT NULL)',
  "INSERT INTO secrets VALUES ('cursor', RANDOM_BYTES)",
  { engine: 'sqlite', sql: DROP_TOKENS_TABLE },
  // Replaced by a summary, which versions before this one would not keep up to date.
  'DROP INDEX IF EXISTS quotes_now_by_spelling; DROP INDEX IF EXISTS quotes_past_by_spelling',
  "SELECT 'the view of quotes has date, symbol and type from the table' AS redefined",
  ...ARCHIVE_TERMS_MIGRATIONS,
  "ALTER TABLE revisions ADD COLUMN options TEXT NOT NULL DEFAULT '{}'",
  { engine: 'postgres', sql: ADD_TARGET_COLUMN },
  // Versions before this one would insert rows without the column.
  { engine: 'sqlite', sql: "SELECT 'the file of the tokens has their targets' AS redefined" },
  // With it, all series get one pair of tables. Not columns of revisions: no reader waits for a lock.
  `CREATE TABLE ${REVISION_DIGESTS_TABLE} (
    revision INTEGER PRIMARY KEY,
    changes TEXT NOT NULL,
    salt TEXT NOT NULL
  )`,
  // Versions before this one know neither the datasets that are declared nor their records.
  "SELECT 'declarations of datasets have tables' AS redefined",
  ...ADD_CONVENTIONS_MIGRATIONS,
  // The log of the ledger: of revisions that there are, it is made when the next one is published.
  `ALTER TABLE ${REVISION_DIGESTS_TABLE} ADD COLUMN checkpoint TEXT; CREATE TABLE ${LEDGER_HASHES_TABLE} (
    level INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    hash TEXT NOT NULL
  ); CREATE UNIQUE INDEX ${LEDGER_HASHES_TABLE}_key ON ${LEDGER_HASHES_TABLE} (level, ordinal); CREATE TABLE ${LEDGER_KEYS_TABLE} (
    number INTEGER PRIMARY KEY,
    verifier_key TEXT NOT NULL,
    size INTEGER NOT NULL,
    note TEXT
  )`,
  { engine: 'postgres', sql: `CREATE TABLE ${LEDGER_SIGNERS_TABLE} (line TEXT PRIMARY KEY)` },
];

export function assertKnownVersion(version: number, newest: number): void {
  if (version <= newest) return;
  throw new StoreUnusableError(
    `its schema is version ${version}, and this Tenor knows versions up to ${newest}; use a newer Tenor, or restore a backup from before the migration (made by hand: tenor backup FILE, or pg_dump on PostgreSQL)`,
  );
}

/** For what has a database open: it may not know what a schema that was migrated since needs. */
export function assertNotMigrated(version: number, newest: number, consequence?: string): void {
  if (version > newest) throw new StoreMigratedError(newest, version, consequence);
}

/** The consequence for a publisher. */
export const NOTHING_PUBLISHED = 'nothing was published: ';

/** For a command that does not migrate. */
export function assertUpToDate(
  version: number,
  newest: number,
  missingStatements: readonly string[],
): void {
  if (missingStatements.length === 0) return;
  const problem =
    version < newest
      ? `its schema is version ${version}, and this Tenor needs version ${newest}`
      : 'it lacks tables, indexes or views of this Tenor';
  throw new StoreUnusableError(
    `${problem}; this command does not change it: run tenor migrate, which brings it up to date`,
  );
}

/** The tables of some datasets, each once, with their indexes, summaries and views. */
export function getSchemaDefinitions(
  datasets: readonly Dataset[],
  dialect: TableDialect,
): SchemaDefinition[] {
  return [
    ...listTablePairs(datasets).flatMap((tables) => [
      ...buildTables(tables, dialect),
      ...buildIndexes(tables, dialect),
    ]),
    ...datasets.flatMap((dataset) => buildSummaries(dataset, dialect)),
    // A publisher declares datasets without the rights of an owner.
    ...datasets.flatMap((dataset) => (dataset.declared ? [] : [buildView(dataset, dialect)])),
  ];
}

function buildTables(tables: TablePair, dialect: TableDialect): SchemaDefinition[] {
  const { currentTable, historyTable, columns } = tables;
  const key = [...getDatasetColumn(tables), ...dialect.uniqueKey(tables)];
  const keyColumns = columns.map((column) => formatColumn(column, dialect));
  const current = [...keyColumns, `record ${dialect.text} NOT NULL`, 'since INTEGER NOT NULL'];
  const history = [...current, 'until INTEGER NOT NULL'];
  const historyKey = [...key, { column: 'since' }];
  return [
    ...dialect.createTable(currentTable, current.join(', '), formatOrder(key)),
    ...dialect.createTable(historyTable, history.join(', '), formatOrder(historyKey)),
  ].map((definition) => {
    const fill = FILLS.get(definition.name)?.(dialect.engine);
    return fill && definition.kind === 'table' ? { ...definition, fill } : definition;
  });
}

/** Tables that take over the rows of tables of before. */
const FILLS = new Map<string, (engine: EngineName) => SchemaDefinition['fill']>([
  ['securities_now', (engine) => () => [fillSecuritiesSql(engine)]],
  ['observations_now', (engine) => (exists) => takeOverSeriesSql('now', engine, exists)],
  ['observations_past', (engine) => (exists) => takeOverSeriesSql('past', engine, exists)],
]);

function getDatasetColumn({ datasetColumn }: TablePair): TablePair['key'] {
  return datasetColumn === undefined ? [] : [{ column: datasetColumn }];
}

function formatColumn({ name, type, defaultText }: TableColumn, { text }: TableDialect): string {
  const withDefault = defaultText === undefined ? '' : ` DEFAULT '${defaultText}'`;
  return `${name} ${type === 'text' ? text : 'INTEGER'} NOT NULL${withDefault}`;
}

/** Both tables have the same indexes, and others by revision. */
function buildIndexes(tables: TablePair, dialect: TableDialect): SchemaDefinition[] {
  const { currentTable, historyTable, key, indexes, historyIndexes = {} } = tables;
  const dataset = getDatasetColumn(tables);
  const [since, until] = [{ column: 'since' }, { column: 'until' }];
  // With the revisions, an index covers reads as of a revision: no table row is read for them.
  const build = (table: string, revisions: TableIndex['columns']) => [
    ...Object.entries(indexes).flatMap(([suffix, index]) => {
      const isShort = table === currentTable && index.omitsRevision;
      const columns = [...dataset, ...index.columns, ...(isShort ? [] : revisions)];
      return buildIndex(table, suffix, { ...index, columns }, dialect);
    }),
    ...buildIndex(table, 'by_since', { columns: [...dataset, since, ...key] }, dialect),
  ];
  // The newest revision first, in the order of corrections.
  const byUntil = { columns: [...dataset, { ...until, isDescending: true as const }, ...key] };
  return [
    ...build(currentTable, [since]),
    ...build(historyTable, [since, until]),
    ...Object.entries({ by_until: byUntil, ...historyIndexes }).flatMap(([suffix, index]) =>
      buildIndex(historyTable, suffix, index, dialect),
    ),
  ];
}

function buildIndex(
  table: string,
  suffix: string,
  { columns, included = [], lengthColumn }: TableIndex,
  dialect: TableDialect,
): readonly SchemaDefinition[] {
  const searched = formatOrder(columns);
  return dialect.createIndex(`${table}_${suffix}`, table, { searched, included, lengthColumn });
}

/** The summaries of a dataset, with statements that derive them from the records there are. */
function buildSummaries(dataset: Dataset, dialect: TableDialect): SchemaDefinition[] {
  const summaries = getSummaryTables(dataset);
  if (!summaries) return [];
  const { currentTable, historyTable } = getStorageTable(dataset);
  const { securities, days } = summaries;
  const key = formatOrder(securities.key);
  const fillSecurities = `INSERT INTO ${securities.name} SELECT ${key}, min(since) FROM (
    SELECT ${key}, since FROM ${currentTable} UNION ALL SELECT ${key}, since FROM ${historyTable}
  ) AS stored GROUP BY ${key}`;
  const fillDays = `INSERT INTO ${days.name} SELECT date, type, revision, sum(difference) FROM (
    SELECT date, type, since AS revision, 1 AS difference FROM ${currentTable}
    UNION ALL SELECT date, type, since, 1 FROM ${historyTable}
    UNION ALL SELECT date, type, until, -1 FROM ${historyTable}
  ) AS changes GROUP BY date, type, revision HAVING sum(difference) <> 0`;
  return [
    ...buildSummaryTable(securities, fillSecurities, dialect),
    ...buildSummaryTable(days, fillDays, dialect),
  ];
}

function buildSummaryTable(
  { name, columns, key, indexes }: SummaryTable,
  fillSql: string,
  dialect: TableDialect,
): SchemaDefinition[] {
  const definitions = columns.map((column) => formatColumn(column, dialect)).join(', ');
  return [
    ...dialect
      .createTable(name, definitions, formatOrder(key))
      .map((definition) =>
        definition.kind === 'table' ? { ...definition, fill: () => [fillSql] } : definition,
      ),
    ...Object.entries(indexes).flatMap(([suffix, index]) =>
      buildIndex(name, suffix, index, dialect),
    ),
  ];
}

function buildView(dataset: Dataset, dialect: TableDialect): SchemaDefinition {
  const table = getStorageTable(dataset);
  const { view, currentTable, columns: storedColumns } = table;
  const daysTable = getSummaryTables(dataset)?.days.name;
  const stored = new Set(daysTable === undefined ? [] : storedColumns.map(({ name }) => name));
  // A condition on a stored column finds records by an index; one on their text reads them all.
  const columns = Object.entries(dataset.fields).map(([name, field]) => {
    const build = stored.has(name) ? dialect.storedFieldExpression : dialect.fieldExpression;
    return `${build(name, field)} AS "${name}"`;
  });
  const source = dialect.viewSource(currentTable, daysTable);
  const { sql: own } = selectWhere([...columns, 'since AS revision'], source, ownRows(table));
  const sql = `CREATE VIEW ${view} AS ${own}`;
  // Columns of the record alone have always had these types.
  return { kind: 'view', name: view, sql, keepsColumnTypes: table.fixed.length > 0 };
}

/** Tables, indexes and views by kind and name, each with a text that defines it. */
export type SchemaObjects = ReadonlyMap<string, string>;

/** The faults of a schema: objects that are missing or differ from those of a new database. */
export function compareSchemas(actual: SchemaObjects, expected: SchemaObjects): string[] {
  return [...expected].flatMap(([name, definition]) => {
    if (actual.get(name) === definition) return [];
    return [actual.has(name) ? `${name} is not as made` : `${name} is missing`];
  });
}
