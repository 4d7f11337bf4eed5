import type { Database } from 'bun:sqlite';
import type { StoredToken, TokenStore } from '../store.ts';
import { atOnce, reaching, writable } from './connection.ts';

/** The tokens in the database at that path. */
export function sqliteTokens(path: string): TokenStore {
  const database = writable(path);
  return {
    all: async () => reaching(() => database.query<TokenRow, []>(ALL).all().map(tokenOf)),
    // None of these waits for a publisher: a command asks again, and a server must not be held up.
    add: async (token) => atOnce(database, () => add(database, token)),
    end: async (id, at) => atOnce(database, () => end(database, id, at)),
    touch: async (uses) => atOnce(database, () => touch(database, uses)),
    close: () => database.close(),
  };
}

const ALL = 'SELECT * FROM tokens ORDER BY created_at, id';

function add(database: Database, token: StoredToken): void {
  database
    .query('INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING')
    .run(
      token.id,
      token.name,
      token.digest,
      token.scopes.join(' '),
      token.rate,
      token.createdAt,
      token.expiresAt,
      token.revokedAt,
      token.lastUsedAt,
    );
}

function end(database: Database, id: string, at: Parameters<TokenStore['end']>[1]): void {
  if ('revokedAt' in at) {
    database.query('UPDATE tokens SET revoked_at = ? WHERE id = ?').run(at.revokedAt, id);
  } else {
    database.query('UPDATE tokens SET expires_at = ? WHERE id = ?').run(at.expiresAt, id);
  }
}

function touch(database: Database, uses: ReadonlyMap<string, string>): void {
  const update = database.query('UPDATE tokens SET last_used_at = ? WHERE id = ?');
  database.transaction(() => {
    for (const [id, at] of uses) update.run(at, id);
  })();
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

function tokenOf(row: TokenRow): StoredToken {
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
