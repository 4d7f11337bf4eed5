import type { StorageTable } from '../../schema/storage-table.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import type { ChangeCounts } from '../ledger.ts';
import type { EncodedRow, RecordKey } from '../rows.ts';
import type { Dialect } from './dialect.ts';
import type { QuerySteps, SqlQuery, SqlRows } from './query-steps.ts';

/** A connection to an engine, and the transaction that it may be in. */
export interface QuerySession {
  readonly dialect: Dialect;
  /** All steps see one revision. */
  run<T>(steps: () => QuerySteps<T>, options?: RunOptions): Awaitable<T>;
  /** The rows of a query in batches, as of its start. */
  stream(query: SqlQuery): AsyncIterable<SqlRows>;
}

export interface RunOptions {
  /** Whether there is a single statement, most likely, which needs no transaction. */
  readonly isSingleStatement?: boolean;
  /** A revision that the steps are about, which a replica may not have yet. */
  readonly asOf?: number | undefined;
}

export interface WriteSession extends QuerySession {
  /** The folder for files of a revision that is written; without it, all is in memory. */
  readonly temporaryFolder?: string;
  /** The clock that dates revisions, in milliseconds: the database server's, or this machine's. */
  readClock(): Promise<number>;
  /**
   * When a token was last used or a server started, in milliseconds; 0 if that is not known. Absent
   * if the clock is a database server's, which needs no confirmation.
   */
  findLastActivity?(): number;
  /** Keeps as-of reads of the present waiting until the transaction ends. */
  lockCommit(): Promise<void>;
  /** The private keys of the ledger's log, a line each, from where readers do not read. */
  readonly signers: SignerStore;
  createWriter(table: StorageTable, revision: number, onRowChange: OnRowChange): Promise<RowWriter>;
}

/** Called with every change of a revision, in whatever order: what it supersedes and publishes. */
export type OnRowChange = (old: SupersededRow | undefined, row: EncodedRow | undefined) => void;

/** A row, and the revision that had published it. */
export interface SupersededRow extends EncodedRow {
  readonly since: number;
}

export interface SignerStore {
  /** Where they are, for messages. */
  readonly location: string;
  read(): Promise<readonly string[]>;
  /** Before the transaction commits. */
  add(line: string): Promise<void>;
  /** It is the only one, once the transaction commits. */
  replaceAll(line: string): Promise<void>;
}

/** Writes the records of one table for one revision, and tells of each change. */
export interface RowWriter {
  readonly counts: ChangeCounts;
  /** How many rows are written at once at least; batches of fewer are joined. */
  readonly minBatchRows: number;
  /** Writes records; returns those whose key came earlier in the revision, which are omitted. */
  write(rows: readonly EncodedRow[]): Promise<readonly EncodedRow[]>;
  /** Retires records; returns the keys that came earlier in the revision. */
  retire(keys: readonly RecordKey[]): Promise<readonly RecordKey[]>;
  retireAbsent(): Promise<void>;
  /** Completes deferred writes; returns the last records whose key came earlier. */
  flush(): Promise<readonly EncodedRow[]>;
  /** Waits for writes in progress; returns their error, if any. */
  waitForPending(): Promise<unknown>;
}
