import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { getStorageTable, type StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../rows.ts';
import { columnsEqualSql, getStoredColumns } from '../../sql/sql-fragments.ts';
import { postgresTableDialect } from '../dialect.ts';
import {
  type BatchExecutors,
  createColumnArrays,
  createRowKeys,
  getRowColumns,
  toKeys,
} from '../publishing/batch-executors.ts';
import {
  buildRecordStatements,
  type CurrentRow,
  type RecordOperations,
  type StoredColumns,
  toCurrentRow,
} from '../publishing/record-operations.ts';
import { execute, type SqlExecutor } from '../query.ts';

/**
 * A statement with arrays sends all of them to every shard, which joins all of them with its
 * records. So rows or keys are first inserted into a table that is distributed like the records:
 * then each shard joins its own. The table is empty between batches.
 */
export function createStagedOperations(
  connection: SqlExecutor,
  table: StorageTable,
  revision: number,
  executors: BatchExecutors,
): RecordOperations {
  const { fromRow, toText } = createRowKeys(table);
  const sql = buildStagedStatements(table);
  const staging = createStaging(connection, table, executors);
  // Records that the staged rows or keys may supersede.
  let candidates: readonly CurrentRow[] = [];
  /** Supersedes the records of some keys, which is nearly always all that could be. */
  const supersede = async (keys: readonly RecordKey[], statement: string) => {
    const superseded = new Set(keys.map(toText));
    const candidateKeys = candidates.map(({ key }) => key);
    await staging.remove(candidateKeys.filter((key) => !superseded.has(toText(key))));
    if (keys.length > 0) {
      await execute(connection, sql.copyToHistory, [revision]);
      await execute(connection, statement, [revision]);
    }
    await staging.clear();
    candidates = [];
  };
  return {
    async insertNew(rows) {
      await staging.addRows(rows);
      const added = rows.length === 0 ? [] : toKeys(await execute(connection, sql.insert));
      if (added.length === rows.length) await staging.clear();
      return added;
    },
    async findReplaced(rows) {
      const remaining = new Map(rows.map((row) => [toText(fromRow(row)), row]));
      const existing = (await staging.findCurrent()).filter(({ key }) =>
        remaining.has(toText(key)),
      );
      candidates = existing.filter(
        ({ key, json, since }) => since < revision && json !== remaining.get(toText(key))?.json,
      );
      return existing;
    },
    replaceCurrent: (rows) => supersede(rows.map(fromRow), sql.update),
    async findCurrent(keys) {
      await staging.addKeys(keys);
      const existing = await staging.findCurrent();
      candidates = existing.filter(({ since }) => since < revision);
      return existing;
    },
    retireCurrent: (keys) => supersede(keys, sql.remove),
  };
}

/** The staging table of a writer, with the rows or the keys of one batch. */
function createStaging(
  connection: SqlExecutor,
  table: StorageTable,
  { executeForKeys, executeForRows }: BatchExecutors,
) {
  const { fromRow } = createRowKeys(table);
  const sql = buildStagedStatements(table);
  let isEmpty = true;
  return {
    async addRows(rows: readonly EncodedRow[]): Promise<void> {
      isEmpty &&= rows.length === 0;
      await executeForRows(sql.stageRows, rows);
    },
    async addKeys(keys: readonly RecordKey[]): Promise<void> {
      isEmpty &&= keys.length === 0;
      await executeForKeys(sql.stageKeys, keys);
    },
    /** The current records with staged keys. */
    async findCurrent(): Promise<CurrentRow[]> {
      if (isEmpty) return [];
      const rows = await execute<StoredColumns>(connection, sql.findCurrent);
      return rows.map((row) => toCurrentRow(row, fromRow));
    },
    remove: (keys: readonly RecordKey[]) => executeForKeys(sql.removeStaged, keys),
    async clear(): Promise<void> {
      if (!isEmpty) await execute(connection, sql.clear);
      isEmpty = true;
    },
  };
}

function buildStagedStatements(table: StorageTable) {
  const { names } = createRowKeys(table);
  const columns = getRowColumns(table);
  const stagingTable = getStagingTable(table);
  const source = `${stagingTable} AS k`;
  const statements = buildRecordStatements(table, {
    keys: source,
    rows: source,
    until: '$1::integer',
    since: 'k.since',
  });
  // What the revision itself has published, and what stays as it is.
  const isSuperseded = 'n.since < $1 AND n.record IS DISTINCT FROM k.record';
  const keyArrays = createColumnArrays(table, names);
  return {
    ...statements,
    copyToHistory: `${statements.copyToHistory} WHERE ${isSuperseded}`,
    update: `${statements.update} AND ${isSuperseded}`,
    remove: `${statements.remove} AND ${isSuperseded}`,
    stageRows: `INSERT INTO ${stagingTable} (${columns.join(', ')}, since)
      SELECT r.*, $${columns.length + 1}::integer FROM ${createColumnArrays(table, columns).toUnnestSql('r')}`,
    stageKeys: `INSERT INTO ${stagingTable} (${names.join(', ')}) SELECT r.* FROM ${keyArrays.toUnnestSql('r')}`,
    removeStaged: `DELETE FROM ${source} USING ${keyArrays.toUnnestSql('r')} WHERE ${columnsEqualSql(names, 'k', 'r')}`,
    clear: `TRUNCATE ${stagingTable}`,
  };
}

/** The tables of a catalogue whose rows are staged in a cluster. */
export function listStagedTables(catalogue: readonly Dataset[]): StorageTable[] {
  const tables = catalogue.map(getStorageTable);
  return tables.filter(({ distributionColumn }) => distributionColumn !== undefined);
}

export function getStagingTable({ currentTable }: StorageTable): string {
  return `${currentTable}_staged`;
}

/** Of retired records only the keys are staged: the other columns may be null. */
export function createStagingTableSql(table: StorageTable): string {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const columns = getStoredColumns(table).map((name) => {
    const isInteger = name === 'since' || types.get(name) === 'integer';
    return `${name} ${isInteger ? 'INTEGER' : postgresTableDialect.text}`;
  });
  return `CREATE TABLE ${getStagingTable(table)} (${columns.join(', ')})`;
}
