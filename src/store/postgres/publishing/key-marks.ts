import type { RecordKey } from '../../rows.ts';
import { andOwnRows, columnsEqualSql } from '../../sql/sql-fragments.ts';
import { execute } from '../query.ts';
import type { RowBatches } from './row-batches.ts';

/** The keys of a revision that `since` does not mark; in a table, as they may not fit into memory. */
export class KeyMarks {
  #count = 0;

  private constructor(private readonly batches: RowBatches) {}

  static async create(batches: RowBatches): Promise<KeyMarks> {
    const { connection, keyNames, table } = batches;
    const keys = keyNames.join(', ');
    for (const sql of [
      'DROP TABLE IF EXISTS tenor_unmarked',
      `CREATE TEMP TABLE tenor_unmarked AS SELECT ${keys} FROM ${table.currentTable} WITH NO DATA`,
      `CREATE UNIQUE INDEX tenor_unmarked_key ON tenor_unmarked (${keys})`,
    ])
      await execute(connection, sql);
    return new KeyMarks(batches);
  }

  async add(keys: readonly RecordKey[]): Promise<void> {
    const insert = `INSERT INTO tenor_unmarked SELECT k.* FROM ${this.#unnestKeys()}`;
    await this.batches.executeForKeys(insert, keys);
    this.#count += keys.length;
  }

  async filter(keys: readonly RecordKey[]): Promise<RecordKey[]> {
    if (this.#count === 0) return [];
    const { keyNames } = this.batches;
    const select = `SELECT ${keyNames.map((name) => `k.${name}`).join(', ')} FROM ${this.#unnestKeys()}
      JOIN tenor_unmarked AS s ON ${columnsEqualSql(keyNames, 's', 'k')}`;
    return (await this.batches.executeForKeys(select, keys)).map((row) => Object.values(row));
  }

  /** Collects the keys that did not come in this revision, in `tenor_absent`. */
  async collectAbsentKeys(): Promise<void> {
    const { connection, keyNames, table, revision } = this.batches;
    const select = `SELECT ${keyNames.join(', ')} FROM ${table.currentTable} WHERE since < $1${andOwnRows(table)}`;
    const isSame = columnsEqualSql(keyNames, 'a', 's');
    await execute(connection, 'DROP TABLE IF EXISTS tenor_absent');
    await execute(connection, `CREATE TEMP TABLE tenor_absent AS ${select}`, [revision]);
    await execute(
      connection,
      `DELETE FROM tenor_absent AS a USING tenor_unmarked AS s WHERE ${isSame}`,
    );
  }

  #unnestKeys(): string {
    return this.batches.toUnnestSql(this.batches.keyNames, 'k');
  }
}
