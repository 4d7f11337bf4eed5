import { StoreUnavailableError } from '../errors.ts';
import { type QuerySteps, queryRow } from '../sql/query-steps.ts';
import { findTokens, insertToken, updateLastUsed, updateTokenEnd } from '../sql/tokens.ts';
import type { StoredToken, TokenStore } from '../store.ts';
import { throwStoreError } from './errors.ts';
import type { PostgresServer } from './server-pool/server.ts';
import type { ServerPool } from './server-pool/server-pool.ts';
import { runSteps } from './session.ts';

export function createPostgresTokenStore(
  servers: ServerPool,
  close = () => servers.close(),
): TokenStore {
  const write = async (steps: QuerySteps<void>) => {
    const { connection, close } = (await servers.getPrimary()).connect('writing');
    const written = connection.begin((transaction) => runSteps(transaction, steps));
    await written.catch(throwStoreError).finally(close);
  };
  let cached: StoredToken[] | undefined;
  const readFrom = ({ tokenPool }: PostgresServer) => runSteps(tokenPool, findTokens());
  return {
    async all() {
      try {
        // A replica has the newest revision, but perhaps not the latest revocations.
        cached = await readFrom(await servers.getPrimary());
      } catch (cause) {
        if (!(cause instanceof StoreUnavailableError)) throw cause;
        // Its tokens may be older or newer than the cached ones.
        const tokens = await servers.read(readFrom);
        cached = cached ? mergeTokenEnds(cached, tokens) : tokens;
      }
      return cached;
    },
    add: (token) => write(insertToken(token)),
    setEnd: (id, end) => write(updateTokenEnd(id, end)),
    recordLastUsed: (uses) => write(updateLastUsedIfGranted(uses)),
    close,
  };
}

/**
 * Records the last use of tokens, where the role may: a read-only one can serve all the same. It is
 * looked up first, because the server would log an error for every write that it refuses.
 */
function* updateLastUsedIfGranted(uses: ReadonlyMap<string, string>): QuerySteps<void> {
  const sql = "SELECT has_column_privilege('tokens', 'last_used_at', 'UPDATE') AS granted";
  const row = yield* queryRow<{ granted: boolean }>({ sql });
  if (row?.granted) yield* updateLastUsed(uses);
}

/** The tokens of the first list; each ends when either of the two lists says so. */
function mergeTokenEnds(
  tokens: readonly StoredToken[],
  otherTokens: readonly StoredToken[],
): StoredToken[] {
  const others = new Map(otherTokens.map((token) => [token.id, token]));
  return tokens.map((token) => {
    const other = others.get(token.id) ?? token;
    return {
      ...token,
      revokedAt: getEarlier(token.revokedAt, other.revokedAt),
      expiresAt: getEarlier(token.expiresAt, other.expiresAt),
    };
  });
}

function getEarlier(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : a < b ? a : b;
}
