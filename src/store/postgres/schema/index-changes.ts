import type { SchemaDefinition } from '../../sql/dialect.ts';

/** A table, index or view of the schema. */
export interface Relation {
  readonly comment: string | null;
  /** The definition of a valid index, in the form of ours; null for anything else. */
  readonly indexDefinition: string | null;
  /** The names of the columns of a view; null for anything else. */
  readonly columns: string | null;
}

export type Relations = ReadonlyMap<string, Relation>;

/** How a part of the schema comes into being without readers or publishers waiting for it. */
export interface DefinitionChange {
  /** Statements that take long, and cannot be in a transaction. */
  readonly builds: readonly string[];
  /** All others: a new index takes the place of the one before, which is kept. */
  readonly transaction: readonly string[];
}

/**
 * Builds an index under another name and swaps it in. An index that was built by a run which ended
 * before the swap is taken, an unfinished one is dropped. The one that is replaced stays: servers of
 * the version before go on using it until they are restarted.
 */
export function planIndexChange(
  relations: Relations,
  { name, sql }: Pick<SchemaDefinition, 'name' | 'sql'>,
): DefinitionChange {
  const { newName, oldName } = getTransitionNames(name);
  const newSql = normalizeSql(sql).replace(` INDEX ${name} `, ` INDEX ${newName} `);
  const isBuilt = relations.get(newName)?.indexDefinition === newSql;
  const isReplaced = relations.get(name)?.indexDefinition != null;
  const obsolete = [...(isReplaced ? [oldName] : [name]), ...(isBuilt ? [] : [newName])].filter(
    (index) => relations.has(index),
  );
  return {
    builds: [
      ...obsolete.map(dropIndexSql),
      ...(isBuilt ? [] : [newSql.replace(' INDEX ', ' INDEX CONCURRENTLY ')]),
    ],
    transaction: [
      ...(isReplaced ? [`ALTER INDEX ${name} RENAME TO ${oldName}`] : []),
      `ALTER INDEX ${newName} RENAME TO ${name}`,
    ],
  };
}

/** Whether a valid index is as defined, by whichever process it was created. */
export function isIndexAsDefined(relation: Relation, { sql }: Pick<SchemaDefinition, 'sql'>) {
  return relation.indexDefinition === normalizeSql(sql);
}

/** Statements that drop what earlier runs have replaced or left unfinished. */
export function planIndexDrops(relations: Relations, indexes: readonly string[]): string[] {
  return indexes
    .flatMap((name) => Object.values(getTransitionNames(name)))
    .filter((name) => relations.has(name))
    .map(dropIndexSql);
}

export function dropIndexSql(name: string): string {
  return `DROP INDEX CONCURRENTLY ${name}`;
}

function getTransitionNames(name: string) {
  return { newName: `${name}_new`, oldName: `${name}_old` };
}

export function normalizeSql(sql: string): string {
  return sql.replace(/\s+/g, ' ');
}
