import type { StorageTable } from '../../../schema/storage-table.ts';
import type { EncodedRow, RecordKey } from '../../rows.ts';
import { getSealedText } from '../../sealed-text.ts';
import { getKeyColumns } from '../../sql/sql-fragments.ts';
import { execute, type SqlExecutor } from '../query.ts';

/** Keys and rows of a table as one array for each column, which PostgreSQL unnests. */
export class RowBatches {
  readonly columns: readonly string[];
  /** The columns of keys, with the distribution column, if the table has one. */
  readonly keyNames: readonly string[];

  constructor(
    readonly connection: SqlExecutor,
    readonly table: StorageTable,
    readonly revision: number,
  ) {
    this.columns = [...table.columns.map(({ name }) => name), 'record'];
    this.keyNames = getKeyColumns(table);
  }

  /** `unnest($1::text[], …) AS alias (…)`, which can be read from like a table. */
  toUnnestSql(names: readonly string[], alias: string): string {
    const arrays = names.map((name, index) => `$${index + 1}::${this.#getType(name)}[]`);
    return `unnest(${arrays.join(', ')}) AS ${alias} (${names.join(', ')})`;
  }

  async executeForKeys<Row extends object>(
    statement: string,
    keys: readonly RecordKey[],
    ...after: number[]
  ): Promise<Row[]> {
    if (keys.length === 0) return [];
    const values = [...this.#toArrays(this.keyNames, keys), ...after];
    return execute<Row>(this.connection, statement, values);
  }

  async executeForRows(
    statement: string,
    rows: readonly EncodedRow[],
    after = this.revision,
  ): Promise<object[]> {
    if (rows.length === 0) return [];
    const cells = rows.map(({ columns, json }) => [...columns, json]);
    const values = [...this.#toArrays(this.columns, cells), after];
    return execute(this.connection, statement, values);
  }

  /** Whether a row says the same as another one: with the same text and status. */
  isSameRow(row: EncodedRow, other: EncodedRow): boolean {
    return getSealedText(this.table, row) === getSealedText(this.table, other);
  }

  readonly getKey = ({ columns }: EncodedRow): RecordKey =>
    this.keyNames.map((name) => columns[this.columns.indexOf(name)] as string | number);

  /** The key of a record with the distribution column, which follows from it. */
  readonly completeKey = (key: RecordKey): RecordKey => {
    const value = this.table.getDistributionValue?.(key);
    return value === undefined ? key : [...key, value];
  };

  #toArrays(names: readonly string[], rows: readonly (readonly (string | number)[])[]) {
    return names.map((name, index) =>
      this.connection.array(
        rows.map((row) => row[index]),
        this.#getType(name) === 'integer' ? 'INTEGER' : 'TEXT',
      ),
    );
  }

  #getType(name: string): 'text' | 'integer' {
    return this.table.columns.find((column) => column.name === name)?.type ?? 'text';
  }
}
