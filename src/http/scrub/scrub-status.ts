/** Findings of scrubs, which all processes of a server know. */
export interface ScrubFindings {
  /** When the last complete scrub ended, in milliseconds; null before the first. */
  readonly finishedAtMs: number | null;
  /** Faults of the last complete scrub, or of a running one that has found more already. */
  readonly faults: number;
}

export interface ScrubStatus extends ScrubFindings {
  /** The records that this process has checked since its start. */
  readonly checkedRecords: number;
}

/** The scrub as requests see it. */
export interface ScrubView {
  status(): ScrubStatus;
}
