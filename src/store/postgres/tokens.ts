import type { Steps } from '../sql/steps.ts';
import { addToken, allTokens, endToken, touchTokens } from '../sql/tokens.ts';
import type { TokenStore } from '../store.ts';
import { StoreRefused } from '../store.ts';
import { outOfReach, writingConnection } from './connection.ts';
import type { Servers } from './servers.ts';
import { take, takeTogether } from './session.ts';

/** The tokens in the store that the servers hold. */
export function postgresTokens(servers: Servers): TokenStore {
  const write = async (work: () => Steps<void>) => {
    const server = await servers.writable();
    const connection = writingConnection(server.url);
    try {
      await connection.begin((transaction) => take(transaction, work()));
    } catch (cause) {
      throw outOfReach(cause);
    } finally {
      connection.close({ timeout: 0 }).catch(() => {});
    }
  };
  return {
    all: () => servers.reading(({ pool }) => takeTogether(pool, allTokens)),
    add: (token) => write(() => addToken(token)),
    end: (id, at) => write(() => endToken(id, at)),
    touch: async (uses) => {
      try {
        await write(() => touchTokens(uses));
      } catch (cause) {
        // A role that may only read serves all the same; when tokens were used is then not kept.
        if (!(cause instanceof StoreRefused)) throw cause;
      }
    },
    close: servers.close,
  };
}
