import type { Steps } from '../sql/steps.ts';
import { addToken, allTokens, endToken, touchTokens } from '../sql/tokens.ts';
import type { StoredToken, TokenStore } from '../store.ts';
import { StoreRefused, StoreUnavailable } from '../store.ts';
import { outOfReach } from './connection.ts';
import type { Server } from './servers/server.ts';
import type { Servers } from './servers/servers.ts';
import { take } from './session.ts';

/** The tokens in the store that the servers hold. */
export function postgresTokens(servers: Servers): TokenStore {
  const write = async (work: () => Steps<void>) => {
    const { connection, close } = (await servers.writable()).connect('writing');
    try {
      await connection.begin((transaction) => take(transaction, work()));
    } catch (cause) {
      throw outOfReach(cause);
    } finally {
      close();
    }
  };
  let known: StoredToken[] | undefined;
  const readFrom = ({ pool }: Server) => take(pool, allTokens());
  return {
    async all() {
      try {
        // A replica has the newest revision, but perhaps not what became of a token since then.
        known = await readFrom(await servers.writable());
      } catch (cause) {
        if (!(cause instanceof StoreUnavailable)) throw cause;
        // It may be older than what was known, or newer: what ended by either has ended.
        const found = await servers.reading(readFrom);
        known = known ? endedByEither(known, found) : found;
      }
      return known;
    },
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

/** The tokens of one list, each ended as soon as either of the two lists says. */
function endedByEither(
  known: readonly StoredToken[],
  found: readonly StoredToken[],
): StoredToken[] {
  const others = new Map(found.map((token) => [token.id, token]));
  return known.map((token) => {
    const other = others.get(token.id) ?? token;
    return {
      ...token,
      revokedAt: sooner(token.revokedAt, other.revokedAt),
      expiresAt: sooner(token.expiresAt, other.expiresAt),
    };
  });
}

function sooner(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : a < b ? a : b;
}
