import type { FollowState } from '../operations/health/health-operations.ts';

/** How a database that follows another one is. */
export interface FollowStatus {
  readonly state: FollowState;
  /** The server or mirror that it follows. */
  readonly source: string;
  /** The newest revision here, and that of the source when it last looked; null before. */
  readonly revision: number;
  readonly sourceRevision: number | null;
  /** When it was last compared with the source, in milliseconds; null before. */
  readonly comparedAtMs: number | null;
  /** What is wrong, as a word and in a sentence; absent where nothing is. */
  readonly problem?: string;
  readonly cause?: string;
}

/** Before the source was first read. */
export function createInitialStatus(source: string): FollowStatus {
  return { state: 'behind', source, revision: 0, sourceRevision: null, comparedAtMs: null };
}
