import {
  type ColumnDefinition,
  createTableSql,
  defineIndex,
  type SchemaDefinition,
  type TableDefinition,
  type TableDialect,
} from './dialect.ts';
import {
  CANDIDATE_PARTS_TABLE,
  CANDIDATES_TABLE,
  LEDGER_HASHES_TABLE,
  LEDGER_KEYS_TABLE,
  LEDGER_SIGNERS_TABLE,
  REVIEWS_TABLE,
  REVISION_DIGESTS_TABLE,
  SECRETS_TABLE,
  TOKENS_TABLE,
} from './stored-tables.ts';

/** The tables that are of no dataset, with their indexes. */
export function getSharedDefinitions(dialect: TableDialect): readonly SchemaDefinition[] {
  const tables = [
    defineTable('revisions', REVISION_COLUMNS, dialect),
    {
      ...defineTable(
        SECRETS_TABLE,
        [key('name', 'text'), { name: 'value', type: 'bytes' }],
        dialect,
      ),
      fill: [`INSERT INTO ${SECRETS_TABLE} VALUES ('cursor', ${dialect.randomBytes})`],
    },
    defineTable(REVISION_DIGESTS_TABLE, DIGEST_COLUMNS, dialect),
    defineTable(LEDGER_HASHES_TABLE, HASH_COLUMNS, dialect),
    defineTable(LEDGER_KEYS_TABLE, KEY_COLUMNS, dialect),
  ];
  const indexes = [
    defineIndex('revisions_by_dataset', 'revisions', '(dataset, revision)'),
    defineIndex('revisions_by_instant', 'revisions', '(published_at, revision)'),
    defineIndex(`${LEDGER_HASHES_TABLE}_key`, LEDGER_HASHES_TABLE, '(level, ordinal)', 'UNIQUE '),
  ];
  // SQLite has these in files of their own.
  const privateTables = [
    getTokensDefinition(dialect),
    defineTable(LEDGER_SIGNERS_TABLE, [key('line', 'text')], dialect),
    ...getCandidateDefinitions(dialect),
  ];
  return [...tables, ...(dialect.engine === 'postgres' ? privateTables : []), ...indexes];
}

/** The table of the tokens, which SQLite has in a file of their own. */
export function getTokensDefinition(dialect: TableDialect): TableDefinition {
  return defineTable(TOKENS_TABLE, TOKEN_COLUMNS, dialect);
}

/** The tables of candidates, which SQLite has in a file of their own. */
export function getCandidateDefinitions(dialect: TableDialect): readonly SchemaDefinition[] {
  const parts = [integer('candidate'), text('name'), integer('number'), text('data')];
  const order = '(candidate, name, number)';
  return [
    defineTable(CANDIDATES_TABLE, [key('id', 'integer'), text('state'), text('document')], dialect),
    defineTable(CANDIDATE_PARTS_TABLE, parts, dialect),
    defineIndex(`${CANDIDATE_PARTS_TABLE}_key`, CANDIDATE_PARTS_TABLE, order, 'UNIQUE '),
    defineTable(REVIEWS_TABLE, [key('dataset', 'text'), integer('approvals')], dialect),
  ];
}

function defineTable(
  name: string,
  columns: readonly ColumnDefinition[],
  dialect: TableDialect,
): TableDefinition {
  return { kind: 'table', name, columns, sql: createTableSql(name, columns, dialect) };
}

const key = (name: string, type: ColumnDefinition['type']): ColumnDefinition => ({
  name,
  type,
  constraint: 'PRIMARY KEY',
});
const text = (name: string, defaultText?: string): ColumnDefinition => ({
  name,
  type: 'text',
  ...(defaultText !== undefined && { defaultText }),
});
const integer = (name: string): ColumnDefinition => ({ name, type: 'integer' });
const nullable = (name: string): ColumnDefinition => ({ name, type: 'text', constraint: 'NULL' });

const REVISION_COLUMNS = [
  key('revision', 'integer'),
  ...['dataset', 'published_at', 'source', 'author'].map((name) => text(name)),
  ...['sample', 'added', 'corrected', 'retired', 'unchanged'].map(integer),
  ...[text('files', '[]'), text('report', '{}'), nullable('newest'), nullable('checksum')],
  text('options', '{}'),
];

const TOKEN_COLUMNS: readonly ColumnDefinition[] = [
  key('id', 'text'),
  text('name'),
  { ...text('digest'), constraint: 'UNIQUE' },
  text('scopes'),
  nullable('rate'),
  text('created_at'),
  ...['expires_at', 'revoked_at', 'last_used_at', 'target'].map(nullable),
  integer('may_share'),
];

const DIGEST_COLUMNS = [
  key('revision', 'integer'),
  ...[text('changes'), text('salt'), nullable('checkpoint')],
];

const HASH_COLUMNS = [integer('level'), integer('ordinal'), text('hash')];

const KEY_COLUMNS = [
  key('number', 'integer'),
  ...[text('verifier_key'), integer('size'), nullable('note')],
];
