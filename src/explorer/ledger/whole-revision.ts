import type { AnyRecord, Revision } from '../service/catalogue.ts';

/** What `/revisions/{n}` tells of a revision. */
export interface WholeRevision extends Revision {
  readonly report: unknown;
  /** First corrections and retirements, then additions; the counts tell how many there are. */
  readonly changes: readonly Change[];
}

interface Change {
  readonly change: 'corrected' | 'retired' | 'added';
  readonly old: AnyRecord | null;
  readonly new: AnyRecord | null;
}

/** How many changes are asked for, and how many more where that is not enough. */
export const STEPS = [100, 1_000, 10_000] as const;
