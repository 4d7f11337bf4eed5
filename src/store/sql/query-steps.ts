/** A statement and the values for its placeholders. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export type SqlValue = string | number | null;

/**
 * Work that takes statements, one after another, whatever engine runs them and however it waits:
 * each statement that is yielded comes back as its rows.
 */
export type QuerySteps<T> = Generator<SqlStatement, T, SqlRows>;

export type SqlRows = readonly object[];

/** The rows of a statement. */
export function* queryRows<Row extends object>(
  sql: string,
  values: readonly SqlValue[] = [],
): QuerySteps<readonly Row[]> {
  const rows = yield { sql, values };
  return rows as readonly Row[];
}

/** The first row of a statement; undefined where there is none. */
export function* queryRow<Row extends object>(
  sql: string,
  values: readonly SqlValue[] = [],
): QuerySteps<Row | undefined> {
  const rows = yield { sql, values };
  return rows[0] as Row | undefined;
}
