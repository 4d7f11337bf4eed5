import type { Candidate, CandidateStore } from '../../store/open-store.ts';
import { GuardError } from '../errors.ts';
import { describeStale, explainLook, listAffected } from './candidate-facts.ts';

type Reviews = Pick<CandidateStore, 'reviews'>;

/** How many approvals a candidate needs by others than who staged it. */
export async function countRequired(
  store: Reviews,
  candidate: Pick<Candidate, 'input' | 'changes'>,
): Promise<number> {
  const reviews = await store.reviews();
  return Math.max(0, ...listAffected(candidate).map((name) => reviews.get(name) ?? 0));
}

/** Rejects a candidate that is stale, or lacks approvals. */
export async function assertApproved(store: Reviews, candidate: Candidate): Promise<void> {
  const { id, approvals, stagedBy, input } = candidate;
  if (candidate.staleSince !== undefined)
    throw new GuardError(
      'stale-candidate',
      `candidate ${id} is stale, since ${describeStale(candidate)}: ${explainLook(id)}`,
    );
  const given = new Set(approvals.map(({ by }) => by).filter((by) => by !== stagedBy)).size;
  const lacking = (await countRequired(store, candidate)) - given;
  if (lacking > 0)
    throw new GuardError(
      'needs-approval',
      `candidate ${id} needs ${lacking} more ${lacking === 1 ? 'approval' : 'approvals'} by others than ${stagedBy}${input.kind === 'review' ? '' : '; --urgent REASON publishes it without, and the ledger keeps the reason'}`,
    );
}
