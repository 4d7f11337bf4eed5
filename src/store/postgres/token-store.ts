import { StoreUnavailableError, StoreUnusableError } from '../errors.ts';
import type { QuerySteps } from '../sql/query-steps.ts';
import { findTokens, insertToken, updateLastUsed, updateTokenEnd } from '../sql/tokens.ts';
import type { StoredToken, TokenStore } from '../token-store.ts';
import { toStoreError } from './connection.ts';
import type { PostgresServer } from './server-pool/server.ts';
import type { ServerPool } from './server-pool/server-pool.ts';
import { runSteps } from './session.ts';

/** The tokens in the store that the servers hold. */
export function createPostgresTokenStore(servers: ServerPool): TokenStore {
  const write = async (steps: () => QuerySteps<void>) => {
    const { connection, close } = (await servers.getPrimary()).connect('writing');
    try {
      await connection.begin((transaction) => runSteps(transaction, steps()));
    } catch (cause) {
      throw toStoreError(cause);
    } finally {
      close();
    }
  };
  let known: StoredToken[] | undefined;
  const readFrom = ({ pool }: PostgresServer) => runSteps(pool, findTokens());
  return {
    async all() {
      try {
        // A replica has the newest revision, but perhaps not what became of a token since then.
        known = await readFrom(await servers.getPrimary());
      } catch (cause) {
        if (!(cause instanceof StoreUnavailableError)) throw cause;
        // It may be older than what was known, or newer: what ended by either has ended.
        const found = await servers.read(readFrom);
        known = known ? mergeTokenEnds(known, found) : found;
      }
      return known;
    },
    add: (token) => write(() => insertToken(token)),
    setEnd: (id, at) => write(() => updateTokenEnd(id, at)),
    recordLastUsed: async (uses) => {
      try {
        await write(() => updateLastUsed(uses));
      } catch (cause) {
        // A role that may only read serves all the same; when tokens were used is then not kept.
        if (!(cause instanceof StoreUnusableError)) throw cause;
      }
    },
    close: servers.close,
  };
}

/** The tokens of one list, each ended as soon as either of the two lists says. */
function mergeTokenEnds(
  known: readonly StoredToken[],
  found: readonly StoredToken[],
): StoredToken[] {
  const others = new Map(found.map((token) => [token.id, token]));
  return known.map((token) => {
    const other = others.get(token.id) ?? token;
    return {
      ...token,
      revokedAt: earlierOf(token.revokedAt, other.revokedAt),
      expiresAt: earlierOf(token.expiresAt, other.expiresAt),
    };
  });
}

function earlierOf(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : a < b ? a : b;
}
