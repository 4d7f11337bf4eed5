import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { getPrivateFile } from '../../src/shared/database-folders.ts';
import { parseSqlitePath } from '../../src/store/sqlite/open-sqlite.ts';
import { readSigners } from '../../src/store/sqlite/signers-file.ts';
import { withConnection } from './postgres/databases.ts';

/** Every row of every table that an engine has, by table; tokens and private keys of SQLite from their own files. */
export async function dumpTables(url: string): Promise<Record<string, string[]>> {
  return url.startsWith('sqlite:') ? dumpSqlite(parseSqlitePath(url)) : dumpPostgres(url);
}

/** A file without candidates has none of their tables. */
const NO_CANDIDATES = { candidates: [], candidate_parts: [], reviews: [] };

function dumpSqlite(path: string): Record<string, string[]> {
  const files = [
    path,
    ...['tokens', 'candidates'].map((name) => getPrivateFile(path, name)),
  ].filter((file) => existsSync(file));
  const tables = files.flatMap((file) => {
    using database = new Database(file, { readonly: true });
    const query = (sql: string) => database.query<Record<string, unknown>, []>(sql).all();
    return query("SELECT name FROM sqlite_schema WHERE type = 'table'").map(
      ({ name }) => [String(name), formatRows(query(`SELECT * FROM ${name}`))] as const,
    );
  });
  const signers = readSigners(path).map((line) => ({ line }));
  return { ...NO_CANDIDATES, ...Object.fromEntries(tables), ledger_signers: formatRows(signers) };
}

function dumpPostgres(url: string): Promise<Record<string, string[]>> {
  return withConnection(url, async (sql) => {
    const tables: Record<string, string[]> = {};
    const list = await sql`SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;
    for (const { name } of list)
      tables[name] = formatRows(await sql.unsafe(`SELECT * FROM ${name}`));
    return tables;
  });
}

function formatRows(rows: readonly object[]): string[] {
  const format = (row: object) =>
    Object.entries(row).map(([name, value]) => {
      const isBytes = value instanceof Uint8Array;
      return [name, isBytes ? Buffer.from(value).toString('base64') : value];
    });
  return rows.map((row) => JSON.stringify(format(row).toSorted())).toSorted();
}
