import { rmSync } from 'node:fs';
import { createTemporaryFolder } from '../../shared/temporary-folder.ts';
import type {
  Candidate,
  CandidateStore,
  PublishTransaction,
  Revision,
} from '../../store/open-store.ts';
import {
  deriveSalt,
  describeRelease,
  describeStale,
  explainLook,
  isSameChange,
  toChanges,
} from './candidate-facts.ts';
import type { ReadPart } from './candidate-files.ts';
import { type DeferredChange, deferRecording, recordDeferred } from './defer-recording.ts';
import { findRedeclared, type Redeclared } from './find-redeclared.ts';
import { groupByBundle } from './list-due.ts';
import { joinFolder, runInput } from './run-input.ts';

interface Publication {
  readonly by: string;
  readonly urgent: string | undefined;
  /** The instant that all revisions have. */
  readonly due: Date | undefined;
}

/** A revision of a candidate. */
interface PublishedPart {
  readonly id: number;
  readonly revision: number;
  readonly publishedAt: string;
}

/**
 * Publishes candidates as consecutive revisions, those of a bundle with one instant, if each changes what was
 * looked at; returns them in order.
 */
export async function publishTogether(
  transaction: PublishTransaction,
  store: Pick<CandidateStore, 'readPart'>,
  candidates: readonly Candidate[],
  { by, urgent, due }: Publication,
): Promise<readonly PublishedPart[]> {
  const folder = createTemporaryFolder();
  try {
    for (const candidate of candidates) {
      const redeclared = await findRedeclared(transaction, candidate, candidate.comparedWith);
      if (redeclared) throw new StaleError(candidate, redeclared);
    }
    const deferred: DeferredChange[] = [];
    const bundles = groupByBundle(candidates);
    for (const candidate of bundles.flat()) {
      const { id } = candidate;
      rmSync(joinFolder(folder, id), { recursive: true, force: true });
      const recording = deferRecording(transaction, id, deferred);
      const readPart: ReadPart = (name) => store.readPart(id, name);
      await runInput(recording, { candidate, readPart, folder: joinFolder(folder, id) });
      const own = deferred.filter((change) => change.id === id);
      if (!isSameChange(candidate, toChanges(own))) throw new StaleError(candidate);
    }
    const revisions: Revision[] = [];
    for (const bundle of bundles) {
      const own = deferred.filter(({ id }) => bundle.some((each) => each.id === id));
      const recorded = await recordDeferred(own, due, ({ id }, index) => {
        const candidate = bundle.find((each) => each.id === id) as Candidate;
        const position = own.slice(0, index).filter((each) => each.id === id).length;
        const release = describeRelease(candidate, { by, urgent, ...findRange(bundle, own) });
        return { release, salt: deriveSalt(candidate, position) };
      });
      revisions.push(...recorded);
    }
    return revisions.map(({ revision, publishedAt }, index) => {
      const { id } = deferred[index] as DeferredChange;
      return { id, revision, publishedAt };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The revisions of a bundle, if there are several. */
function findRange([candidate]: readonly Candidate[], changes: readonly DeferredChange[]) {
  const numbers = changes.map(({ staged }) => staged.revision);
  if (candidate?.bundle === undefined || numbers.length < 2) return {};
  return { first: numbers[0] as number, last: numbers.at(-1) as number };
}

/** What a candidate would change, or a declaration that it rests on, is not what it was when it was checked. */
export class StaleError extends Error {
  readonly stale: Pick<Candidate, 'staleSince' | 'staleReason'>;

  constructor(
    readonly candidate: Candidate,
    redeclared?: Redeclared,
  ) {
    const { id, comparedWith } = candidate;
    const reason = redeclared
      ? `is stale, since ${describeStale(redeclared)}`
      : 'would change other records than those that were looked at, since others were published meanwhile';
    super(`candidate ${id} ${reason}: ${explainLook(id)}`);
    this.stale = redeclared ?? { staleSince: comparedWith + 1 };
  }
}
