import type { QuerySteps } from '../sql/query-steps.ts';
import { findTokens, insertToken, updateLastUsed, updateTokenEnd } from '../sql/tokens.ts';
import type { TokenStore } from '../token-store.ts';
import { openWritable, runOrThrowBusy } from './connection.ts';
import { createSession, runSteps } from './session.ts';

export function createSqliteTokenStore(path: string): TokenStore {
  const database = openWritable(path);
  const runInTransaction = database.transaction(runSteps<void>);
  // Does not wait for a publisher: a command retries, and a server must not block.
  const write = async (steps: QuerySteps<void>) => {
    runOrThrowBusy(database, () => runInTransaction(database, steps));
  };
  return {
    all: () => createSession(database).run(findTokens),
    add: (token) => write(insertToken(token)),
    setEnd: (id, end) => write(updateTokenEnd(id, end)),
    recordLastUsed: (uses) => write(updateLastUsed(uses)),
    close: () => database.close(),
  };
}
