/** A statement and the values for its placeholders. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

export type Value = string | number | null;

/**
 * Work that takes statements, one after another, whatever engine runs them and however it waits:
 * each statement that is yielded comes back as its rows.
 */
export type Steps<T> = Generator<Statement, T, Rows>;

export type Rows = readonly object[];

/** The rows of a statement. */
export function* rowsOf<Row extends object>(
  sql: string,
  values: readonly Value[] = [],
): Steps<readonly Row[]> {
  const rows = yield { sql, values };
  return rows as readonly Row[];
}

/** The first row of a statement; undefined where there is none. */
export function* rowOf<Row extends object>(
  sql: string,
  values: readonly Value[] = [],
): Steps<Row | undefined> {
  const rows = yield { sql, values };
  return rows[0] as Row | undefined;
}
