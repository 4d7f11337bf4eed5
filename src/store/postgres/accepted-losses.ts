import type { SQL } from 'bun';
import { throwStoreError } from './errors.ts';
import { execute } from './query.ts';
import { acquireWriteLock } from './session.ts';

/*
 * If revisions were lost for good, by a promotion or a restored backup, servers that have seen
 * them go on only when an operator accepts the loss. The store then gets a new secret: what came
 * before is another store, whose cursors are not valid any more, since their revisions may be lost.
 */

/** A history of the store that was given up. */
export interface AcceptedLoss {
  /** The identifier of the store until then. */
  readonly storeId: string;
  /** The newest revision that may be lost. */
  readonly revision: number;
}

/** Selects what `parseLosses` reads; in a table that every role may read and no migration made. */
export const LOSSES_SQL = "SELECT convert_from(value, 'UTF8') FROM secrets WHERE name = 'losses'";

/** All losses that were ever accepted, oldest first. */
export function parseLosses(text: string | null): readonly AcceptedLoss[] {
  return text === null ? [] : JSON.parse(text);
}

const SECRET_BYTES = 32;
const SELECT_COPIED =
  "SELECT 'copied', convert_to(max(revision)::text, 'UTF8') FROM revisions HAVING max(revision) > 0";

/** Accepts that revisions up to a given one are lost that are not in the ledger. */
export async function acceptLoss(pool: SQL, revision: number): Promise<void> {
  const accepting = pool.begin(async (connection) => {
    await acquireWriteLock(connection);
    const [row] = await execute<{ storeId: string; losses: string | null }>(
      connection,
      `SELECT encode(sha256(value), 'hex') AS "storeId", (${LOSSES_SQL}) AS losses
        FROM secrets WHERE name = 'cursor'`,
    );
    const { storeId = '', losses = null } = row ?? {};
    const accepted = JSON.stringify([...parseLosses(losses), { storeId, revision }]);
    const secret = crypto.getRandomValues(Buffer.alloc(SECRET_BYTES));
    const insert = "INSERT INTO secrets VALUES ($1, decode($2, 'hex'))";
    await execute(connection, "DELETE FROM secrets WHERE name IN ('cursor', 'losses', 'copied')");
    await execute(connection, insert, ['cursor', secret.toString('hex')]);
    await execute(connection, insert, ['losses', Buffer.from(accepted).toString('hex')]);
    await execute(connection, `INSERT INTO secrets ${SELECT_COPIED}`);
  });
  await accepting.catch(throwStoreError);
}
