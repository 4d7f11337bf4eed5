import type { DeclaredDatasets } from '../catalogue/catalogues.ts';
import type { StorageTable } from '../schema/storage-table.ts';
import type { SummaryTable } from '../schema/summary-tables.ts';
import type { SealedEntry } from './ledger.ts';
import type { StoreQueries } from './reader.ts';
import type { StoredRow, SummaryRows } from './rows.ts';

/**
 * Reads everything that is stored, in slices. Each is a short transaction of its own, so that others
 * write in between, and is as of a revision: what is published meanwhile changes nothing. Throws a
 * StoreDamagedError for what cannot be read, and a StoreUnavailableError otherwise.
 */
export interface StoreInspector
  extends Pick<StoreQueries, 'checkpoint' | 'treeHashes' | 'ledgerKeys' | 'logEntry'> {
  /** The host and the name of the database; absent for a file. */
  readonly server?: string;
  /** The newest revision. */
  revision(): Promise<number>;
  declarations(revision: number): Promise<DeclaredDatasets>;
  /**
   * Every row of a table, current and history, by key and then by age; a key is in one slice. A row of
   * a later revision than the ledger has is among them.
   */
  slices(table: StorageTable, revision: number): AsyncIterable<StoredSlice>;
  /** Faults of the indexes of a table, covering ones too, that its rows of a range show. */
  indexFaults?(table: StorageTable, range: KeyRange): readonly string[];
  /** The rows of a summary, of one range of its first key column if one is given. */
  summaryRows(table: SummaryTable, revision: number, range?: KeyRange): Promise<SummaryRows>;
  /** The entries of the ledger up to a revision, oldest first. */
  ledger(revision: number): AsyncIterable<readonly SealedEntry[]>;
  /** Faults of tables and indexes, which records do not show; one list for each slice. */
  structureFaults(): AsyncIterable<StructureFaults>;
  close(): void;
}

export interface StructureFaults {
  readonly faults: readonly string[];
  /** The names of the datasets that they damage; all if absent. */
  readonly datasets?: readonly string[] | undefined;
}

export interface StoredSlice {
  readonly rows: readonly StoredRow[];
  readonly range: KeyRange;
}

/** Values of the first key column, from one (inclusive) to another (exclusive); both may be open. */
export interface KeyRange {
  readonly from?: string | number | undefined;
  readonly before?: string | number | undefined;
}
