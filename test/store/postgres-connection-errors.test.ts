import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { catalogue } from '../../src/catalogue/index.ts';
import {
  openStore,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../src/store/open-store.ts';
import { retryUntil } from '../support/eventually.ts';
import { findFreePort } from '../support/free-port.ts';
import { startPollingClient } from '../support/polling-client.ts';
import { runSql } from '../support/postgres/databases.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { explainMissingBinaries, startPostgres } from '../support/postgres.ts';
import type { PostgresTestServer } from '../support/postgres-service.ts';
import { startPostgresTestServer } from '../support/postgres-service.ts';
import { runTenor } from '../support/run-tenor.ts';

const DATABASE = 'tenor';
const ROLE = 'only_reads';
const MAY_NOT =
  'its schema is to be brought up to date, and this role may not (permission denied for table tenor_schema); run tenor migrate with the role that owns the tables';

const SSL_MODE =
  "The argument 'sslmode' must be one of: disable, allow, prefer, require, verify-ca, verify-full. Received 'perhaps'";

let server: PostgresServer;
let service: PostgresTestServer;

describe.skipIf(explainMissingBinaries() !== undefined)(
  'a PostgreSQL server that does not want to',
  () => {
    beforeAll(async () => {
      server = await startPostgres();
      const own = await server.createDatabase(DATABASE);
      await (await startPostgresTestServer([server], DATABASE)).stop();
      await runSql(own, "CREATE ROLE stranger LOGIN PASSWORD 'hidden'");
      await runSql(own, `CREATE ROLE ${ROLE} LOGIN IN ROLE pg_read_all_data`);
      const asReader = {
        ...server,
        url: (database?: string) => asRole(server.url(database), ROLE),
      };
      service = await startPostgresTestServer([asReader], DATABASE);
    }, 60_000);
    afterAll(async () => {
      await service.stop();
      await server.stop();
    }, 30_000);

    test('or a host without one stops a start with one line that has no password', async () => {
      const http = Bun.serve({ port: 0, fetch: () => new Response('hello') });
      const mute = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
      const [own, nobody] = [server.url(DATABASE), findFreePort()];
      const at = (port: number, host = '127.0.0.1') => `postgres://u:hidden@${host}:${port}/x`;
      const refused = 'no such host, or nothing listens on that port';
      const closed = 'the host is out of reach, or no PostgreSQL server listens there';
      const cases: [string, new () => Error, string][] = [
        [asRole(own, 'nobody'), StoreUnusableError, 'role "nobody" does not exist'],
        [asRole(server.url('nowhere')), StoreUnusableError, 'database "nowhere" does not exist'],
        [asRole(own, 'stranger'), StoreUnusableError, MAY_NOT],
        [`${own}?colour=blue`, StoreUnusableError, 'unrecognized configuration parameter "colour"'],
        [`${own}?sslmode=perhaps`, StoreUnusableError, SSL_MODE],
        [at(nobody), StoreUnavailableError, refused],
        [at(5432, 'no.such.host.invalid'), StoreUnavailableError, refused],
        [at(http.port ?? 0), StoreUnavailableError, closed],
        [at(mute.port), StoreUnavailableError, 'nothing there answers as a PostgreSQL server does'],
      ];
      await Promise.all(
        cases.map(async ([url, kind, reason]) => {
          const failure = await openStore(url, catalogue).catch((cause) => cause);
          const { host, pathname } = new URL(url);
          const doing = kind === StoreUnusableError ? 'use' : 'reach';
          const as = kind === StoreUnusableError ? ' as the database' : '';
          expect(failure).toBeInstanceOf(kind);
          expect(failure.message).toBe(`cannot ${doing} ${host}${pathname}${as}: ${reason}`);
          expect(Bun.inspect(failure)).not.toContain('hidden');
        }),
      );
      await http.stop(true);
      mute.stop(true);
    }, 30_000);

    test('and a wrong password are told apart by a command', async () => {
      const file = String((await runSql(server.url(), 'SHOW hba_file'))[0]?.hba_file);
      const rules = await Bun.file(file).text();
      await Bun.write(file, `host all stranger 127.0.0.1/32 scram-sha-256\n${rules}`);
      await runSql(server.url(), 'SELECT pg_reload_conf()');
      const DATABASE_URL = asRole(server.url(DATABASE), 'stranger').replace('hidden', 'guessed');
      await retryUntil(5_000, async () => {
        expect(await runTenor(['revisions'], { DATABASE_URL })).toEqual({
          status: 1,
          out: '',
          err: `tenor: cannot use 127.0.0.1:${server.port}/${DATABASE} as the database: password authentication failed for user "stranger"\n`,
        });
      });
    }, 30_000);

    test('take more connections puts requests off, and serves them when there is room', async () => {
      const client = startPollingClient(service.address, 0);
      const own = server.url(DATABASE);
      await runSql(own, `ALTER ROLE ${ROLE} CONNECTION LIMIT 0`);
      // The server goes on telling how it does, but has no room for what is asked of it.
      await runSql(
        own,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE usename = '${ROLE}' AND query NOT LIKE '%pg_is_in_recovery%'`,
      );
      const full = await Promise.all(Array.from({ length: 20 }, () => client.request('new')));
      await runSql(own, `ALTER ROLE ${ROLE} CONNECTION LIMIT -1`);
      await retryUntil(5_000, async () => expect((await client.request('new')).status).toBe(200));
      expect(new Set(full.map(({ status }) => status))).toEqual(new Set([503]));
      expect(client.problems).toEqual([]);
    }, 30_000);

    test('go on with a statement puts the request off: that is not a failure of ours', async () => {
      const sql = new SQL(server.url(DATABASE), { max: 1 });
      const locked = await sql.reserve();
      await locked`BEGIN`;
      await locked`LOCK TABLE quotes IN ACCESS EXCLUSIVE MODE`;
      const client = startPollingClient(service.address, 0);
      const waiting = client.request('new');
      // What takes longer than statement_timeout ends in the same way.
      await retryUntil(5_000, async () => {
        const cancelled = await locked`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE usename = ${ROLE} AND wait_event_type = 'Lock'`;
        expect(cancelled).toHaveLength(1);
      });
      const { status } = await waiting;
      await sql.close({ timeout: 0 });
      expect(status).toBe(503);
      expect((await client.request('new')).status).toBe(200);
    }, 30_000);
  },
);

function asRole(url: string, role = 'postgres'): string {
  const own = new URL(url);
  own.username = role;
  own.password = 'hidden';
  return own.href;
}
