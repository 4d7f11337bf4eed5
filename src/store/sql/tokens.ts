import type { StoredToken, TokenChange } from '../store.ts';
import { type QuerySteps, queryRows } from './query-steps.ts';

type TokenFlag = {
  [Name in keyof StoredToken]: StoredToken[Name] extends boolean ? Name : never;
}[keyof StoredToken];

/** The bits of a column that is named by the first of them: databases of 1.0 have no other. */
const FLAGS: Readonly<Record<TokenFlag, number>> = {
  mayShare: 1,
  mayFollowTokens: 2,
  isOfSource: 4,
  isLeased: 8,
};
const FLAG_NAMES = Object.keys(FLAGS) as TokenFlag[];

interface TokenRow extends Omit<StoredToken, 'scopes' | TokenFlag> {
  readonly scopes: string;
  readonly flags: number;
}

const COLUMNS = `id, name, digest, scopes, rate, created_at AS "createdAt", expires_at AS "expiresAt",
  revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", target, may_share AS flags`;

/** The tokens with one of the digests, or all, oldest first. */
export function* findTokens(digests?: readonly string[]): QuerySteps<StoredToken[]> {
  const values = digests ? padToPowerOfTwo(digests) : [];
  const condition = digests ? `WHERE digest IN (${values.map(() => '?').join(', ')})` : '';
  const sql = `SELECT ${COLUMNS} FROM tokens ${condition} ORDER BY created_at, id`;
  const rows = yield* queryRows<TokenRow>({ sql, values });
  return rows.map(({ flags, scopes, ...row }) => {
    const rights = FLAG_NAMES.map((name) => [name, (flags & FLAGS[name]) !== 0]);
    const listed = scopes.split(' ').filter((scope) => scope !== '');
    return { ...row, scopes: listed, ...Object.fromEntries(rights) };
  });
}

/** Few statements, whatever the number of values: a connection keeps those that it has prepared. */
function padToPowerOfTwo(values: readonly string[]): (string | null)[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, index) => values[index] ?? null);
}

export function* insertToken(
  token: StoredToken,
  conflict = 'ON CONFLICT DO NOTHING',
): QuerySteps<void> {
  const { id, name, digest, scopes, rate, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  const instants = [createdAt, expiresAt, revokedAt, lastUsedAt];
  const flags = FLAG_NAMES.reduce((sum, flag) => sum + (token[flag] ? FLAGS[flag] : 0), 0);
  yield {
    sql: `INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ${conflict}`,
    values: [id, name, digest, scopes.join(' '), rate, ...instants, token.target, flags],
  };
}

const REPLACED = 'name digest scopes rate expires_at revoked_at target may_share'.split(' ');
const UPDATE = REPLACED.map((column) => `${column} = excluded.${column}`).join(', ');

export function* replaceTokens(tokens: readonly StoredToken[]): QuerySteps<void> {
  // In one order, so that two servers which do this at once cannot deadlock.
  for (const token of tokens.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const values = [token.digest, token.id];
    yield { sql: 'DELETE FROM tokens WHERE digest = ? AND id <> ?', values };
    yield* insertToken(token, `ON CONFLICT (id) DO UPDATE SET ${UPDATE}`);
  }
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
