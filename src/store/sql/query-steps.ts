/** A statement with question marks as placeholders, and the values for them. */
export interface SqlQuery {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
}

/** A query that can be composed into another one. */
export interface SqlStatement extends SqlQuery {
  readonly values: readonly SqlValue[];
}

export type SqlValue = string | number | null;

/** Yields queries and gets their rows back, whether the engine is synchronous or not. */
export type QuerySteps<T> = Generator<SqlQuery, T, SqlRows>;

export type SqlRows = readonly object[];

export function* queryRows<Row extends object>(query: SqlQuery): QuerySteps<readonly Row[]> {
  return (yield query) as readonly Row[];
}

export function* queryRow<Row extends object>(query: SqlQuery): QuerySteps<Row | undefined> {
  const rows = yield query;
  return rows[0] as Row | undefined;
}

/** The number that a query selects as `count`. Engines may return large numbers as text. */
export function* queryCount(query: SqlQuery): QuerySteps<number> {
  const row = yield* queryRow<{ count: number | string }>(query);
  return Number(row?.count);
}
