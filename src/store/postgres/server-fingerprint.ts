import type { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { withTimeout } from '../../shared/awaitable.ts';
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import type { StructureFaults } from '../inspector.ts';
import type { Dialect } from '../sql/dialect.ts';
import { listDatasetTables } from '../sql/stored-tables.ts';
import { closeImmediately, createReadPool } from './connection-pool.ts';
import { getSqlState, throwStoreError } from './errors.ts';
import { execute } from './query.ts';
import { SNAPSHOT_ISOLATION } from './session.ts';

/**
 * Text that stays the same while what one server has stored does: hashes of all rows of its tables,
 * and of all entries of its indexes, which have copies of their own, unless the server itself checks
 * each page that it reads. One that was started again may read other pages than it had in memory.
 */
export async function readServerFingerprint(
  url: string,
  dialect: Dialect,
  catalogue: readonly Dataset[],
  statementTimeoutMs?: number,
): Promise<string> {
  const snapshots = new Snapshots(url, dialect, statementTimeoutMs);
  try {
    const [state] = await snapshots.read((sql) => execute<ServerState>(sql, SERVER_STATE_SQL));
    const indexes = state?.checksPages ? [] : await snapshots.read(listIndexes(dialect, catalogue));
    const tables = listTables(catalogue).map((table) => ({ table, columns: ['*'] }));
    const parts = [
      await snapshots.read(hashAll(indexes, 'index')).catch(describeDamage),
      await snapshots.read(hashAll(tables, 'table')).catch(describeDamage),
    ];
    return JSON.stringify([state, parts]);
  } finally {
    snapshots.close();
  }
}

interface ServerState {
  readonly startedAt: string;
  readonly checksPages: boolean;
}

const SERVER_STATE_SQL = `SELECT pg_postmaster_start_time()::text AS "startedAt",
  current_setting('data_checksums') = 'on' AND current_setting('ignore_checksum_failure') = 'off' AS "checksPages"`;

/** Compares the entries of each index with the rows of its table; skips one that takes too long. */
export async function* findIndexFaults(
  url: string,
  dialect: Dialect,
  catalogue: readonly Dataset[],
  statementTimeoutMs?: number,
): AsyncGenerator<StructureFaults> {
  const tables = listDatasetTables(catalogue);
  const snapshots = new Snapshots(url, dialect, statementTimeoutMs);
  try {
    for (const index of await snapshots.read(listIndexes(dialect, catalogue))) {
      const compare = async (connection: SQL) => [
        await hashAll([index], 'index')(connection),
        await hashAll([index], 'table')(connection),
      ];
      const [entries, rows] = await snapshots
        .read(compare)
        .catch((cause) => (isTimeout(cause) ? [] : [describeDamage(cause)]));
      const fault = `index ${index.name} differs from its table: ${entries}`;
      const { datasets } = tables.find(({ name }) => name === index.table) ?? {};
      yield {
        faults: entries === rows ? [] : [fault],
        datasets,
      };
    }
  } finally {
    snapshots.close();
  }
}

function describeDamage(cause: unknown): string {
  if (cause instanceof StoreDamagedError) return cause.message;
  throw cause;
}

/** Whether a statement took too long. */
function isTimeout(cause: unknown): boolean {
  return cause instanceof StoreUnavailableError && getSqlState(cause.cause) === '57014';
}

/** A look must not take longer than it is of use. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** A transaction has at most two long statements, and a connection may fall silent. */
const SILENCE_FACTOR = 2;

type Read<T> = (connection: SQL) => Promise<T>;

/** Transactions on one connection, each of which sees tables and indexes of one instant. */
class Snapshots {
  readonly #pool: SQL;

  constructor(
    url: string,
    dialect: Dialect,
    private readonly statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  ) {
    this.#pool = createReadPool(url, 1, { poolSize: 1, ...dialect });
  }

  read<T>(read: Read<T>): Promise<T> {
    const result = this.#pool
      .begin(SNAPSHOT_ISOLATION, async (connection) => {
        await execute(connection, `SET LOCAL statement_timeout = ${this.statementTimeoutMs}`);
        return read(connection);
      })
      .catch(throwStoreError);
    const limitMs = SILENCE_FACTOR * this.statementTimeoutMs;
    return withTimeout(result, limitMs, () => {
      this.close();
      return new StoreUnavailableError(`the server was silent for ${limitMs} ms`);
    });
  }

  close(): void {
    closeImmediately(this.#pool);
  }
}

/** The tables that requests read. */
function listTables(catalogue: readonly Dataset[]): string[] {
  return [...listDatasetTables(catalogue).map(({ name }) => name), 'revisions'];
}

/** Columns that are hashed, of all rows of a table or of those that meet a condition. */
interface HashedColumns {
  readonly table: string;
  readonly columns: readonly string[];
  readonly predicate?: string | null;
  /** The order of an index, by which the planner chooses it. */
  readonly order?: string;
}

type HashedIndex = HashedColumns & { readonly name: string };

/** Lists the indexes of the tables; none of a cluster, whose nodes have them, or before PostgreSQL 14. */
function listIndexes(
  { isDistributed }: Dialect,
  catalogue: readonly Dataset[],
): Read<HashedIndex[]> {
  const tables = isDistributed ? [] : listTables(catalogue);
  return (connection) =>
    execute<HashedIndex>(connection, LIST_INDEXES_SQL, [connection.array(tables, 'TEXT')]);
}

const KEYS_SQL = `FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS k(attnum, n)
  JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.attnum`;
const LIST_INDEXES_SQL = `SELECT t.relname AS "table", i.relname AS name,
    pg_get_expr(x.indpred, x.indrelid) AS predicate,
    (SELECT json_agg(a.attname ORDER BY k.n) ${KEYS_SQL}) AS columns,
    (SELECT string_agg(a.attname || CASE x.indoption[k.n - 1] & 1 WHEN 1 THEN ' DESC' ELSE '' END,
      ', ' ORDER BY k.n) ${KEYS_SQL} WHERE k.n <= x.indnkeyatts) AS "order"
  FROM pg_index AS x JOIN pg_class AS t ON t.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
    AND current_setting('server_version_num')::integer >= 140000 ORDER BY 1, 2`;

/** Hashes rows or entries, in whatever order; by the settings, the planner reads one of both. */
function hashAll(sources: readonly HashedColumns[], from: 'index' | 'table'): Read<string> {
  const [scan, index] = from === 'table' ? ['on', 'off'] : ['off', 'on'];
  const statements = sources.map(({ table, columns, predicate, order }) => {
    const where = predicate ? ` WHERE ${predicate}` : '';
    const orderBy = from === 'index' ? ` ORDER BY ${order}` : '';
    return `SELECT count(*) || ' ' || coalesce(bit_xor(hash_record_extended(stored, 0)), 0) AS hash
      FROM (SELECT ${columns.join(', ')} FROM ${table}${where}${orderBy}) AS stored`;
  });
  return async (connection) => {
    if (statements.length === 0) return '';
    for (const setting of ['seqscan', 'sort'])
      await execute(connection, `SET LOCAL enable_${setting} = ${scan}`);
    for (const setting of ['indexscan', 'indexonlyscan'])
      await execute(connection, `SET LOCAL enable_${setting} = ${index}`);
    const rows = await execute<{ hash: string }>(connection, statements.join(' UNION ALL '));
    return rows.map(({ hash }) => hash).join();
  };
}
