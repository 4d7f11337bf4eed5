import { SQL } from 'bun';
import type { PostgresDatabases } from './types.ts';

/** Creates and drops databases of the server at a URL. */
export function createDatabaseManager(address: string): PostgresDatabases {
  const url = (database?: string) => {
    const result = new URL(address);
    if (database !== undefined) result.pathname = `/${encodeURIComponent(database)}`;
    return result.href;
  };
  return {
    url,
    async createDatabase(
      name = `tenor_test_${crypto.randomUUID().replaceAll('-', '')}`,
      sourceUrl,
    ) {
      // Copying files takes less processor time than copying pages by way of the log.
      const template =
        sourceUrl === undefined
          ? ''
          : ` TEMPLATE ${quoteIdentifier(getDatabaseName(sourceUrl))} STRATEGY FILE_COPY`;
      await runSql(address, `CREATE DATABASE ${quoteIdentifier(name)}${template}`);
      return url(name);
    },
    async dropDatabase(databaseUrl) {
      const name = getDatabaseName(databaseUrl);
      await withConnection(address, async (sql) => {
        // Connections that were just closed take a moment; the server itself would wait for 100 ms.
        for (let tries = 0; tries < 20 && (await isInUse(sql, name)); tries++) await Bun.sleep(2);
        await sql.unsafe(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
      });
    },
  };
}

/** Runs a statement on a connection of its own. */
export function runSql(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return withConnection(url, (sql) => sql.unsafe(statement));
}

/** Runs a callback with one connection, and closes it. */
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
