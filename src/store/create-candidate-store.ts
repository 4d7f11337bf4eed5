import type { CandidateStore } from './candidates.ts';
import {
  findCandidate,
  findCandidates,
  findPartBytes,
  findReviews,
  insertCandidate,
  updateCandidate,
  updateUnchanged,
  writeReview,
} from './sql/candidates.ts';
import type { QuerySteps } from './sql/query-steps.ts';

/** What an engine adds: it runs steps in one transaction. */
export interface CandidateEngine extends Pick<CandidateStore, 'findAccount' | 'close'> {
  run<T>(createSteps: () => QuerySteps<T>): Promise<T>;
  /** The same for steps that only read; `missing` is their result if there never was a candidate. */
  read<T>(createSteps: () => QuerySteps<T>, missing: T): Promise<T>;
}

export function createCandidateStore({
  run,
  read,
  findAccount,
  close,
}: CandidateEngine): CandidateStore {
  return {
    list: (includesClosed = false) => read(() => findCandidates(includesClosed), []),
    find: (id) => read(() => findCandidate(id), undefined),
    add: (...added) => run(() => insertCandidate(...added)),
    update: (candidate, parts) => run(() => updateCandidate(candidate, parts)),
    updateUnchanged: (...candidates) => run(() => updateUnchanged(...candidates)),
    async *readPart(id, name) {
      for (let after = -1; ; ) {
        const found = await read(() => findPartBytes(id, name, after), undefined);
        if (!found) return;
        after = found.number;
        yield found.bytes;
      }
    },
    reviews: () => read(findReviews, new Map()),
    setReview: (dataset, approvals) => run(() => writeReview(dataset, approvals)),
    findAccount,
    close,
  };
}
