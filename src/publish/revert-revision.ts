import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Publisher, Revision } from '../store/open-store.ts';
import { withDryRun } from './dry-run.ts';
import { PublishError } from './errors.ts';

export interface RevertOptions {
  readonly revision: number;
  readonly author: string;
  readonly isDryRun?: boolean;
}

/** Reverts a revision by a new one; rejected where later revisions changed the same records. */
export function revertRevision(
  publisher: Publisher,
  catalogue: readonly Dataset[],
  { revision, author, isDryRun = false }: RevertOptions,
): Promise<Revision> {
  return withDryRun(publisher, isDryRun, async (transaction) => {
    const entry = await transaction.ledgerEntry(revision);
    if (!entry) throw new PublishError(`there is no revision ${revision}`);
    const dataset = catalogue.find(({ name }) => name === entry.dataset);
    if (!dataset)
      throw new PublishError(`revision ${revision} is of ${entry.dataset}, which is no more`);
    const { rows, retiredKeys, terms, conflictingRevisions } = await transaction.planRevert(
      dataset,
      revision,
    );
    if (conflictingRevisions.length > 0) {
      const later = `${conflictingRevisions.length === 1 ? 'revision' : 'revisions'} ${conflictingRevisions.join(', ')}`;
      throw new PublishError(
        `revision ${revision} cannot be undone: its records were changed again by ${later}; revert the newest of these first`,
      );
    }
    const reverting = await transaction.publish({
      dataset,
      rows,
      retiredKeys,
      source: `revert of revision ${revision}`,
      author,
      sample: entry.sample,
      finalize: async () => ({ terms }),
    });
    if (!reverting) throw new PublishError(`revision ${revision} has left nothing to undo`);
    return reverting;
  });
}
