import type { StoredToken, TokenChange } from '../store.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';

interface TokenRow extends Omit<StoredToken, 'scopes' | 'mayShare'> {
  readonly scopes: string;
  readonly mayShare: number;
}

const COLUMNS = `id, name, digest, scopes, rate, created_at AS "createdAt", expires_at AS "expiresAt",
  revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", target, may_share AS "mayShare"`;

/** The tokens with one of the digests, or all, oldest first. */
export function* findTokens(digests?: readonly string[]): QuerySteps<StoredToken[]> {
  const values = digests ? padToPowerOfTwo(digests) : [];
  const condition = digests ? `WHERE digest IN (${values.map(() => '?').join(', ')})` : '';
  const sql = `SELECT ${COLUMNS} FROM tokens ${condition} ORDER BY created_at, id`;
  const rows = yield* queryRows<TokenRow>({ sql, values });
  return rows.map((row) => ({
    ...row,
    scopes: row.scopes.split(' '),
    mayShare: row.mayShare === 1,
  }));
}

/** Few statements, whatever the number of values: a connection keeps those that it has prepared. */
function padToPowerOfTwo(values: readonly string[]): (string | null)[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, index) => values[index] ?? null);
}

export function* insertToken(token: StoredToken): QuerySteps<void> {
  const { id, name, digest, scopes, rate, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  const instants = [createdAt, expiresAt, revokedAt, lastUsedAt];
  yield {
    sql: 'INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    values: [
      id,
      name,
      digest,
      scopes.join(' '),
      rate,
      ...instants,
      token.target,
      token.mayShare ? 1 : 0,
    ],
  };
}

export function* updateToken(id: string, change: TokenChange): QuerySteps<void> {
  const [column, value] = toColumn(change);
  yield { sql: `UPDATE tokens SET ${column} = ? WHERE id = ?`, values: [value, id] };
}

function toColumn(change: TokenChange): [column: string, value: string] {
  if ('scopes' in change) return ['scopes', change.scopes.join(' ')];
  return 'revokedAt' in change
    ? ['revoked_at', change.revokedAt]
    : ['expires_at', change.expiresAt];
}

/** Records when tokens were last used, unless a later use is recorded already. */
export function* updateLastUsed(uses: ReadonlyMap<string, string>): QuerySteps<void> {
  const sql = `UPDATE tokens SET last_used_at = ?
    WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)`;
  // Always in the same order, so that two servers which do this at once cannot deadlock.
  for (const [id, instant] of [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    yield { sql, values: [instant, id, instant] };
}
