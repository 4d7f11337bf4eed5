import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { createSampleDatabase } from '../../support/explorer.ts';
import { runTenor, startTenorServer } from '../../support/run-tenor.ts';
import {
  isAlive,
  isLinux,
  readLog,
  requestOnNewConnection,
  useWorkerServers,
} from '../../support/workers.ts';

const TARGET = '/2.0/bnb/quote?limit=1';
const { settings, start, file } = useWorkerServers();

describe.if(isLinux)('a server whose database a newer Tenor migrates', () => {
  test.each(['1', '2'])(
    'ends with status 1, from %s processes, and says so',
    async (workers) => {
      await createSampleDatabase(file('x.db'));
      const server = await (workers === '1'
        ? startTenorServer(settings({ WORKERS: '1' }))
        : start());
      const env = settings();
      const { out } = await runTenor(['token', 'create', '--name', 'a', '--json'], env);
      const { id, token } = JSON.parse(out);
      const request = () =>
        requestOnNewConnection(server, TARGET, token).then(
          // A connection that is closed before its request is read has no status.
          ({ status }) => status || 'closed',
          () => 'closed',
        );
      while ((await request()) !== 200) await Bun.sleep(50);
      await runTenor(['token', 'revoke', id], env);
      migrate(file('x.db'));
      const migratedMs = performance.now();
      let acceptedMs = migratedMs;
      while (isAlive(server.pid)) {
        const status = await request();
        expect([200, 401, 503, 'closed']).toContain(status);
        if (status === 200) acceptedMs = performance.now();
        await Bun.sleep(5);
      }
      expect((await server.stop()).status).toBe(1);
      // Each process accepts the revoked token until it has noticed either.
      expect(acceptedMs - migratedMs).toBeLessThan(5_000);
      expect(server.err()).not.toMatch(/watch\.failed|worker\.died/);
      expect(readLog(server, 'store.migrated')).toHaveLength(Number(workers));
      expect(readLog(server, 'store.migrated')[0]).toMatchObject({ to: 99 });
    },
    120_000,
  );
});

function migrate(path: string): void {
  using database = new Database(path);
  database.run('PRAGMA user_version = 99');
}
