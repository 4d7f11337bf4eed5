import type { Table } from '../../derive/table.ts';
import type { RowSum } from '../checksum.ts';
import type { Counts, Key, Row } from '../store.ts';
import type { Dialect } from './dialect.ts';
import type { Rows, Statement, Steps } from './steps.ts';

/** One connection to an engine, and the transaction that it may be in. */
export interface Session {
  readonly dialect: Dialect;
  /**
   * Takes the steps of a piece of work; all of them see one revision. A short one, which takes one
   * statement as a rule, is spared what several need, and begins again where it takes more.
   */
  run<T>(work: () => Steps<T>, isShort?: boolean): Promise<T>;
  /** The rows of a statement in batches, as they stood when it began. */
  walk(statement: Statement): AsyncIterable<Rows>;
}

/** A session that holds the store: nobody else writes until it lets go. */
export interface WritingSession extends Session {
  /** What puts rows into a table as a part of a revision. */
  writer(table: Table, revision: number, sum: RowSum): Promise<Writer>;
}

/** Writes the records of one table within one revision, adding up what it does. */
export interface Writer {
  readonly counts: Counts;
  /** Puts records; gives those whose key this revision was given before, which are left out. */
  put(rows: readonly Row[]): Promise<readonly Row[]>;
  /** Takes records out; gives the keys that this revision was given before. */
  retire(keys: readonly Key[]): Promise<readonly Key[]>;
  /** Takes out every record that this revision was not given. */
  retireRest(): Promise<void>;
  /** Ends what was put off; gives the last records that came twice. */
  finish(): Promise<readonly Row[]>;
  /** Waits until nothing is under way any more; gives what it failed of, if it did. */
  settled(): Promise<unknown>;
}
