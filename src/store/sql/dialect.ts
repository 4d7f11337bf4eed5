import type { Field } from '../../catalogue/model/field.ts';
import type { TablePair } from '../../schema/storage-table.ts';

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
  createTable(name: string, columns: string, key: string): readonly SchemaDefinition[];
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

/** A migration of one engine only. */
export type EngineMigration = Pick<TableDialect, 'engine'> & { readonly sql: string };

export interface IndexColumns {
  readonly searched: string;
  readonly included: readonly string[];
  readonly lengthColumn?: string | undefined;
}

export interface SchemaDefinition {
  readonly kind: 'table' | 'index' | 'view';
  readonly name: string;
  readonly sql: string;
  /** The table of an index. */
  readonly table?: string;
  /** Whether a view can take the place of an earlier one with columns of the same names. */
  readonly keepsColumnTypes?: boolean;
  /** Gives an existing table the settings of a new one. */
  readonly updateSql?: string;
  /** Statements that fill a table that was just created from others, given which of them exist. */
  readonly fill?: (exists: (name: string) => boolean) => readonly string[];
}
