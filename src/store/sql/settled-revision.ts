import { system } from '../../shared/system.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { RevisionAt } from '../reader.ts';

/** The clock of a store in milliseconds, and whether a revision was being committed after it. */
export interface CommitState {
  readonly nowMs: number;
  readonly isCommitting: boolean;
}

/** An HTTP date means its whole second, which may not be over yet. */
const MAX_AHEAD_MS = 1_000;
const COMMIT_TIMEOUT_MS = 2_000;
const MIN_POLL_INTERVAL_MS = 10;
const MAX_POLL_INTERVAL_MS = 160;

export type ReadCommitState = () => CommitState | Promise<CommitState>;

/** Reads the state once for all requests that wait for it at a time. */
export function shareCommitState(read: ReadCommitState): ReadCommitState {
  let state: ReturnType<ReadCommitState> | undefined;
  let readMs = 0;
  return () => {
    const nowMs = system.monotonicNow();
    if (state && nowMs - readMs < MIN_POLL_INTERVAL_MS) return state;
    readMs = nowMs;
    state = read();
    return state;
  };
}

/**
 * Finds the newest revision at an instant, when no other can have an instant before it any more:
 * when there is a later one, or when the instant has passed and no revision is being committed.
 * For an instant in the future it returns at once what is not final.
 */
export async function findSettledRevision(
  instant: string,
  findRevision: () => Promise<RevisionAt>,
  readCommitState: ReadCommitState,
): Promise<RevisionAt> {
  const deadlineMs = system.monotonicNow() + MAX_AHEAD_MS + COMMIT_TIMEOUT_MS;
  for (let intervalMs = MIN_POLL_INTERVAL_MS; ; intervalMs *= 2) {
    const { nowMs, isCommitting } = await readCommitState();
    const found = await findRevision();
    const aheadMs = Date.parse(instant) - nowMs;
    if (found.isFinal || aheadMs > MAX_AHEAD_MS) return found;
    // A revision may get the present millisecond as its instant.
    if (aheadMs < 0 && !isCommitting) return { ...found, isFinal: true };
    if (system.monotonicNow() > deadlineMs)
      throw new StoreUnavailableError('a revision is being committed, and takes long');
    await system.sleep(Math.max(aheadMs + 1, Math.min(intervalMs, MAX_POLL_INTERVAL_MS)));
  }
}
