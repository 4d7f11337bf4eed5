import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { getTokensDefinition } from '../../src/store/sql/shared-schema.ts';
import { sqliteTableDialect } from '../../src/store/sqlite/dialect.ts';
import type { StoredToken } from '../../src/store/store.ts';

/** The rows of the table of tokens, of one commit. */
export type TokenRows = readonly Readonly<Record<string, SQLQueryBindings>>[];

/** A table that has the rows of some commit, and which ones. */
interface TokenTable {
  readonly database: Database;
  rows: TokenRows;
}

let table: TokenTable | undefined;

/** A statement on the table. */
export interface TokenStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export function readTokens(tokens: TokenRows, { sql, values }: TokenStatement): readonly object[] {
  return load(tokens)
    .database.query<object, SQLQueryBindings[]>(sql)
    .all(...(values as SQLQueryBindings[]));
}

/** The rows after a statement that writes. */
export function writeTokens(tokens: TokenRows, { sql, values }: TokenStatement): TokenRows {
  const loaded = load(tokens);
  loaded.database.query(sql).run(...(values as SQLQueryBindings[]));
  loaded.rows = loaded.database.query('SELECT * FROM tokens').all() as TokenRows;
  return loaded.rows;
}

/** The table with the rows of a commit. */
function load(tokens: TokenRows): TokenTable {
  table ??= { database: createTable(), rows: [] };
  if (table.rows !== tokens) fillTable(table.database, tokens);
  table.rows = tokens;
  return table;
}

function createTable(): Database {
  const database = new Database(':memory:', { strict: true });
  database.run(getTokensDefinition(sqliteTableDialect).sql);
  return database;
}

function fillTable(database: Database, tokens: TokenRows): void {
  database.run('DELETE FROM tokens');
  for (const row of tokens) {
    const values = Object.values(row);
    const placeholders = values.map(() => '?').join(', ');
    database.query(`INSERT INTO tokens VALUES (${placeholders})`).run(...values);
  }
}

/** A token as its row; the columns are in the order of the table. */
export function toTokenRow(token: StoredToken): TokenRows[number] {
  const { id, name, digest, scopes, rate, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  return {
    id,
    name,
    digest,
    scopes: scopes.join(' '),
    rate,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    last_used_at: lastUsedAt,
    target: token.target,
    may_share: token.mayShare ? 1 : 0,
  };
}
