import type { Publisher, PublishTransaction } from '../store/open-store.ts';

/** Does a piece of publishing; a rehearsal of it leaves everything as it was. */
export async function withDryRun<T>(
  publisher: Publisher,
  isRehearsal: boolean,
  callback: (transaction: PublishTransaction) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    return await publisher.transaction(async (within) => {
      const value = await callback(within);
      if (!isRehearsal) return value;
      result = { value };
      throw new DryRunRollback();
    });
  } catch (cause) {
    if (cause instanceof DryRunRollback && result) return result.value;
    throw cause;
  }
}

/** Undoes what a rehearsal has done. */
class DryRunRollback extends Error {}
