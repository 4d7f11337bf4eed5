import type { SQL } from 'bun';
import type { Dataset } from '../../../catalogue/dataset.ts';
import { tableOf } from '../../../derive/table.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { Migrating } from '../../store.ts';
import { StoreBusy, StoreRefused, StoreUnavailable } from '../../store.ts';
import { addressOf } from '../address.ts';
import { isDistributed, refuseUnfit } from '../cluster/citus.ts';
import { settleLeftOver } from '../cluster/settle.ts';
import { ask, stateOf, writingConnection } from '../connection.ts';
import { manyServers, oneServer } from '../dialect.ts';
import { LOCK, migrate, missing } from './migrate.ts';

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

/** Brings everything up to date, or tells what would be run to do it. */
export async function migratePostgres(
  url: string,
  catalogue: readonly Dataset[],
  { isTrial, distribute = false }: Migrating,
): Promise<string[]> {
  const work = async (connection: SQL) => {
    if (distribute && !(await isDistributed(connection))) await refuseUnfit(connection);
    const extent = { grants: true, distribute };
    if (isTrial) return missing(connection, catalogue, extent);
    const statements = await migrate(connection, catalogue, extent).catch(mayNot);
    if (await isDistributed(connection)) await settleLeftOver(connection, catalogue);
    return statements;
  };
  const statements = await visiting(url, work, distribute ? 'distribute it' : undefined);
  return statements.length === 0 ? [] : ['BEGIN', LOCK, ...statements, 'COMMIT'];
}

/**
 * That there is a database of ours at the address. It is brought along where this Tenor is newer,
 * but what it has lost is not mended.
 */
export async function found(url: string, catalogue: readonly Dataset[]): Promise<void> {
  await visiting(url, async (connection) => {
    if (await isEmpty(connection)) throw new StoreRefused('it has no tables of Tenor');
    const added: Dataset[] = [];
    for (const dataset of catalogue) if (await isNew(connection, dataset)) added.push(dataset);
    await migrate(connection, added).catch(mayNot);
  });
}

async function isNew(connection: SQL, dataset: Dataset): Promise<boolean> {
  const { now, past } = tableOf(dataset);
  const sql = 'SELECT 1 AS one WHERE coalesce(to_regclass(?), to_regclass(?)) IS NULL';
  return (await ask(connection, { sql, values: [now, past] })).length > 0;
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

/** Does a piece of work at an address; a failure says where it was, and what cannot be done. */
async function visiting<T>(
  url: string,
  work: (connection: SQL) => Promise<T>,
  what = 'use it as the database',
): Promise<T> {
  const connection = writingConnection(url);
  try {
    return await work(connection);
  } catch (cause) {
    const { message } = cause as Error;
    const where = addressOf(url);
    if (cause instanceof StoreBusy) throw cause;
    if (cause instanceof StoreUnavailable) {
      throw new StoreUnavailable(`cannot reach ${where}: ${message}`, { cause });
    }
    if (!(cause instanceof StoreRefused)) throw cause;
    throw new StoreRefused(`cannot ${what.replace('it', where)}: ${message}`, { cause });
  } finally {
    connection.close({ timeout: 0 }).catch(() => {});
  }
}

function mayNot(cause: unknown): never {
  const isDenied = cause instanceof StoreRefused && stateOf(cause.cause) === '42501';
  if (!isDenied) throw cause;
  throw new StoreRefused(
    `its schema is to be brought up to date, and this role may not (${cause.message}); run tenor migrate with the role that owns the tables`,
    { cause },
  );
}
