import { createHash } from 'node:crypto';
import { datasets } from '../../catalogue/datasets/datasets.ts';
import type { Candidate, Release } from '../../store/open-store.ts';
import type { DeferredChange } from './defer-recording.ts';
import { getInput } from './run-input.ts';

/** The changes of a candidate as it keeps them. */
export function toChanges(deferred: readonly DeferredChange[]): Candidate['changes'] {
  return deferred.map(({ dataset, replace, staged: { counts, digest } }) => {
    const { added, corrected, retired, unchanged } = counts;
    return { dataset: dataset.name, digest, replace, added, corrected, retired, unchanged };
  });
}

/** Whether a candidate would change just that. */
export function isSameChange(
  candidate: Pick<Candidate, 'changes'>,
  changes: Candidate['changes'],
): boolean {
  const describe = (each: Candidate['changes']) =>
    each.map(({ dataset, digest }) => `${dataset} ${digest}`).join();
  return describe(candidate.changes) === describe(changes);
}

/** The datasets whose records or declarations a candidate changes, by name. */
export function listAffected(candidate: Pick<Candidate, 'input' | 'changes'>): string[] {
  const input = getInput(candidate);
  const names = candidate.changes.flatMap(({ dataset, declared = [] }) => [dataset, ...declared]);
  if (input.kind === 'review') names.push(input.dataset);
  if (input.kind === 'retire-dataset') names.push(input.name);
  if (input.kind === 'declare')
    names.push(...input.declarations.map((value) => String((value as { name?: unknown })?.name)));
  const affected = names.filter((name) => name !== datasets.name || input.kind !== 'declare');
  return [...new Set(affected)];
}

/** What the ledger tells of the release of a candidate. */
export function describeRelease(
  { note, stagedBy, approvals, due }: Candidate,
  {
    by,
    urgent,
    ...range
  }: { by: string; urgent: string | undefined; first?: number; last?: number },
): Release {
  const approvedBy = approvals.map((approval) => approval.by);
  return {
    ...(note !== undefined && { note }),
    stagedBy,
    ...(approvedBy.length > 0 && { approvedBy }),
    publishedBy: by,
    ...(urgent !== undefined && { urgent }),
    ...(due !== undefined && { due }),
    ...range,
  };
}

/** The salt of the entry of a revision of a candidate, by which it is known to be published. */
export function deriveSalt({ salt }: Pick<Candidate, 'salt'>, position: number): Buffer {
  return createHash('sha256').update(`${salt} ${position}`).digest().subarray(0, 16);
}

/** Why a candidate is not published until somebody looks at it. */
export function describeHold(candidate: Candidate): string | undefined {
  const { problem, staleSince, staleReason } = candidate;
  if (problem !== undefined) return `not published: ${problem}`;
  if (staleSince === undefined) return undefined;
  return `stale since revision ${staleSince}${staleReason ? `, which ${staleReason}` : ''}`;
}

/** `revision 7 changed records that it touches`. */
export function describeStale({
  staleSince,
  staleReason,
}: Pick<Candidate, 'staleSince' | 'staleReason'>): string {
  return `revision ${staleSince} ${staleReason ?? 'changed records that it touches'}`;
}

/** Why somebody has to look at a candidate again before it is approved. */
export const describeMove = (candidate: Candidate) =>
  candidate.staleReason
    ? describeStale(candidate)
    : `records that candidate ${candidate.id} touches have changed, and it would change others now`;

/** What somebody has to do about a candidate that is left alone. */
export const explainLook = (id: number) =>
  `look at it again (tenor candidate show ${id} --changes), then approve it`;

export const withdraw = (candidate: Candidate, by: string, at: string): Candidate => ({
  ...candidate,
  state: 'withdrawn',
  closed: { by, at },
});

/** `published as revision 7, by bob at …`. */
export function describeState({ state, closed }: Candidate): string {
  if (state === 'staged') return state;
  const revisions = closed?.revisions ?? [];
  const as = revisions.length > 0 ? ` as revision ${revisions.join(' and ')}` : '';
  return `${state}${as}, by ${closed?.by} at ${closed?.at}`;
}
