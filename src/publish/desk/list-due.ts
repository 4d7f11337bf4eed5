import type { Candidate } from '../../store/open-store.ts';
import { describeStale } from './candidate-facts.ts';

/** Candidates that are published together, or none of them: one without a bundle is alone. */
export function groupByBundle(candidates: readonly Candidate[]): Candidate[][] {
  return [...Map.groupBy(candidates, ({ id, bundle }) => bundle ?? id).values()];
}

/** The instant of a bundle is the last of its candidates; NaN as long as one of them has none. */
const findInstant = (group: readonly Candidate[]) =>
  Math.max(...group.map(({ due }) => (due === undefined ? Number.NaN : Date.parse(due))));

/** The last of the instants of some candidates. */
export function findLastInstant(candidates: readonly Candidate[]): Date | undefined {
  const instants = candidates.flatMap(({ due }) => (due === undefined ? [] : [Date.parse(due)]));
  return instants.length > 0 ? new Date(Math.max(...instants)) : undefined;
}

/**
 * The bundles whose publication has to begin by now, those of one instant together: if each began after the
 * other is published, the second would be late.
 */
export function listDue(
  candidates: readonly Candidate[],
  nowMs: number,
  getLeadMs: (candidates: readonly Candidate[], remainingMs: number) => number,
): Candidate[][][] {
  const open = groupByBundle(candidates).filter((group) =>
    group.every(({ problem }) => problem === undefined),
  );
  return [...Map.groupBy(open, findInstant)].flatMap(([instant, groups]) => {
    const remainingMs = instant - nowMs;
    return remainingMs <= getLeadMs(groups.flat(), remainingMs) ? [groups] : [];
  });
}

/** A candidate that is left although its instant has passed, with the reason. */
export interface OverdueCandidate {
  readonly id: number;
  readonly reason: string;
}

/** The candidates that wait for somebody, and not for the last instant of their bundle. */
export function listOverdue(candidates: readonly Candidate[], nowMs: number): OverdueCandidate[] {
  return groupByBundle(candidates).flatMap((group) => {
    const [other] = group.filter((each) => findHold(each) !== undefined || each.due === undefined);
    if (!other) return [];
    const which = other.due === undefined ? ', which has no instant' : '';
    return group
      .filter(({ due }) => due !== undefined && Date.parse(due) <= nowMs)
      .map((each) => ({
        id: each.id,
        reason: findHold(each) ?? `waits for candidate ${other.id} of its bundle${which}`,
      }));
  });
}

function findHold(candidate: Candidate): string | undefined {
  const isStale = candidate.staleSince !== undefined;
  return candidate.problem ?? (isStale ? `stale: ${describeStale(candidate)}` : undefined);
}
