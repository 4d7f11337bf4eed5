import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { formatYears, ONLINE } from '../../cli/publishing-workspace.ts';
import { retryUntil } from '../../support/eventually.ts';
import { runSql } from '../../support/postgres/databases.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { runTenor } from '../../support/run-tenor.ts';
import { createTempFolder } from '../../support/store.ts';

setDefaultTimeout(120_000);

describe.skipIf(explainMissingBinaries() !== undefined)('a release on PostgreSQL', () => {
  let folder: string;
  let server: PostgresServer;
  beforeAll(async () => {
    folder = createTempFolder();
    server = await startPostgres();
    await openStore(server.url(), catalogue);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });

  const run = (...args: string[]) => runTenor(args, { DATABASE_URL: server.url() });
  const countRevisions = async () => JSON.parse((await run('revisions', '--json')).out).length;
  const countTransactions = async () => {
    const sql = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'`;
    return (await runSql(server.url(), sql)).length;
  };

  /** Starts a load of a year that is released in some seconds; they are enough for its check. */
  function startRelease(year: number) {
    const path = join(folder, `${year}.csv`);
    writeFileSync(path, formatYears({ [year]: 5 }));
    const atMs = Date.now() + 8_000;
    const ended = run('load', ONLINE, path, '--at', new Date(atMs).toISOString());
    return { atMs, ended, sleepUntil: (leadMs: number) => Bun.sleep(atMs - leadMs - Date.now()) };
  }

  test('is published if the server is restarted while it waits', async () => {
    const { atMs, ended, sleepUntil } = startRelease(2023);
    await sleepUntil(4_000);
    await server.restart();
    const { status, out } = await ended;
    expect({ status, out }).toMatchObject({
      status: 0,
      out: expect.stringContaining('Published revision 1'),
    });
    const [, publishedAt = ''] = /Published at (\S+Z)/.exec(out) ?? [];
    expect(Date.parse(publishedAt)).toBeGreaterThanOrEqual(atMs);
  });

  const TERMINATE_SQL = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`;
  test.each([
    ['its connection is lost', () => runSql(server.url(), TERMINATE_SQL)],
    ['the server ends', () => server.kill()],
  ])('is not published if %s while it is staged', async (_, fail) => {
    const before = await countRevisions();
    const { atMs, ended, sleepUntil } = startRelease(2024);
    await sleepUntil(1_500);
    await retryUntil(5_000, async () => expect(await countTransactions()).toBeGreaterThan(0));
    await fail();
    const { status, err } = await ended;
    expect(status).toBe(5);
    expect(err).toStartWith(
      `tenor: the checked data could not be published at ${new Date(atMs).toISOString()}:\ntenor: `,
    );
    await server.restart();
    expect(await countRevisions()).toBe(before);
    expect(await run('check')).toMatchObject({ status: 0 });
  });
});
