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

let opened: { close(): Promise<void> }[] = [];
let started: PostgresServer[] = [];

afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()));
  await Promise.all(opened.map((sql) => sql.close()));
  started = [];
  opened = [];
});

async function starting(server: Promise<PostgresServer>): Promise<PostgresServer> {
  started.push(await server);
  return server;
}

function connect(url: string): SQL {
  const sql = new SQL(url, { max: 1, connectionTimeout: 10 });
  opened.push(sql);
  return sql;
}

/** A server with one small table, and a connection to it. */
async function serverWithTable() {
  const server = await starting(startPostgres());
  const sql = connect(server.url());
  await sql`CREATE TABLE kept (n int)`;
  await sql`INSERT INTO kept VALUES (1)`;
  return { server, sql };
}

const numbersAt = async (url: string) =>
  (await connect(url)`SELECT n FROM kept ORDER BY n`.values()).map(([n]: [number]) => n);

describe.skipIf(explainMissingPostgres() !== undefined)(
  'the PostgreSQL server that tests share',
  () => {
    test('is one and the same, and gives each test a database of its own', async () => {
      const server = await getSharedPostgres();
      expect(await getSharedPostgres()).toBe(server);
      const [one, other] = await Promise.all([server.createDatabase(), server.createDatabase()]);
      await connect(one)`CREATE TABLE mine (n int)`;
      const [row] = await connect(other)`SELECT to_regclass('mine') AS mine`;
      expect(row.mine).toBeNull();
      await Promise.all([server.dropDatabase(one), server.dropDatabase(other)]);
    });

    test('drops a database that somebody is still connected to', async () => {
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

describe.skipIf(explainMissingBinaries() !== undefined)('a PostgreSQL server of a test', () => {
  test('has the settings that it was started with, and is not in UTC', async () => {
    const server = await starting(startPostgres({ settings: { work_mem: '9MB' } }));
    const sql = connect(server.url());
    expect(await sql`SHOW work_mem`.values()).toEqual([['9MB']]);
    expect(await sql`SHOW timezone`.values()).toEqual([['Pacific/Kiritimati']]);
  });

  test('that does not start says why', async () => {
    const settings = { shared_buffers: 'plenty' };
    const failure = startPostgres({ settings });
    await expect(failure).rejects.toThrow('invalid value for parameter "shared_buffers"');
  });

  test('answers nothing while it is paused, and answers when resumed', async () => {
    const { server, sql } = await serverWithTable();
    await server.pause();
    const old = sql`SELECT n FROM kept`.values();
    const fresh = connect(server.url())`SELECT n FROM kept`.values();
    const first = Promise.race([old, fresh, Bun.sleep(1_000).then(() => 'nothing')]);
    expect(await first).toBe('nothing');
    await server.resume();
    expect(await old).toEqual([[1]]);
    expect(await fresh).toEqual([[1]]);
  });

  test('that was killed breaks connections, and comes back with its data', async () => {
    const { server, sql } = await serverWithTable();
    const { pid, port } = server;
    await sql`INSERT INTO kept VALUES (2)`;
    const asleep = sql`SELECT pg_sleep(60)`.then(
      () => 'answered',
      () => 'broken',
    );
    await server.kill();
    expect(await asleep).toBe('broken');
    await expect(numbersAt(server.url())).rejects.toThrow();
    await server.restart();
    expect(server.port).toBe(port);
    expect(server.pid).not.toBe(pid);
    expect(await numbersAt(server.url())).toEqual([1, 2]);
  });

  test('can be killed while it is paused', async () => {
    const { server } = await serverWithTable();
    await server.pause();
    await server.kill();
    await server.restart();
    expect(await numbersAt(server.url())).toEqual([1]);
  });

  test('ends, and leaves nothing, when the process that started it is killed', async () => {
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

  test('is followed by its standbys, which take no writes', async () => {
    const { server, sql } = await serverWithTable();
    const standbys = [await starting(server.standby()), await starting(server.standby())];
    await sql`INSERT INTO kept VALUES (2)`;
    for (const { url } of standbys) {
      await retryUntil(10_000, async () => expect(await numbersAt(url())).toEqual([1, 2]));
      const write = connect(url())`INSERT INTO kept VALUES (3)`.execute();
      await expect(write).rejects.toThrow('read-only transaction');
    }
  });

  test('lets a standby lag, and catch up', async () => {
    const { server, sql } = await serverWithTable();
    const standby = await starting(server.standby());
    await standby.pauseReplay();
    await sql`INSERT INTO kept VALUES (2)`;
    const [{ at }] = await sql`SELECT pg_current_wal_insert_lsn()::text AS at`;
    const other = connect(standby.url());
    await retryUntil(10_000, async () => {
      const [row] = await other`SELECT pg_last_wal_receive_lsn() >= ${at}::pg_lsn AS received`;
      expect(row.received).toBe(true);
    });
    expect(await numbersAt(standby.url())).toEqual([1]);
    await standby.resumeReplay();
    await retryUntil(10_000, async () => {
      expect(await numbersAt(standby.url())).toEqual([1, 2]);
    });
  });

  test('leaves a standby that can be promoted to take writes when it is gone', async () => {
    const { server } = await serverWithTable();
    const standby = await starting(server.standby());
    await server.kill();
    await standby.promote();
    await connect(standby.url())`INSERT INTO kept VALUES (2)`;
    expect(await numbersAt(standby.url())).toEqual([1, 2]);
  });

  test('and its standby find each other again after either was restarted', async () => {
    const { server } = await serverWithTable();
    const standby = await starting(server.standby());
    await standby.kill();
    await server.restart();
    await connect(server.url())`INSERT INTO kept VALUES (2)`;
    await standby.restart();
    await retryUntil(20_000, async () => {
      expect(await numbersAt(standby.url())).toEqual([1, 2]);
    });
  });
});
