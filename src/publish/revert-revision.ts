import { readNewestCatalogue } from '../catalogue/catalogues.ts';
import { datasets as datasetDeclarations } from '../catalogue/datasets/datasets.ts';
import { securities } from '../catalogue/datasets/securities.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import {
  type Publisher,
  type PublishTransaction,
  REVERT_SOURCE_PREFIX,
  type Revision,
} from '../store/open-store.ts';
import { planDeclarationRevert } from './declare-dataset.ts';
import { PublishError } from './errors.ts';
import { findTermsRevision, type PublishingOptions } from './publish-records.ts';

interface RevertOptions extends PublishingOptions {
  readonly revision: number;
}

export interface RevertResult {
  readonly revision: Revision;
  /** The revision of securities that reverts the terms that came with quotes, if any. */
  readonly termsRevision?: Revision;
}

/**
 * Reverts a revision by a new one; rejected if later revisions changed the same records. Terms of securities
 * that came with quotes are reverted with them.
 */
export function revertRevision(
  publisher: Pick<Publisher, 'transaction'>,
  catalogue: readonly Dataset[],
  { revision, author, isDryRun }: RevertOptions,
): Promise<RevertResult> {
  return publisher.transaction(
    async (transaction) => {
      const entry = await transaction.ledgerEntry(revision);
      if (!entry) throw new PublishError(`there is no revision ${revision}`);
      const { datasets } = await readNewestCatalogue(catalogue, transaction);
      const dataset = datasets.find(({ name }) => name === entry.dataset);
      if (!dataset)
        throw new PublishError(
          `revision ${revision} is of ${entry.dataset}, which no longer exists`,
        );
      const { conflictingRevisions, ...plan } = await transaction.planRevert(dataset, revision);
      if (conflictingRevisions.length > 0)
        throw new PublishError(await explainConflict(transaction, revision, conflictingRevisions));
      const change =
        dataset === datasetDeclarations
          ? await planDeclarationRevert(transaction, revision, plan)
          : plan;
      const reverting = await transaction.publish({
        dataset,
        ...change,
        source: `${REVERT_SOURCE_PREFIX}${revision}`,
        author,
        sample: entry.sample,
      });
      const termsRevision = await revertTerms(transaction, entry, reverting, author);
      if (reverting) return { revision: reverting, ...(termsRevision && { termsRevision }) };
      if (!termsRevision) throw new PublishError(`revision ${revision} has left nothing to undo`);
      return { revision: termsRevision };
    },
    { isDryRun },
  );
}

async function explainConflict(
  transaction: PublishTransaction,
  revision: number,
  later: readonly number[],
): Promise<string> {
  for (const number of later) {
    const { source } = (await transaction.ledgerEntry(number)) ?? {};
    if (source === `${REVERT_SOURCE_PREFIX}${revision}`)
      return `revision ${revision} is reverted already, by revision ${number}; tenor revert ${number} would publish again what it had published`;
  }
  const steps = [...later.toReversed(), revision].map((number) => `tenor revert ${number}`);
  return `revision ${revision} cannot be reverted yet: its records were changed again by ${later.length === 1 ? 'revision' : 'revisions'} ${later.join(', ')}; to take these changes back as well: ${steps.join(', then ')}`;
}

/** Reverts the terms that came with a revision of quotes, if they have not changed since. */
async function revertTerms(
  transaction: PublishTransaction,
  { revision, sample }: Revision,
  reverting: Revision | undefined,
  author: string,
): Promise<Revision | undefined> {
  const terms = await findTermsRevision(transaction, revision);
  if (!terms) return undefined;
  const { rows, retiredKeys } = await transaction.planRevert(securities, terms.revision, true);
  const report = reverting ? { quotesRevision: reverting.revision } : {};
  return transaction.publish({
    dataset: securities,
    rows,
    retiredKeys,
    source: `${REVERT_SOURCE_PREFIX}${terms.revision}`,
    author,
    sample,
    report,
  });
}
