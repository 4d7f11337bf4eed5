import type { Database } from 'bun:sqlite';
import type { Statement } from '../statements.ts';
import type { Reading } from '../store.ts';

/** What a statement that joins records gives. */
export function ask(database: Database, { sql, values }: Statement): Reading {
  const row = database.query<Answered, (string | number)[]>(sql).get(...values);
  return { revision: row?.revision ?? 0, count: row?.count ?? 0, records: row?.records ?? '' };
}

interface Answered {
  readonly revision: number | null;
  readonly count: number;
  readonly records: string | null;
}
