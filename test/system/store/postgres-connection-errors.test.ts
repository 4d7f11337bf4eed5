import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { catalogue } from '../../../src/catalogue/index.ts';
import {
  openStore,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startPollingClient } from '../../support/polling-client.ts';
import { runSql } from '../../support/postgres/databases.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import {
  type PostgresTestServer,
  startPostgresTestServer,
} from '../../support/postgres-service.ts';
import { runTenor } from '../../support/run-tenor.ts';

const DATABASE = 'tenor';
const ROLE = 'reader';
const MISSING_PRIVILEGE =
  'its schema is to be brought up to date, and this role may not (permission denied for table tenor_schema); run tenor migrate with the role that owns the tables';

const INVALID_SSL_MODE =
  "The argument 'sslmode' must be one of: disable, allow, prefer, require, verify-ca, verify-full. Received 'perhaps'";

let server: PostgresServer;
let service: PostgresTestServer;

describe.skipIf(explainMissingBinaries() !== undefined)('a store on PostgreSQL', () => {
  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase(DATABASE);
    await (await startPostgresTestServer([server], DATABASE)).stop();
    await runSql(url, "CREATE ROLE stranger LOGIN PASSWORD 'hidden'");
    await runSql(url, `CREATE ROLE ${ROLE} LOGIN IN ROLE pg_read_all_data`);
    const asReader = {
      ...server,
      url: (database?: string) => withRole(server.url(database), ROLE),
    };
    service = await startPostgresTestServer([asReader], DATABASE);
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await server.stop();
  }, 120_000);

  test('rejects an unusable URL in one line without the password', async () => {
    const http = Bun.serve({ port: 0, fetch: () => new Response('hello') });
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    const [url, freePort] = [server.url(DATABASE), findFreePort()];
    const buildUrl = (port: number, host = '127.0.0.1') => `postgres://u:hidden@${host}:${port}/x`;
    const notListening = 'no such host, or nothing listens on that port';
    const notPostgres = 'the host is out of reach, or no PostgreSQL server listens there';
    const cases: [string, new () => Error, string][] = [
      [withRole(url, 'nobody'), StoreUnusableError, 'role "nobody" does not exist'],
      [withRole(server.url('nowhere')), StoreUnusableError, 'database "nowhere" does not exist'],
      [withRole(url, 'stranger'), StoreUnusableError, MISSING_PRIVILEGE],
      [`${url}?colour=blue`, StoreUnusableError, 'unrecognized configuration parameter "colour"'],
      [`${url}?sslmode=perhaps`, StoreUnusableError, INVALID_SSL_MODE],
      [buildUrl(freePort), StoreUnavailableError, notListening],
      [buildUrl(5432, 'no.such.host.invalid'), StoreUnavailableError, notListening],
      [buildUrl(http.port ?? 0), StoreUnavailableError, notPostgres],
      [
        buildUrl(silent.port),
        StoreUnavailableError,
        'nothing there answers as a PostgreSQL server does',
      ],
    ];
    await Promise.all(
      cases.map(async ([caseUrl, errorClass, reason]) => {
        const error = await openStore(caseUrl, catalogue).catch((cause) => cause);
        const { host, pathname } = new URL(caseUrl);
        const isUnusable = errorClass === StoreUnusableError;
        const action = isUnusable ? 'use' : 'reach';
        const purpose = isUnusable ? ' as the database' : '';
        expect(error).toBeInstanceOf(errorClass);
        expect(error.message).toBe(`cannot ${action} ${host}${pathname}${purpose}: ${reason}`);
        expect(Bun.inspect(error)).not.toContain('hidden');
      }),
    );
    await http.stop(true);
    silent.stop(true);
  }, 120_000);

  test('uses the database of its URL, whatever PGDATABASE says', async () => {
    const environment = { DATABASE_URL: server.url(DATABASE), PGDATABASE: 'nowhere' };
    expect(await runTenor(['revisions'], environment)).toMatchObject({ status: 0, err: '' });
  });

  test('reports a wrong password to a command', async () => {
    const file = String((await runSql(server.url(), 'SHOW hba_file'))[0]?.hba_file);
    const rules = await Bun.file(file).text();
    await Bun.write(file, `host all stranger 127.0.0.1/32 scram-sha-256\n${rules}`);
    await runSql(server.url(), 'SELECT pg_reload_conf()');
    const DATABASE_URL = withRole(server.url(DATABASE), 'stranger').replace('hidden', 'guessed');
    await retryUntil(30_000, async () => {
      expect(await runTenor(['revisions'], { DATABASE_URL })).toEqual({
        status: 1,
        out: '',
        err: `tenor: cannot use 127.0.0.1:${server.port}/${DATABASE} as the database: password authentication failed for user "stranger"\n`,
      });
    });
  }, 120_000);

  test('answers 503 while the server accepts no more connections', async () => {
    const client = startPollingClient(service.address, 0);
    const url = server.url(DATABASE);
    await runSql(url, `ALTER ROLE ${ROLE} CONNECTION LIMIT 0`);
    // Heartbeats succeed, but all other connections are closed.
    await runSql(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE usename = '${ROLE}' AND query NOT LIKE '%pg_is_in_recovery%'`,
    );
    const responses = await Promise.all(Array.from({ length: 20 }, () => client.request('new')));
    await runSql(url, `ALTER ROLE ${ROLE} CONNECTION LIMIT -1`);
    await retryUntil(30_000, async () => expect((await client.request('new')).status).toBe(200));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    expect(client.problems).toEqual([]);
  }, 120_000);

  test('answers 503 when a statement is cancelled', async () => {
    const sql = new SQL(server.url(DATABASE), { max: 1 });
    const locked = await sql.reserve();
    await locked`BEGIN`;
    await locked`LOCK TABLE quotes IN ACCESS EXCLUSIVE MODE`;
    const client = startPollingClient(service.address, 0);
    const response = client.request('new');
    // A statement beyond statement_timeout ends in the same way.
    await retryUntil(30_000, async () => {
      const cancelled = await locked`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE usename = ${ROLE} AND wait_event_type = 'Lock'`;
      expect(cancelled).toHaveLength(1);
    });
    const { status } = await response;
    await sql.close({ timeout: 0 });
    expect(status).toBe(503);
    expect((await client.request('new')).status).toBe(200);
  }, 120_000);
});

function withRole(url: string, role = 'postgres'): string {
  const parsed = new URL(url);
  parsed.username = role;
  parsed.password = 'hidden';
  return parsed.href;
}
