import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { retryUntil } from '../support/eventually.ts';
import { isRunning } from '../support/postgres/process.ts';
import type { PostgresServer } from '../support/postgres.ts';
import {
  explainMissingBinaries,
  explainMissingPostgres,
  getSharedPostgres,
  startPostgres,
} from '../support/postgres.ts';

const SUPPORT = join(import.meta.dirname, '../support/postgres.ts');

let connections: SQL[] = [];
let started: PostgresServer[] = [];

afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()));
  await Promise.all(connections.map((sql) => sql.close()));
  started = [];
  connections = [];
});

async function stopAfterTest(server: Promise<PostgresServer>): Promise<PostgresServer> {
  started.push(await server);
  return server;
}

function connect(url: string): SQL {
  const sql = new SQL(url, { max: 1, connectionTimeout: 10 });
  connections.push(sql);
  return sql;
}

/** A server with one small table, and a connection to it. */
async function serverWithTable() {
  const server = await stopAfterTest(startPostgres());
  const sql = connect(server.url());
  await sql`CREATE TABLE numbers (n int)`;
  await sql`INSERT INTO numbers VALUES (1)`;
  return { server, sql };
}

const readNumbers = async (url: string) =>
  (await connect(url)`SELECT n FROM numbers ORDER BY n`.values()).map(([n]: [number]) => n);

describe.skipIf(explainMissingPostgres() !== undefined)(
  'the PostgreSQL server shared by tests',
  () => {
    test('is started once and gives each test its own database', async () => {
      const server = await getSharedPostgres();
      expect(await getSharedPostgres()).toBe(server);
      const [url, otherUrl] = await Promise.all([server.createDatabase(), server.createDatabase()]);
      await connect(url)`CREATE TABLE mine (n int)`;
      const [row] = await connect(otherUrl)`SELECT to_regclass('mine') AS mine`;
      expect(row.mine).toBeNull();
      await Promise.all([server.dropDatabase(url), server.dropDatabase(otherUrl)]);
    });

    test('drops a database that still has connections', async () => {
      const server = await getSharedPostgres();
      const name = `tenor_test "${crypto.randomUUID()}"`;
      const url = await server.createDatabase(name);
      await connect(url)`SELECT 1`;
      await server.dropDatabase(url);
      const sql = connect(server.url());
      expect(await sql`SELECT 1 FROM pg_database WHERE datname = ${name}`).toHaveLength(0);
    });
  },
);

describe.skipIf(explainMissingBinaries() !== undefined)('a PostgreSQL test server', () => {
  test('has the settings of its start, and a time zone other than UTC', async () => {
    const server = await stopAfterTest(startPostgres({ settings: { work_mem: '9MB' } }));
    const sql = connect(server.url());
    expect(await sql`SHOW work_mem`.values()).toEqual([['9MB']]);
    expect(await sql`SHOW timezone`.values()).toEqual([['Pacific/Kiritimati']]);
  });

  test('rejects invalid settings with the reason', async () => {
    const settings = { shared_buffers: 'plenty' };
    const failure = startPostgres({ settings });
    await expect(failure).rejects.toThrow('invalid value for parameter "shared_buffers"');
  });

  test('does not respond while it is paused, and responds when resumed', async () => {
    const { server, sql } = await serverWithTable();
    await server.pause();
    const existing = sql`SELECT n FROM numbers`.values();
    const fresh = connect(server.url())`SELECT n FROM numbers`.values();
    const first = Promise.race([existing, fresh, Bun.sleep(1_000).then(() => 'nothing')]);
    expect(await first).toBe('nothing');
    await server.resume();
    expect(await existing).toEqual([[1]]);
    expect(await fresh).toEqual([[1]]);
  });

  test('breaks connections when it is killed, and restarts with its data', async () => {
    const { server, sql } = await serverWithTable();
    const { pid, port } = server;
    await sql`INSERT INTO numbers VALUES (2)`;
    const sleeping = sql`SELECT pg_sleep(60)`.then(
      () => 'finished',
      () => 'broken',
    );
    await server.kill();
    expect(await sleeping).toBe('broken');
    await expect(readNumbers(server.url())).rejects.toThrow();
    await server.restart();
    expect(server.port).toBe(port);
    expect(server.pid).not.toBe(pid);
    expect(await readNumbers(server.url())).toEqual([1, 2]);
  });

  test('can be killed while it is paused', async () => {
    const { server } = await serverWithTable();
    await server.pause();
    await server.kill();
    await server.restart();
    expect(await readNumbers(server.url())).toEqual([1]);
  });

  test('stops and removes its files when the process that started it is killed', async () => {
    const script = `
      const { startPostgres } = await import('${SUPPORT}');
      const { pid, url } = await startPostgres();
      console.log(JSON.stringify({ pid, url: url() }));
      await Bun.sleep(60_000);`;
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
    const { value } = await child.stdout.getReader().read();
    const { pid, url } = JSON.parse(new TextDecoder().decode(value));
    const [[data]] = await connect(url)`SHOW data_directory`.values();
    expect(isRunning(pid) && existsSync(data)).toBe(true);
    child.kill('SIGKILL');
    await retryUntil(20_000, async () => {
      expect(isRunning(pid) || existsSync(data)).toBe(false);
    });
  });

  test('replicates to its standbys, which reject writes', async () => {
    const { server, sql } = await serverWithTable();
    const standbys = [await stopAfterTest(server.standby()), await stopAfterTest(server.standby())];
    await sql`INSERT INTO numbers VALUES (2)`;
    for (const { url } of standbys) {
      await retryUntil(10_000, async () => expect(await readNumbers(url())).toEqual([1, 2]));
      const write = connect(url())`INSERT INTO numbers VALUES (3)`.execute();
      await expect(write).rejects.toThrow('read-only transaction');
    }
  });

  test('can make a standby lag and catch up', async () => {
    const { server, sql } = await serverWithTable();
    const standby = await stopAfterTest(server.standby());
    await standby.pauseReplay();
    await sql`INSERT INTO numbers VALUES (2)`;
    const [{ lsn }] = await sql`SELECT pg_current_wal_insert_lsn()::text AS lsn`;
    const other = connect(standby.url());
    await retryUntil(10_000, async () => {
      const [row] = await other`SELECT pg_last_wal_receive_lsn() >= ${lsn}::pg_lsn AS received`;
      expect(row.received).toBe(true);
    });
    expect(await readNumbers(standby.url())).toEqual([1]);
    await standby.resumeReplay();
    await retryUntil(10_000, async () => {
      expect(await readNumbers(standby.url())).toEqual([1, 2]);
    });
  });

  test('has a standby that accepts writes after it is promoted', async () => {
    const { server } = await serverWithTable();
    const standby = await stopAfterTest(server.standby());
    await server.kill();
    await standby.promote();
    await connect(standby.url())`INSERT INTO numbers VALUES (2)`;
    expect(await readNumbers(standby.url())).toEqual([1, 2]);
  });

  test('replicates again after it and its standby were restarted', async () => {
    const { server } = await serverWithTable();
    const standby = await stopAfterTest(server.standby());
    await standby.kill();
    await server.restart();
    await connect(server.url())`INSERT INTO numbers VALUES (2)`;
    await standby.restart();
    await retryUntil(20_000, async () => {
      expect(await readNumbers(standby.url())).toEqual([1, 2]);
    });
  });
});
