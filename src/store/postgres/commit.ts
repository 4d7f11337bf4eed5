import type { Rows } from '../sql/steps.ts';
import { StoreUnavailable } from '../store.ts';
import type { Asked } from './connection.ts';
import { ask } from './connection.ts';

/** Ends a transaction and keeps what it did; a failure says where that is not sure. */
export async function commit(connection: Asked): Promise<void> {
  const answer: Answered = await ask(connection, { sql: 'COMMIT', values: [] }).catch((cause) => {
    throw cause instanceof StoreUnavailable ? inDoubt(cause) : cause;
  });
  // That is how a server answers where a statement failed and nobody minded.
  if (answer.command === 'ROLLBACK') throw new Error('the server did not keep the revision');
}

type Answered = Rows & { readonly command?: string };

function inDoubt(cause: StoreUnavailable): StoreUnavailable {
  const asked = 'the server was lost while it was asked to keep the revision';
  return new StoreUnavailable(`${asked}: tenor revisions tells whether it did`, { cause });
}
