/** Findings of scrubs, which all processes of a server know. */
export interface ScrubFindings {
  /** When the last complete scrub ended, in milliseconds; null before the first. */
  readonly finishedAtMs: number | null;
  /** Faults of the last complete scrub, or of a running one that has found more already. */
  readonly faults: number;
  /** Names of what they damage: datasets, `LEDGER`, or `EVERYTHING`. */
  readonly damaged: readonly string[];
}

/** News that processes of a server tell each other; the others tell theirs to the one that scrubs. */
export type ScrubNews =
  | ScrubFindings
  /** A read failed because these are damaged, or something unknown if there are none. */
  | { readonly suspected: readonly string[] };

/** The scrub as requests see it. */
export interface ScrubView {
  /** With the records that this process has checked since its start. */
  status(): ScrubFindings & { readonly checkedRecords: number };
}
