import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Publisher, Revision } from '../store/open-store.ts';
import { withDryRun } from './dry-run.ts';
import { PublishError } from './load/file-problems.ts';

/** A revision that cannot be undone as things stand; the message says why and what to do. */
export class RevertError extends PublishError {}

export interface RevertOptions {
  readonly revision: number;
  readonly author: string;
  readonly isDryRun?: boolean;
}

/**
 * Undoes a revision by a new one: what it replaced or retired stands again, what it added is
 * retired. Where the records are no more as it left them, it is refused, and the revisions that
 * stand in the way are named.
 */
export function revertRevision(
  publisher: Publisher,
  catalogue: readonly Dataset[],
  { revision, author, isDryRun = false }: RevertOptions,
): Promise<Revision> {
  return withDryRun(publisher, isDryRun, async (transaction) => {
    const entry = await transaction.ledgerEntry(revision);
    if (!entry) throw new RevertError(`there is no revision ${revision}`);
    const dataset = catalogue.find(({ name }) => name === entry.dataset);
    if (!dataset)
      throw new RevertError(`revision ${revision} is of ${entry.dataset}, which is no more`);
    const { rows, retiredKeys, terms, conflictingRevisions } = await transaction.planRevert(
      dataset,
      revision,
    );
    if (conflictingRevisions.length > 0) {
      const later = `${conflictingRevisions.length === 1 ? 'revision' : 'revisions'} ${conflictingRevisions.join(', ')}`;
      const why = `its records were changed again by ${later}; revert the newest of these first`;
      throw new RevertError(`revision ${revision} cannot be undone: ${why}`);
    }
    const source = `revert of revision ${revision}`;
    const { sample } = entry;
    const conclude = async () => ({ terms });
    const change = {
      dataset,
      rows,
      retiredKeys,
      source,
      author,
      sample,
      finalize: conclude,
    };
    const undone = await transaction.publish(change);
    if (!undone) throw new RevertError(`revision ${revision} has left nothing to undo`);
    return undone;
  });
}
