import type { Publisher, PublishTransaction } from '../store/open-store.ts';

/** Runs a callback in a publish transaction, which is always rolled back in a dry run. */
export async function withDryRun<T>(
  publisher: Publisher,
  isDryRun: boolean,
  callback: (transaction: PublishTransaction) => Promise<T>,
): Promise<T> {
  if (!isDryRun) return publisher.transaction(callback);
  let result: { readonly value: T } | undefined;
  try {
    return await publisher.transaction(async (transaction) => {
      result = { value: await callback(transaction) };
      throw new DryRunRollback();
    });
  } catch (cause) {
    if (cause instanceof DryRunRollback && result) return result.value;
    throw cause;
  }
}

class DryRunRollback extends Error {}
