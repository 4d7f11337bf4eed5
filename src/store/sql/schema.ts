import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getAuxiliaryTable } from '../../schema/auxiliary-table.ts';
import type {
  DatasetStorageTable,
  OrderedColumn,
  StorageTable,
} from '../../schema/storage-table.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { SchemaDefinition, TableDialect } from './dialect.ts';
import { formatOrder } from './select-records.ts';

/**
 * The steps that make the tables which no dataset owns. A database counts how many it has had;
 * steps are only ever added at the end.
 */
export function getMigrations({ text, bytes, randomBytes }: TableDialect): readonly string[] {
  return MIGRATION_TEMPLATES.map((step) =>
    step
      .replace(/\bTEXT\b/g, text)
      .replace(/\bBYTES\b/g, bytes)
      .replace(/\bRANDOM_BYTES\b/g, randomBytes),
  );
}

const MIGRATION_TEMPLATES: readonly string[] = [
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
  `CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    rate TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT
  )`,
  "ALTER TABLE revisions ADD COLUMN files TEXT NOT NULL DEFAULT '[]'",
  "ALTER TABLE revisions ADD COLUMN report TEXT NOT NULL DEFAULT '{}'",
  'ALTER TABLE revisions ADD COLUMN newest TEXT',
  'ALTER TABLE revisions ADD COLUMN checksum TEXT',
  'CREATE INDEX revisions_by_dataset ON revisions (dataset, revision)',
  'CREATE INDEX revisions_by_instant ON revisions (published_at, revision)',
  'CREATE TABLE secrets (name TEXT PRIMARY KEY, value BYTES NOT NULL)',
  "INSERT INTO secrets VALUES ('cursor', RANDOM_BYTES)",
];

/** The tables, indexes and view of one dataset. */
export function getSchemaDefinitions(dataset: Dataset, dialect: TableDialect): SchemaDefinition[] {
  const table = getStorageTable(dataset);
  const beside = getAuxiliaryTable(dataset);
  const own = [table, ...(beside ? [beside] : [])].flatMap((each) => [
    ...buildTables(each, dialect),
    ...buildIndexes(each),
  ]);
  return [...own, ...buildSpellingIndexes(dataset), buildView(dataset, table, dialect)];
}

function buildTables(table: StorageTable, dialect: TableDialect): SchemaDefinition[] {
  const { currentTable, historyTable, columns } = table;
  const key = dialect.uniqueKey(table);
  const selecting = columns.map(
    ({ name, type }) => `${name} ${type === 'text' ? dialect.text : 'INTEGER'} NOT NULL`,
  );
  const stored = [...selecting, `record ${dialect.text} NOT NULL`, 'since INTEGER NOT NULL'];
  const ended = [...stored, 'until INTEGER NOT NULL'];
  return [
    ...dialect.createTable(currentTable, stored.join(', '), formatOrder(key)),
    ...dialect.createTable(
      historyTable,
      ended.join(', '),
      formatOrder([...key, { column: 'since' }]),
    ),
  ];
}

/** Records of the past are found as those of the present are; both also by their revisions. */
function buildIndexes({
  currentTable,
  historyTable,
  key,
  indexes,
}: StorageTable): SchemaDefinition[] {
  const [since, until] = [{ column: 'since' }, { column: 'until' }];
  const bySince = { by_since: [since, ...key] };
  // The last revision first, as corrections are told.
  const byUntil = { by_until: [{ ...until, isDescending: true as const }, ...key] };
  return [
    ...buildIndexDefinitions(currentTable, { ...appendColumns(indexes, [since]), ...bySince }),
    ...buildIndexDefinitions(historyTable, {
      ...appendColumns(indexes, [since, until]),
      ...bySince,
      ...byUntil,
    }),
  ];
}

/** With the revisions in it, an index alone tells which records stood, without a look at each. */
function appendColumns(
  indexes: StorageTable['indexes'],
  columns: readonly OrderedColumn[],
): StorageTable['indexes'] {
  return Object.fromEntries(
    Object.entries(indexes).map(([suffix, own]) => [suffix, [...own, ...columns]]),
  );
}

function buildIndexDefinitions(
  table: string,
  indexes: StorageTable['indexes'],
): SchemaDefinition[] {
  return Object.entries(indexes).map(([suffix, columns]) => {
    const name = `${table}_${suffix}`;
    const sql = `CREATE INDEX ${name} ON ${table} (${formatOrder(columns)})`;
    return { kind: 'index', name, sql };
  });
}

/**
 * The few quotes, if any, whose symbol is not written as its key: what tells symbols apart that
 * differ only in letter case, without a look at every quote.
 */
function buildSpellingIndexes(dataset: Dataset): SchemaDefinition[] {
  if (dataset.shape !== 'quotes') return [];
  const { currentTable, historyTable } = getStorageTable(dataset);
  return [currentTable, historyTable].map((table) => {
    const name = `${table}_by_spelling`;
    const sql = `CREATE INDEX ${name} ON ${table} (symbol_key, symbol) WHERE symbol <> symbol_key`;
    return { kind: 'index', name, sql };
  });
}

function buildView(
  { fields }: Dataset,
  { view, currentTable }: DatasetStorageTable,
  dialect: TableDialect,
): SchemaDefinition {
  const columns = Object.entries(fields).map(
    ([name, field]) => `${dialect.fieldExpression(name, field)} AS "${name}"`,
  );
  const sql = `CREATE VIEW ${view} AS SELECT ${columns.join(', ')}, since AS revision FROM ${currentTable}`;
  return { kind: 'view', name: view, sql };
}
