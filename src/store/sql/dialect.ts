import type { Field } from '../../catalogue/model/field.ts';
import type { StorageTable } from '../../schema/storage-table.ts';

/** What engines do not share: the same questions, in words that each of them takes best. */
export interface Dialect {
  /** Whether it pays to find the keys of past records before the records themselves. */
  readonly findsKeysFirst: boolean;
  /**
   * Whether the planner must be led to take both halves of the past by their indexes: each is cut
   * to the limit on its own, and the revision, which nearly all records meet, is hidden from it.
   */
  readonly needsPlannerHints: boolean;
  /**
   * Whether records are spread over machines that come to show a change at different moments.
   * Then everything is asked as of a revision: those that the ledger names, every machine has.
   */
  readonly isDistributed: boolean;
  /** Whether nobody else writes, so that what is there is all of one's own doing. */
  readonly holdsWriteLock?: boolean;
}

/** How an engine makes tables. */
export interface TableDialect {
  readonly text: string;
  readonly bytes: string;
  /** Thirty-two bytes that nobody can guess. */
  readonly randomBytes: string;
  /** What makes a table whose rows a key tells apart. */
  createTable(name: string, columns: string, key: string): readonly SchemaDefinition[];
  /** A field of a record's text, as a column of a view. */
  fieldExpression(name: string, field: Field): string;
  /** What rows are told apart by, beyond the key that answers have. */
  uniqueKey(table: StorageTable): StorageTable['key'];
}

/** Something that a dataset has in the database. */
export interface SchemaDefinition {
  readonly kind: 'table' | 'index' | 'view';
  readonly name: string;
  readonly sql: string;
}
