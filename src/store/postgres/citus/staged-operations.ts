import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { listTablePairs, type TablePair } from '../../../schema/storage-table.ts';
import { type EncodedRow, formatKey, type RecordKey } from '../../rows.ts';
import { sealedTextSql } from '../../sealed-text.ts';
import { columnsEqualSql } from '../../sql/sql-fragments.ts';
import { postgresTableDialect } from '../dialect.ts';
import {
  buildRecordStatements,
  type CurrentRow,
  type RecordOperations,
  type StoredColumns,
  toCurrentRow,
} from '../publishing/record-operations.ts';
import type { RowBatches } from '../publishing/row-batches.ts';
import { execute } from '../query.ts';

/**
 * A statement with arrays sends all of them to every shard, which joins all of them with its
 * records. So rows or keys are first inserted into a table that is distributed like the records:
 * then each shard joins its own. The rows of a batch have its number as `since`, and are deleted
 * with it. They are not truncated, nor is the whole table read: TRUNCATE and the moving of a shard
 * would wait for each other, and deleted rows stay there until the transaction ends.
 */
export function createStagedOperations(batches: RowBatches): RecordOperations {
  const { revision, getKey } = batches;
  const sql = buildStagedStatements(batches);
  const staging = createStaging(batches, sql);
  // Records that the staged rows or keys may supersede.
  let candidates: readonly CurrentRow[] = [];
  /** Supersedes the records of some keys, which is nearly always all that could be. */
  const supersede = async (keys: readonly RecordKey[], statement: string) => {
    const superseded = new Set(keys.map(formatKey));
    const candidateKeys = candidates.map(({ key }) => key);
    await staging.remove(candidateKeys.filter((key) => !superseded.has(formatKey(key))));
    if (keys.length > 0) {
      await staging.execute(sql.copyToHistory, revision);
      await staging.execute(statement, revision);
    }
    await staging.clear();
    candidates = [];
  };
  return {
    async insertNew(rows) {
      await staging.addRows(rows);
      const added = rows.length === 0 ? [] : await staging.execute(sql.insert, revision);
      if (added.length === rows.length) await staging.clear();
      return added.map((row) => Object.values(row));
    },
    async findReplaced(rows) {
      const remaining = new Map(rows.map((row) => [formatKey(getKey(row)), row]));
      const existing = (await staging.findCurrent()).filter(({ key }) =>
        remaining.has(formatKey(key)),
      );
      candidates = existing.filter(
        (current) =>
          current.since < revision &&
          !batches.isSameRow(current, remaining.get(formatKey(current.key)) as EncodedRow),
      );
      return existing;
    },
    replaceCurrent: (rows) => supersede(rows.map(getKey), sql.update),
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
function createStaging(batches: RowBatches, sql: ReturnType<typeof buildStagedStatements>) {
  const { connection, getKey } = batches;
  let isEmpty = true;
  let batch = 1;
  const executeForBatch = <Row extends object>(statement: string, ...after: number[]) =>
    execute<Row>(connection, statement, [batch, ...after]);
  return {
    execute: executeForBatch,
    async addRows(rows: readonly EncodedRow[]): Promise<void> {
      isEmpty &&= rows.length === 0;
      await batches.executeForRows(sql.stageRows, rows, batch);
    },
    async addKeys(keys: readonly RecordKey[]): Promise<void> {
      isEmpty &&= keys.length === 0;
      await batches.executeForKeys(sql.stageKeys, keys, batch);
    },
    /** The current records with staged keys. */
    async findCurrent(): Promise<CurrentRow[]> {
      if (isEmpty) return [];
      const rows = await executeForBatch<StoredColumns>(sql.findCurrent);
      return rows.map((row) => toCurrentRow(row, getKey));
    },
    remove: (keys: readonly RecordKey[]) => batches.executeForKeys(sql.removeStaged, keys),
    async clear(): Promise<void> {
      if (!isEmpty) await executeForBatch(sql.clear);
      isEmpty = true;
      batch++;
    },
  };
}

function buildStagedStatements(batches: RowBatches) {
  const { table, columns, keyNames } = batches;
  const stagingTable = getStagingTable(table);
  const source = `(SELECT * FROM ${stagingTable} WHERE since = $1::integer) AS k`;
  const statements = buildRecordStatements(batches, {
    keys: source,
    rows: source,
    until: '$2::integer',
    since: '$2::integer',
  });
  // What the revision itself has published, and what stays as it is.
  const [stored, staged] = ['n', 'k'].map((row) => sealedTextSql(table, row));
  const isSuperseded = `n.since < $2 AND ${stored} IS DISTINCT FROM ${staged}`;
  const keys = batches.toUnnestSql(keyNames, 'r');
  const batchAfterKeys = `$${keyNames.length + 1}::integer`;
  return {
    ...statements,
    copyToHistory: `${statements.copyToHistory} WHERE ${isSuperseded}`,
    update: `${statements.update} AND ${isSuperseded}`,
    remove: `${statements.remove} AND ${isSuperseded}`,
    stageRows: `INSERT INTO ${stagingTable} (${columns.join(', ')}, since)
      SELECT r.*, $${columns.length + 1}::integer FROM ${batches.toUnnestSql(columns, 'r')}`,
    stageKeys: `INSERT INTO ${stagingTable} (${keyNames.join(', ')}, since)
      SELECT r.*, ${batchAfterKeys} FROM ${keys}`,
    // Not by its batch: the planner would expect one row, and compare each with all keys.
    removeStaged: `DELETE FROM ${stagingTable} AS k USING ${keys}
      WHERE ${columnsEqualSql(keyNames, 'k', 'r')}`,
    clear: `DELETE FROM ${stagingTable} WHERE since = $1::integer`,
  };
}

/** The tables of a catalogue whose rows are staged in a cluster. */
export function listStagedTables(catalogue: readonly Dataset[]): TablePair[] {
  const tables = listTablePairs(catalogue);
  return tables.filter(({ distributionColumn }) => distributionColumn !== undefined);
}

export function getStagingTable({ currentTable }: Pick<TablePair, 'currentTable'>): string {
  return `${currentTable}_staged`;
}

/** Of retired records only the keys are staged: the other columns may be null. */
export function createStagingTableSql(tables: TablePair): string {
  const types = new Map(tables.columns.map(({ name, type }) => [name, type]));
  const columns = [...types.keys(), 'record', 'since'].map((name) => {
    const isInteger = name === 'since' || types.get(name) === 'integer';
    return `${name} ${isInteger ? 'INTEGER' : postgresTableDialect.text}`;
  });
  return `CREATE TABLE ${getStagingTable(tables)} (${columns.join(', ')})`;
}

export function getStagingIndex(tables: TablePair): string {
  return `${getStagingTable(tables)}_by_batch`;
}

/** Without it, each batch would read the deleted rows of those before. */
export function createStagingIndexSql(tables: TablePair): string {
  return `CREATE INDEX ${getStagingIndex(tables)} ON ${getStagingTable(tables)} (since)`;
}
