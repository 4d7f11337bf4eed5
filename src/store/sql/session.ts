import type { StorageTable } from '../../schema/storage-table.ts';
import type { RowChecksum } from '../checksum.ts';
import type { ChangeCounts } from '../ledger.ts';
import type { EncodedRow, RecordKey } from '../publisher.ts';
import type { Dialect } from './dialect.ts';
import type { QuerySteps, SqlRows, SqlStatement } from './query-steps.ts';

/** One connection to an engine, and the transaction that it may be in. */
export interface QuerySession {
  readonly dialect: Dialect;
  /**
   * Takes the steps of a piece of work; all of them see one revision. A short one, which takes one
   * statement as a rule, is spared what several need, and begins again where it takes more.
   */
  run<T>(steps: () => QuerySteps<T>, isShort?: boolean): Promise<T>;
  /** The rows of a statement in batches, as they stood when it began. */
  stream(statement: SqlStatement): AsyncIterable<SqlRows>;
}

/** A session that holds the store: nobody else writes until it lets go. */
export interface WriteSession extends QuerySession {
  /** What puts rows into a table as a part of a revision. */
  writer(table: StorageTable, revision: number, sum: RowChecksum): Promise<RowWriter>;
}

/** Writes the records of one table within one revision, adding up what it does. */
export interface RowWriter {
  readonly counts: ChangeCounts;
  /** Puts records; gives those whose key this revision was given before, which are left out. */
  write(rows: readonly EncodedRow[]): Promise<readonly EncodedRow[]>;
  /** Takes records out; gives the keys that this revision was given before. */
  retire(keys: readonly RecordKey[]): Promise<readonly RecordKey[]>;
  /** Takes out every record that this revision was not given. */
  retireUnseen(): Promise<void>;
  /** Ends what was put off; gives the last records that came twice. */
  flush(): Promise<readonly EncodedRow[]>;
  /** Waits until nothing is under way any more; gives what it failed of, if it did. */
  waitForPending(): Promise<unknown>;
}
