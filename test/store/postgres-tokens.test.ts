import { expect, test } from 'bun:test';
import { StoreUnavailableError } from '../../src/store/errors.ts';
import type { PostgresServer } from '../../src/store/postgres/server-pool/server.ts';
import type { ServerPool } from '../../src/store/postgres/server-pool/server-pool.ts';
import { createPostgresTokenStore } from '../../src/store/postgres/token-store.ts';

const row = (id: string, end: { revokedAt?: string; expiresAt?: string } = {}) => ({
  id,
  name: id,
  digest: id,
  scopes: 'quotes',
  rate: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: end.expiresAt ?? null,
  revokedAt: end.revokedAt ?? null,
  lastUsedAt: null,
});

test('while the primary is unreachable, a token ends at the earliest end that a replica or the cache has', async () => {
  const early = '2026-02-01T00:00:00.000Z';
  const late = '2026-03-01T00:00:00.000Z';
  let isReachable = true;
  let rows = [row('a'), row('b', { revokedAt: early }), row('c', { expiresAt: late })];
  const server = { tokenPool: { unsafe: async () => rows } } as unknown as PostgresServer;
  const servers = {
    async getPrimary() {
      if (!isReachable) throw new StoreUnavailableError('no server answers');
      return server;
    },
    read: (read: (server: PostgresServer) => Promise<unknown>) => read(server),
    close() {},
  } as unknown as ServerPool;
  const tokens = createPostgresTokenStore(servers);
  const readEnds = async () =>
    (await tokens.all()).map(({ id, revokedAt, expiresAt }) => [id, revokedAt, expiresAt]);

  expect(await readEnds()).toEqual([
    ['a', null, null],
    ['b', early, null],
    ['c', null, late],
  ]);
  isReachable = false;
  // The replica has a later revocation of a, not that of b, and an earlier end of c.
  rows = [row('a', { revokedAt: late }), row('b'), row('c', { expiresAt: early })];
  expect(await readEnds()).toEqual([
    ['a', late, null],
    ['b', early, null],
    ['c', null, early],
  ]);
});
