import type { Dataset } from '../catalogue/model/dataset.ts';
import type { EncodedRow } from './encoded-row.ts';
import type { LedgerEntry, RevisionSeal } from './ledger.ts';

/** Reads everything that is stored, for the check of a whole database. */
export interface StoreInspector {
  /** Faults of the file and its tables; empty where there are none. */
  findStructureFaults(): Promise<string[]>;
  /** Every row of a dataset, current and history, by key and then by age. */
  rows(dataset: Dataset): AsyncIterable<readonly StoredRow[]>;
  /** Every entry of the ledger with its checksum, oldest first. */
  ledger(): Promise<readonly (LedgerEntry & RevisionSeal)[]>;
  /** Every row of a dataset's auxiliary table, in the same order. */
  auxiliaryRows(dataset: Dataset): AsyncIterable<readonly StoredRow[]>;
  close(): void;
}

export interface StoredRow extends EncodedRow {
  readonly since: number;
  /** The revision that replaced or retired it; null where it is current. */
  readonly until: number | null;
}
