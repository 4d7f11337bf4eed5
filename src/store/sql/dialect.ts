import type { Field } from '../../catalogue/model/field.ts';
import type { TableColumn, TablePair } from '../../schema/storage-table.ts';

/** How queries differ between engines, so that each plans them well. */
export interface Dialect {
  /** Whether finding the keys of superseded records before the records themselves is faster. */
  readonly findsKeysFirst: boolean;
  /**
   * Whether the planner takes the indexes of both tables only if each half of a union has the
   * limit, and if the condition on the revision, which nearly all records meet, is hidden from it.
   */
  readonly needsPlannerHints: boolean;
  /**
   * Whether records are distributed over nodes, which may show a commit at different moments. Then
   * every query is as of a revision: every node has those that are in the ledger.
   */
  readonly isDistributed: boolean;
  /**
   * The longest symbol, in bytes, whose records the index by symbol holds; longer ones have an index
   * without records. A query must name the lengths, so that the planner knows which one it needs.
   */
  readonly maxCoveredSymbolBytes?: number;
  /** Whether the session has the write lock, so that its own uncommitted rows are included. */
  readonly holdsWriteLock?: boolean;
}

/** How a union of current and superseded records is built. */
export type UnionHints = Partial<Pick<Dialect, 'needsPlannerHints' | 'isDistributed'>>;

export type EngineName = 'sqlite' | 'postgres';

export interface TableDialect {
  readonly engine: EngineName;
  readonly text: string;
  readonly bytes: string;
  /** An expression of 32 random bytes. */
  readonly randomBytes: string;
  createTable(
    name: string,
    columns: readonly ColumnDefinition[],
    key: string,
  ): readonly SchemaDefinition[];
  /** An index of some columns, which also stores others that are not searched. */
  createIndex(name: string, table: string, index: IndexColumns): readonly SchemaDefinition[];
  /** A field of the stored record, as a column of a view. */
  fieldExpression(name: string, field: Field): string;
  /** The same of a field that the table has a column of. */
  storedFieldExpression(name: string, field: Field): string;
  /** The source of a view, given the table of records and that of its days, if any. */
  viewSource(table: string, daysTable: string | undefined): string;
  uniqueKey(table: TablePair): TablePair['key'];
}

export interface IndexColumns {
  readonly searched: string;
  readonly included: readonly string[];
  readonly lengthColumn?: string | undefined;
}

export type SchemaDefinition = TableDefinition | IndexDefinition | ViewDefinition;

export interface TableDefinition {
  readonly kind: 'table';
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly sql: string;
  /** Statements that fill the table once it is created. */
  readonly fill?: readonly string[];
}

/** A column that is never null, unless its constraint says so. */
export interface ColumnDefinition extends Pick<TableColumn, 'name' | 'defaultText'> {
  readonly type: TableColumn['type'] | 'bytes';
  readonly constraint?: 'PRIMARY KEY' | 'UNIQUE' | 'NULL';
}

export interface IndexDefinition {
  readonly kind: 'index';
  readonly name: string;
  readonly table: string;
  readonly sql: string;
  /** Creates it on PostgreSQL while others read and write the table. */
  readonly concurrentSql: string;
}

export interface ViewDefinition {
  readonly kind: 'view';
  readonly name: string;
  readonly columnNames: readonly string[];
  readonly sql: string;
}

/** A statement that creates a table of some columns, then other parts such as a key. */
export function createTableSql(
  name: string,
  columns: readonly ColumnDefinition[],
  dialect: Pick<TableDialect, 'text' | 'bytes'>,
  ...parts: readonly string[]
): string {
  const types = { text: dialect.text, bytes: dialect.bytes, integer: 'INTEGER' };
  const formatted = columns.map((column) => {
    const withDefault = column.defaultText === undefined ? '' : ` DEFAULT '${column.defaultText}'`;
    return `${column.name} ${types[column.type]}${CONSTRAINTS[column.constraint ?? 'NOT NULL']}${withDefault}`;
  });
  return `CREATE TABLE ${name} (${[...formatted, ...parts].join(', ')})`;
}

const CONSTRAINTS = {
  'PRIMARY KEY': ' PRIMARY KEY',
  UNIQUE: ' NOT NULL UNIQUE',
  'NOT NULL': ' NOT NULL',
  NULL: '',
};

/** An index, given what it is of in parentheses, and what follows them. */
export function defineIndex(
  name: string,
  table: string,
  columns: string,
  unique: 'UNIQUE ' | '' = '',
): IndexDefinition {
  const rest = `${name} ON ${table} ${columns}`;
  return {
    kind: 'index',
    name,
    table,
    sql: `CREATE ${unique}INDEX ${rest}`,
    concurrentSql: `CREATE ${unique}INDEX CONCURRENTLY ${rest}`,
  };
}
