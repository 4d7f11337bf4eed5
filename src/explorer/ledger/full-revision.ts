import type { JsonRecord, RevisionEntry } from '../api/types.ts';

/** What `/revisions/{n}` tells of a revision. */
export interface FullRevision extends RevisionEntry {
  readonly report: unknown;
  /** First corrections and retirements, then additions; the counts tell how many there are. */
  readonly changes: readonly RevisionChange[];
}

interface RevisionChange {
  readonly change: 'corrected' | 'retired' | 'added';
  readonly old: JsonRecord | null;
  readonly new: JsonRecord | null;
}

/** How many changes are asked for, and how many more where that is not enough. */
export const CHANGE_LIMITS = [100, 1_000, 10_000] as const;
