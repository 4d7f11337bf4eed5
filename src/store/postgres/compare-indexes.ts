import type { SQL } from 'bun';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import type { StructureFaults } from '../inspector.ts';
import { listDatasetTables } from '../sql/stored-tables.ts';
import { getSqlState } from './errors.ts';
import { execute } from './query.ts';

/** Runs statements on a connection, so that all of them see tables and indexes of one instant. */
export type ReadSnapshot = <T>(read: (connection: SQL) => Promise<T>) => Promise<T>;

/**
 * Compares the entries of each index, which has copies of its own, with the rows of its table, unless
 * the server itself checks each page that it reads. Skips an index that takes too long.
 */
export async function* compareIndexes(
  read: ReadSnapshot,
  catalogue: readonly Dataset[],
): AsyncGenerator<StructureFaults> {
  const tables = listDatasetTables(catalogue);
  const names = [...tables.map(({ name }) => name), 'revisions'];
  const indexes = await read((connection) =>
    execute<StoredIndex>(connection, LIST_INDEXES_SQL, [connection.array(names, 'TEXT')]),
  );
  for (const index of indexes) {
    const compare = async (connection: SQL) => [
      await hashIndex(connection, index, 'entries'),
      await hashIndex(connection, index, 'rows'),
    ];
    const [entries, rows] = await read(compare).catch(describeFailure);
    const { datasets } = tables.find(({ name }) => name === index.table) ?? {};
    const fault = `index ${index.name} differs from its table: ${entries}`;
    yield { faults: entries === rows ? [] : [fault], datasets };
  }
}

const QUERY_CANCELED = '57014';

/** What differs if an index cannot be read; nothing if that takes too long. */
function describeFailure(cause: unknown): string[] {
  if (cause instanceof StoreDamagedError) return [cause.message];
  const isLate =
    cause instanceof StoreUnavailableError && getSqlState(cause.cause) === QUERY_CANCELED;
  if (isLate) return [];
  throw cause;
}

interface StoredIndex {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** The order of the index, by which the planner chooses it. */
  readonly order: string;
  /** The condition on the rows that it has; null if it has all. */
  readonly predicate: string | null;
}

const KEYS_SQL = `FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS k(attnum, n)
  JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.attnum`;
/** None before PostgreSQL 14, which has no exclusive or of a column. */
const LIST_INDEXES_SQL = `SELECT t.relname AS "table", i.relname AS name,
    pg_get_expr(x.indpred, x.indrelid) AS predicate,
    (SELECT json_agg(a.attname ORDER BY k.n) ${KEYS_SQL}) AS columns,
    (SELECT string_agg(a.attname || CASE x.indoption[k.n - 1] & 1 WHEN 1 THEN ' DESC' ELSE '' END,
      ', ' ORDER BY k.n) ${KEYS_SQL} WHERE k.n <= x.indnkeyatts) AS "order"
  FROM pg_index AS x JOIN pg_class AS t ON t.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
    AND current_setting('server_version_num')::integer >= 140000
    AND 'on,off' <> current_setting('data_checksums') || ',' || current_setting('ignore_checksum_failure')
  ORDER BY 1, 2`;

/** A hash of all that an index has, in whatever order; by the settings, the planner reads one of both. */
async function hashIndex(
  connection: SQL,
  { table, columns, predicate, order }: StoredIndex,
  source: 'entries' | 'rows',
): Promise<string> {
  const [scan, index] = source === 'rows' ? ['on', 'off'] : ['off', 'on'];
  for (const setting of ['seqscan', 'sort'])
    await execute(connection, `SET LOCAL enable_${setting} = ${scan}`);
  for (const setting of ['indexscan', 'indexonlyscan'])
    await execute(connection, `SET LOCAL enable_${setting} = ${index}`);
  const where = predicate ? ` WHERE ${predicate}` : '';
  const orderBy = source === 'entries' ? ` ORDER BY ${order}` : '';
  const sql = `SELECT count(*) || ' ' || coalesce(bit_xor(hash_record_extended(stored, 0)), 0) AS hash
    FROM (SELECT ${columns.join(', ')} FROM ${table}${where}${orderBy}) AS stored`;
  const [row] = await execute<{ hash: string }>(connection, sql);
  return row?.hash ?? '';
}
