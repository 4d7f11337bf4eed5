import { StoreUnavailableError } from '../errors.ts';
import type { SqlRows } from '../sql/query-steps.ts';
import type { SqlExecutor } from './connection.ts';
import { query } from './connection.ts';

/** Ends a transaction and keeps what it did; a failure says where that is not sure. */
export async function commitTransaction(connection: SqlExecutor): Promise<void> {
  const answer: CommitReply = await query(connection, { sql: 'COMMIT', values: [] }).catch(
    (cause) => {
      throw cause instanceof StoreUnavailableError ? toCommitInDoubtError(cause) : cause;
    },
  );
  // That is how a server answers where a statement failed and nobody minded.
  if (answer.command === 'ROLLBACK') throw new Error('the server did not keep the revision');
}

type CommitReply = SqlRows & { readonly command?: string };

function toCommitInDoubtError(cause: StoreUnavailableError): StoreUnavailableError {
  const asked = 'the server was lost while it was asked to keep the revision';
  return new StoreUnavailableError(`${asked}: tenor revisions tells whether it did`, { cause });
}
