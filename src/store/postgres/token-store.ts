import { StoreUnavailableError, StoreUnusableError } from '../errors.ts';
import { type QuerySteps, queryRow } from '../sql/query-steps.ts';
import {
  findTokens,
  insertToken,
  replaceTokens,
  updateLastUsed,
  updateToken,
} from '../sql/tokens.ts';
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
  const readFrom = ({ tokenPool }: PostgresServer, digests?: readonly string[]) =>
    runSteps(tokenPool, findTokens(digests));
  return {
    async all() {
      try {
        // A replica has the newest revision, but perhaps not the latest revocations.
        cached = await readFrom(await servers.getPrimary());
      } catch (cause) {
        if (!(cause instanceof StoreUnavailableError)) throw cause;
        // Its tokens may be older or newer than the cached ones.
        const tokens = await servers.read((server) => readFrom(server));
        cached = cached ? mergeTokenEnds(cached, tokens) : tokens;
      }
      return cached;
    },
    // A replica may not have them yet.
    findByDigest: async (digests) => readFrom(await servers.getPrimary(), digests),
    add: (token) => write(insertTokenIfGranted(token)),
    replace: (tokens) => write(replaceTokens(tokens)),
    update: (id, change) => write(updateToken(id, change)),
    recordLastUsed: (uses) => write(updateLastUsedIfGranted(uses)),
    close,
  };
}

/*
 * A server with a read-only role can serve all the same. What it may write is looked up first,
 * because the database would log an error for every write that it refuses.
 */

/** Records the last use of tokens, if the role may. */
function* updateLastUsedIfGranted(uses: ReadonlyMap<string, string>): QuerySteps<void> {
  const privilege = "has_column_privilege('tokens', 'last_used_at', 'UPDATE')";
  if (yield* isGranted(privilege)) yield* updateLastUsed(uses);
}

function* insertTokenIfGranted(token: StoredToken): QuerySteps<void> {
  if (!(yield* isGranted("has_table_privilege('tokens', 'INSERT')")))
    throw new StoreUnusableError('permission denied for table tokens');
  yield* insertToken(token);
}

function* isGranted(privilege: string): QuerySteps<boolean> {
  const row = yield* queryRow<{ granted: boolean }>({ sql: `SELECT ${privilege} AS granted` });
  return row?.granted === true;
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
