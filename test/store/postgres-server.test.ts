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
});
