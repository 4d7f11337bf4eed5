import { datasets } from '../../catalogue/datasets/datasets.ts';
import type {
  Batches,
  CandidateStore,
  DatasetChange,
  EncodedRow,
  Publisher,
  PublishTransaction,
  RecordKey,
} from '../../store/open-store.ts';
import { GuardError } from '../errors.ts';

/** A publisher that leaves datasets alone whose changes need to be approved. */
export function withReview(publisher: Publisher, candidates: CandidateStore): Publisher {
  const review = async <Change extends Partial<DatasetChange>>(change: Change): Promise<Change> => {
    const { dataset } = change;
    const reviews = await candidates.reviews();
    if (reviews.size === 0 || !dataset) return change;
    assertUnreviewed(reviews, dataset.name);
    return dataset === datasets ? { ...change, ...reviewDeclarations(change, reviews) } : change;
  };
  return {
    ...publisher,
    publish: async (change) => publisher.publish(await review(change)),
    transaction: (callback, options) =>
      publisher.transaction(
        (transaction) =>
          callback({
            ...transaction,
            publish: async (change) => transaction.publish(await review(change)),
            stage: async (change: Parameters<PublishTransaction['stage']>[0]) =>
              transaction.stage(await review(change)),
          }),
        options,
      ),
  };
}

function assertUnreviewed(reviews: ReadonlyMap<string, number>, name: string): void {
  const isReviewed = reviews.keys().some((each) => each.toUpperCase() === name.toUpperCase());
  if (isReviewed)
    throw new GuardError(
      'needs-approval',
      `changes of ${name} need to be approved: --stage keeps this one as a candidate for that`,
    );
}

/** The same declarations, unless one of a reviewed dataset is among them. */
function reviewDeclarations(
  { rows, retiredKeys }: Partial<DatasetChange>,
  reviews: ReadonlyMap<string, number>,
): Pick<DatasetChange, 'rows' | 'retiredKeys'> {
  async function* readRows(batches: Batches<EncodedRow>) {
    for await (const batch of batches) {
      for (const { json } of batch) assertUnreviewed(reviews, JSON.parse(json).name);
      yield batch;
    }
  }
  async function* readKeys(keys: Iterable<RecordKey> | AsyncIterable<RecordKey>) {
    for await (const key of keys) {
      assertUnreviewed(reviews, String(key[0]));
      yield key;
    }
  }
  return {
    ...(rows && { rows: readRows(rows) }),
    ...(retiredKeys && { retiredKeys: readKeys(retiredKeys) }),
  };
}
