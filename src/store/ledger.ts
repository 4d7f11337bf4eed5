/** An entry of the ledger without its report. */
export interface Revision extends ChangeCounts {
  readonly revision: number;
  readonly dataset: string;
  readonly publishedAt: string;
  readonly source: string;
  readonly files: readonly SourceFile[];
  readonly author: string;
  readonly sample: boolean;
}

export interface LedgerEntry extends Revision {
  readonly report: RevisionReport;
}

/** Warnings and figures about a change: plain data, stored as JSON. */
export type RevisionReport = Readonly<Record<string, unknown>>;

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

export interface RevisionSeal {
  /** The newest day among the dataset's records after the revision; null where it has no days. */
  readonly newest: string | null;
  /** Null for revisions from before checksums were introduced. */
  readonly checksum: string | null;
}
