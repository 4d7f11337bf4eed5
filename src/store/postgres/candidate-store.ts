import type { CandidateStore } from '../candidates.ts';
import { createCandidateStore } from '../create-candidate-store.ts';
import { StoreUnusableError } from '../errors.ts';
import { queryRow } from '../sql/query-steps.ts';
import { throwStoreError } from './errors.ts';
import type { ServerPool } from './server-pool/server-pool.ts';
import { runSteps } from './session.ts';

export function createPostgresCandidateStore(
  servers: ServerPool,
  close: () => void,
): CandidateStore {
  const run: Parameters<typeof createCandidateStore>[0]['run'] = async (createSteps) => {
    const { connection, close } = (await servers.getPrimary()).connect('writing');
    const result = connection.begin((transaction) => runSteps(transaction, createSteps()));
    return result.catch(throwStoreError).finally(close);
  };
  return createCandidateStore({
    run,
    read: run,
    async findAccount() {
      const row = await run(() =>
        queryRow<{ name: string }>({ sql: 'SELECT session_user AS name' }),
      );
      if (row) return row.name;
      throw new StoreUnusableError('the database server does not say who is connected');
    },
    close,
  });
}
