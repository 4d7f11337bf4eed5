import { addToken, allTokens, endToken, touchTokens } from '../sql/tokens.ts';
import type { TokenStore } from '../store.ts';
import { atOnce, writable } from './connection.ts';
import { sessionOn, take } from './session.ts';

/** The tokens in the database at that path. */
export function sqliteTokens(path: string): TokenStore {
  const database = writable(path);
  const together = database.transaction(take);
  return {
    all: () => sessionOn(database).run(allTokens),
    // None of these waits for a publisher: a command asks again, and a server must not be held up.
    add: async (token) => atOnce(database, () => take(database, addToken(token))),
    end: async (id, at) => atOnce(database, () => take(database, endToken(id, at))),
    touch: async (uses) =>
      atOnce(database, () => {
        together(database, touchTokens(uses));
      }),
    close: () => database.close(),
  };
}
