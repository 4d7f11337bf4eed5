import { SQL } from 'bun';
import type { PostgresDatabases } from './types.ts';

/** Makes and drops databases of the server that an address leads to. */
export function createDatabaseManager(address: string): PostgresDatabases {
  const url = (database?: string) => {
    const at = new URL(address);
    if (database !== undefined) at.pathname = `/${encodeURIComponent(database)}`;
    return at.href;
  };
  return {
    url,
    async createDatabase(name = `tenor_test_${crypto.randomUUID().replaceAll('-', '')}`, like) {
      const template =
        like === undefined ? '' : ` TEMPLATE ${quoteIdentifier(getDatabaseName(like))}`;
      await runSql(address, `CREATE DATABASE ${quoteIdentifier(name)}${template}`);
      return url(name);
    },
    async dropDatabase(of) {
      const name = getDatabaseName(of);
      await withConnection(address, async (sql) => {
        // Whoever was just closed leaves in a moment, and the server waits for them by 100 ms.
        for (let looks = 0; looks < 20 && (await isInUse(sql, name)); looks++) await Bun.sleep(2);
        await sql.unsafe(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
      });
    },
  };
}

/** What a statement gives, on a connection of its own. */
export function runSql(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return withConnection(url, (sql) => sql.unsafe(statement));
}

/** Does something on one connection, and closes it. */
export async function withConnection<T>(
  url: string,
  callback: (sql: SQL) => Promise<T>,
): Promise<T> {
  const sql = new SQL(url, { max: 1, connectionTimeout: 10 });
  try {
    return await callback(sql);
  } finally {
    await sql.close();
  }
}

async function isInUse(sql: SQL, name: string): Promise<boolean> {
  return (await sql`SELECT 1 FROM pg_stat_activity WHERE datname = ${name} LIMIT 1`).length > 0;
}

function getDatabaseName(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
