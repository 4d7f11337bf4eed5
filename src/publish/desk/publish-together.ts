import { rmSync } from 'node:fs';
import { createTemporaryFolder } from '../../shared/temporary-folder.ts';
import type { Candidate, CandidateStore, PublishTransaction } from '../../store/open-store.ts';
import { deriveSalt, describeRelease, isSameChange, toChanges } from './candidate-facts.ts';
import type { ReadPart } from './candidate-files.ts';
import { type DeferredChange, deferRecording, recordDeferred } from './defer-recording.ts';
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

/** Publishes candidates as consecutive revisions, if each changes what was looked at; returns them in order. */
export async function publishTogether(
  transaction: PublishTransaction,
  store: Pick<CandidateStore, 'readPart'>,
  candidates: readonly Candidate[],
  { by, urgent, due }: Publication,
): Promise<readonly PublishedPart[]> {
  const folder = createTemporaryFolder();
  try {
    const deferred: DeferredChange[] = [];
    for (const candidate of candidates) {
      const { id } = candidate;
      rmSync(joinFolder(folder, id), { recursive: true, force: true });
      const recording = deferRecording(transaction, id, deferred);
      const readPart: ReadPart = (name) => store.readPart(id, name);
      await runInput(recording, { candidate, readPart, folder: joinFolder(folder, id) });
      const own = deferred.filter((change) => change.id === id);
      if (!isSameChange(candidate, toChanges(own))) throw new StaleError(candidate);
    }
    const numbers = deferred.map(({ staged }) => staged.revision);
    const isBundle = candidates.some(({ bundle }) => bundle !== undefined) && numbers.length > 1;
    const range = isBundle ? { first: numbers[0] as number, last: numbers.at(-1) as number } : {};
    const revisions = await recordDeferred(deferred, due, ({ id }, index) => {
      const candidate = candidates.find((each) => each.id === id) as Candidate;
      const position = deferred.slice(0, index).filter((each) => each.id === id).length;
      const release = describeRelease(candidate, { by, urgent, ...range });
      return { release, salt: deriveSalt(candidate, position) };
    });
    return revisions.map(({ revision, publishedAt }, index) => {
      const { id } = deferred[index] as DeferredChange;
      return { id, revision, publishedAt };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a candidate would change is not what it was when it was checked. */
export class StaleError extends Error {
  constructor(readonly candidate: Candidate) {
    super(`candidate ${candidate.id} is stale`);
  }
}
