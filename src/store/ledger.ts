/** An entry of the ledger without its report and options. */
export interface Revision extends ChangeCounts {
  readonly revision: number;
  readonly dataset: string;
  readonly publishedAt: string;
  readonly source: string;
  readonly files: readonly SourceFile[];
  readonly author: string;
  readonly sample: boolean;
  /** What the publisher says of it; absent if nothing. In the ledger, it is part of the options. */
  readonly note?: string;
}

export interface LedgerEntry extends Revision {
  readonly report: RevisionReport;
  readonly options: RevisionOptions;
}

/** Stands for the dataset of a revision that may not be read in the database that is followed. */
export const UNREADABLE_DATASET = '';

/** The source of a reversion, before the number of the revision that it reverts. */
export const REVERT_SOURCE_PREFIX = 'revert of revision ';

/** Where the data of a revision came from. */
export type DataOrigin = Pick<LedgerEntry, 'source' | 'sample' | 'options'>;

/** Warnings and figures about a change: plain data, stored as JSON. */
export type RevisionReport = Readonly<Record<string, unknown>>;

/** Mapping and options that a revision was made with: plain data, stored as JSON. */
export interface RevisionOptions {
  /** The mapping, with what options of the command line changed in it. */
  readonly mapping?: Readonly<Record<string, unknown>>;
  /** Options of the load, by name. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The code that turned the files into records. */
  readonly adapter?: { readonly name: string; readonly sha256: string };
  /** Warning rules that were not reported. */
  readonly muted?: readonly string[];
  /** Warning rules that would have rejected the load. */
  readonly refused?: readonly string[];
  readonly release?: Release;
}

/** What is said of a revision beside its data. */
export interface Release {
  readonly note?: string | undefined;
  /** Accounts, of a revision that was staged as a candidate. */
  readonly stagedBy?: string;
  readonly approvedBy?: readonly string[];
  readonly publishedBy?: string;
  /** Why it was published without the approvals that it needed. */
  readonly urgent?: string | undefined;
  /** The instant that it was to be published at. */
  readonly due?: string | undefined;
  /** The first and the last revision of the bundle that it was published with. */
  readonly first?: number;
  readonly last?: number;
}

export interface ChangeCounts {
  readonly added: number;
  readonly corrected: number;
  readonly retired: number;
  readonly unchanged: number;
}

export interface SourceFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** An entry with what its checksum is computed from and compared with. */
export interface SealedEntry extends LedgerEntry {
  /** The newest day among the dataset's records after the revision; null if it has no days. */
  readonly newest: string | null;
  /** Null for a revision that a migration entered. */
  readonly checksum: string | null;
}

/** A key that signs the log from some size on. */
export interface LedgerKey {
  /** As verifiers take it: `name+id+key`. */
  readonly key: string;
  /** The size from which it signs; after a restart, that up to which both logs are the same. */
  readonly size: number;
  /** Names the key, and is signed by the one before it; null for the first, or if that was lost. */
  readonly note: string | null;
}
