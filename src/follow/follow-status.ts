import type { FollowState, SharingState } from '../operations/health/health-operations.ts';

/** The state of a server that follows another one. */
export interface FollowStatus {
  readonly state: FollowState;
  readonly source: string;
  /**
   * The newest revision here, and that of the source when it was last checked; null before the first check.
   */
  readonly revision: number;
  readonly sourceRevision: number | null;
  /** When it was last compared with the source, in milliseconds; null before the first time. */
  readonly comparedAtMs: number | null;
  /** The problem, as a keyword; absent if there is none. */
  readonly problem?: string;
  readonly cause?: string;
  /** What of the source is valid here; absent until it is known. */
  readonly sharing?: SharingState;
}

/** The status before the source is first read. */
export function createInitialStatus(source: string): FollowStatus {
  return { state: 'behind', source, revision: 0, sourceRevision: null, comparedAtMs: null };
}
