import type { Field } from '../../catalogue/model/field.ts';
import type { StorageTable } from '../../schema/storage-table.ts';

/** How an engine creates tables. */
export interface TableDialect {
  readonly text: string;
  readonly bytes: string;
  /** An expression of 32 random bytes. */
  readonly randomBytes: string;
  createTable(name: string, columns: string, key: string): readonly SchemaDefinition[];
  /** A field of the stored record, as a column of a view. */
  fieldExpression(name: string, field: Field): string;
  /** The columns of the unique index. */
  uniqueKey(table: StorageTable): StorageTable['key'];
}

/** A table, index or view of a dataset. */
export interface SchemaDefinition {
  readonly kind: 'table' | 'index' | 'view';
  readonly name: string;
  readonly sql: string;
}
