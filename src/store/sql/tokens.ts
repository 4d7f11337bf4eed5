import type { StoredToken, TokenStore } from '../token-store.ts';
import type { QuerySteps } from './query-steps.ts';
import { queryRows } from './query-steps.ts';

const TOKEN_COLUMNS =
  'id, name, digest, scopes, rate, created_at, expires_at, revoked_at, last_used_at';

/** Every token, oldest first. */
export function* findTokens(): QuerySteps<StoredToken[]> {
  const rows = yield* queryRows<TokenRow>(
    `SELECT ${TOKEN_COLUMNS} FROM tokens ORDER BY created_at, id`,
  );
  return rows.map(toStoredToken);
}

/** Adds a token, unless its digest is known. */
export function* insertToken(token: StoredToken): QuerySteps<void> {
  const { id, name, digest, scopes, rate, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  const instants = [createdAt, expiresAt, revokedAt, lastUsedAt];
  yield {
    sql: 'INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING',
    values: [id, name, digest, scopes.join(' '), rate, ...instants],
  };
}

/** Sets when a token stops being accepted. */
export function* updateTokenEnd(
  id: string,
  at: Parameters<TokenStore['setEnd']>[1],
): QuerySteps<void> {
  const [column, instant] =
    'revokedAt' in at ? ['revoked_at', at.revokedAt] : ['expires_at', at.expiresAt];
  yield { sql: `UPDATE tokens SET ${column} = ? WHERE id = ?`, values: [instant, id] };
}

/** Records when tokens were last used; whoever tells of an earlier use comes too late. */
export function* updateLastUsed(uses: ReadonlyMap<string, string>): QuerySteps<void> {
  const sql = `UPDATE tokens SET last_used_at = ?
    WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)`;
  // In one order, so that two who do this at once do not wait for each other.
  for (const [id, at] of [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    yield { sql, values: [at, id, at] };
}

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  readonly scopes: string;
  readonly rate: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

function toStoredToken(row: TokenRow): StoredToken {
  return {
    id: row.id,
    name: row.name,
    digest: row.digest,
    scopes: row.scopes.split(' '),
    rate: row.rate,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
