import { findTokens, insertToken, updateLastUsed, updateTokenEnd } from '../sql/tokens.ts';
import type { TokenStore } from '../token-store.ts';
import { openWritable, runOrThrowBusy } from './connection.ts';
import { createSession, runSteps } from './session.ts';

/** The tokens in the database at that path. */
export function createSqliteTokenStore(path: string): TokenStore {
  const database = openWritable(path);
  const together = database.transaction(runSteps);
  return {
    all: () => createSession(database).run(findTokens),
    // None of these waits for a publisher: a command asks again, and a server must not be held up.
    add: async (token) => runOrThrowBusy(database, () => runSteps(database, insertToken(token))),
    setEnd: async (id, at) =>
      runOrThrowBusy(database, () => runSteps(database, updateTokenEnd(id, at))),
    recordLastUsed: async (uses) =>
      runOrThrowBusy(database, () => {
        together(database, updateLastUsed(uses));
      }),
    close: () => database.close(),
  };
}
