import type { SQL } from 'bun';
import type { Dataset } from '../../catalogue/dataset.ts';
import type { Dialect } from '../sql/dialect.ts';
import { StoreRefused, StoreUnavailable } from '../store.ts';
import { addressOf } from './address.ts';
import { isDistributed } from './citus.ts';
import { ask, writingConnection } from './connection.ts';
import { manyServers, oneServer } from './dialect.ts';
import { migrate, missing } from './migrate.ts';

/**
 * Brings the schema up to date on the first server, and tells how to ask. Where that one is out of
 * reach, a replica will do, as long as nothing is missing.
 */
export async function prepared(
  [first = '', ...replicas]: readonly string[],
  catalogue: readonly Dataset[],
): Promise<Dialect> {
  try {
    return await visiting(first, async (connection) => {
      await migrate(connection, catalogue).catch(mayNot);
      return dialectOn(connection);
    });
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause;
    for (const replica of replicas) {
      const dialect = await ready(replica, catalogue).catch(() => undefined);
      if (dialect) return dialect;
    }
    throw cause;
  }
}

/** That there is a database of ours at the address; what it lacks is not mended. */
export async function found(url: string): Promise<void> {
  await visiting(url, async (connection) => {
    if (await isEmpty(connection)) throw new StoreRefused('it has no tables of Tenor');
  });
}

async function isEmpty(connection: SQL): Promise<boolean> {
  const sql = "SELECT 1 AS one WHERE to_regclass('tenor_schema') IS NULL";
  return (await ask(connection, { sql, values: [] })).length > 0;
}

function ready(url: string, catalogue: readonly Dataset[]): Promise<Dialect | undefined> {
  return visiting(url, async (connection) =>
    (await missing(connection, catalogue)).length === 0 ? dialectOn(connection) : undefined,
  );
}

async function dialectOn(connection: SQL): Promise<Dialect> {
  return (await isDistributed(connection)) ? manyServers : oneServer;
}

/** Does a piece of work at an address; a failure says where it was. */
export async function visiting<T>(url: string, work: (connection: SQL) => Promise<T>): Promise<T> {
  const connection = writingConnection(url);
  try {
    return await work(connection);
  } catch (cause) {
    const { message } = cause as Error;
    const where = addressOf(url);
    if (cause instanceof StoreUnavailable) {
      throw new StoreUnavailable(`cannot reach ${where}: ${message}`, { cause });
    }
    if (!(cause instanceof StoreRefused)) throw cause;
    throw new StoreRefused(`cannot use ${where} as the database: ${message}`, { cause });
  } finally {
    connection.close({ timeout: 0 }).catch(() => {});
  }
}

function mayNot(cause: unknown): never {
  if (!(cause instanceof StoreRefused && cause.cause)) throw cause;
  throw new StoreRefused(
    `its schema is to be brought up to date, and this role may not (${cause.message}); run tenor migrate with the role that owns the tables`,
    { cause },
  );
}
