import { expect, test } from 'bun:test';
import { StoreUnavailableError } from '../../src/store/errors.ts';
import type { PostgresServer } from '../../src/store/postgres/server-pool/server.ts';
import type { ServerPool } from '../../src/store/postgres/server-pool/server-pool.ts';
import { createPostgresTokenStore } from '../../src/store/postgres/token-store.ts';

const row = (id: string, ended: { revoked_at?: string; expires_at?: string } = {}) => ({
  id,
  name: id,
  digest: id,
  scopes: 'quotes',
  rate: null,
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  ...ended,
});

/** A server that has those tokens. */
function having(rows: () => object[]): PostgresServer {
  return { pool: { unsafe: async () => rows() } } as unknown as PostgresServer;
}

test('a token that ended by what a replica has is ended, while the primary is out of reach', async () => {
  const early = '2026-02-01T00:00:00.000Z';
  const late = '2026-03-01T00:00:00.000Z';
  let isReached = true;
  let there = [row('a'), row('b', { revoked_at: early }), row('c', { expires_at: late })];
  const primary = having(() => there);
  const replica = having(() => there);
  const servers = {
    async getPrimary() {
      if (!isReached) throw new StoreUnavailableError('no server answers');
      return primary;
    },
    read: (read: (server: PostgresServer) => Promise<unknown>) => read(replica),
    close() {},
  } as unknown as ServerPool;
  const tokens = createPostgresTokenStore(servers);
  const ends = async () =>
    (await tokens.all()).map(({ id, revokedAt, expiresAt }) => [id, revokedAt, expiresAt]);

  expect(await ends()).toEqual([
    ['a', null, null],
    ['b', early, null],
    ['c', null, late],
  ]);
  isReached = false;
  // Of a it knows more, of b less, and c ends earlier.
  there = [row('a', { revoked_at: late }), row('b'), row('c', { expires_at: early })];
  expect(await ends()).toEqual([
    ['a', late, null],
    ['b', early, null],
    ['c', null, early],
  ]);
});
