import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../../src/shared/database-folders.ts';
import { LOG_TABLES } from '../../../src/store/sql/stored-tables.ts';
import { readFixture } from '../../support/fixtures.ts';
import { withConnection } from '../../support/postgres/databases.ts';
import {
  explainMissingBinaries,
  type PostgresServer,
  startPostgres,
} from '../../support/postgres.ts';
import { buildCorrection, publishAt } from '../../support/publish-at.ts';
import { startTenorServer } from '../../support/run-tenor.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createFilledStore, createTempFolder, type SqliteTestStore } from '../../support/store.ts';
import { findCodeBlocks, matchesOutput, readPage } from './code-blocks.ts';

const PAGE = 'how-to/postgresql.md';
const ROOT = join(import.meta.dirname, '../../..');

// Starts its own PostgreSQL server, and the command many times.
setDefaultTimeout(120_000);

describe.skipIf(explainMissingBinaries() !== undefined)(PAGE, () => {
  let server: PostgresServer;
  let folder: string;
  let store: SqliteTestStore;
  beforeAll(async () => {
    server = await startPostgres();
    folder = createTempFolder();
    store = await createFilledStore();
    writeFileSync(join(folder, 'eod-2026-06-30.csv'), await exportDataset('quotes'));
    mkdirSync(join(folder, 'data'));
    for (const dataset of catalogue) {
      const [first = {}] = readFixture(dataset);
      const records = [buildCorrection(dataset, first)];
      await publishAt(store, '2031-01-01T00:00:00Z', dataset, { records });
    }
    using database = new Database(store.path);
    database.run(`VACUUM INTO '${join(folder, 'data/tenor.db')}'`);
    ensurePrivateFolder(getPrivateFolder(join(folder, 'data/tenor.db')));
  });
  afterAll(async () => {
    await server.stop();
    await store.remove();
    rmSync(folder, { recursive: true });
  });

  const exportDataset = (dataset: string) =>
    shell('npx tenor export "$0"', [dataset], { DATABASE_URL: store.url });

  /** Runs a code block of the page with the local server and the local command. */
  async function shell(code: string, args: string[] = [], env: Record<string, string> = {}) {
    const npx = `npx() { case "$1" in tenor) shift; "${ROOT}/bin/tenor" "$@";; bun) shift; "${process.execPath}" "$@";; esac; }`;
    const child = spawnChild(['bash', '-eu', '-c', `${npx}\n${useLocalServer(code)}`, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      stderr: 'pipe',
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(`${code}\n${out}\n${err}`);
    return out;
  }

  const useLocalServer = (text: string) =>
    text.replaceAll('db.example', `127.0.0.1:${server?.port}`);
  const findUrl = (role: string) =>
    useLocalServer(
      new RegExp(`postgres://${role}:\\S+@db.example/tenor`).exec(readPage(PAGE))?.[0] ?? '',
    );

  test('its commands lead from an empty server to a running service with its roles', async () => {
    const blocks = findCodeBlocks(PAGE);
    const [roles] = blocks.filter(({ language }) => language === 'sql');
    await withConnection(server.url(), async (sql) => {
      for (const statement of roles?.code.split(';\n') ?? []) await sql.unsafe(statement);
    });
    const scripts = blocks.filter(({ language }) => language === 'sh');
    expect(scripts).toHaveLength(3);
    for (const { code, output } of scripts.slice(0, 2)) {
      const printed = await shell(code);
      if (output !== undefined)
        expect([printed, matchesOutput(printed, output)]).toEqual([printed, true]);
    }
    await expectServed();
    await withConnection(server.url('tenor'), (sql) =>
      sql.unsafe(
        `TRUNCATE revisions, tokens, quotes_now, quotes_past, quotes_days, quotes_securities,
          ${LOG_TABLES}`,
      ),
    );
    const printed = await shell(scripts[2]?.code ?? '');
    expect(printed).toMatch(/^Compared 33 revisions, .*: no difference\.$/m);
    expect(printed).toMatch(/^Checked 33 revisions, \d+ records: 0 faults, /m);
    await expectMoved();
  });

  /** Expects that a server with the reader role can read and do nothing else. */
  async function expectServed(): Promise<void> {
    const settings = { DATABASE_URL: findUrl('tenor_reader'), SAMPLE_DATA: 'off' };
    const running = await startTenorServer({ ...settings, API_TOKEN: 'mine-for-the-tests' });
    const options = { headers: { authorization: 'Bearer mine-for-the-tests' } };
    const body = await (await fetch(`${running.address}/2.0/bnb/quote?limit=1`, options)).json();
    expect(body).toMatchObject({ status: 'ok', data: [{ date: '2026-04-08' }] });
    await running.stop();
    const withoutToken = await startTenorServer(settings);
    expect(withoutToken.out()).toContain('Token: use an issued one (tenor token create makes one)');
    await withoutToken.stop();
    expect(await shell('npx tenor check', [], settings)).toContain(' 0 faults');
    const retirement = shell('npx tenor retire quotes 2026-06-30/x', [], settings);
    await expect(retirement).rejects.toThrow();
    await withConnection(settings.DATABASE_URL, async (sql) => {
      for (const table of ['quotes_now', 'revisions', 'secrets']) {
        const deletion = sql.unsafe(`DELETE FROM ${table}`).execute();
        await expect(deletion).rejects.toThrow(/permission denied/);
      }
    });
  }

  /** Expects the same data at every revision after the migration from SQLite. */
  async function expectMoved(): Promise<void> {
    const script = `npx tenor revisions --json --limit 1000
      npx tenor export quotes --as-of 1
      npx tenor export quotes
      npx tenor export fund-allocation --as-of 14`;
    const moved = await shell(script, [], { DATABASE_URL: findUrl('tenor_reader') });
    expect(moved).toBe(await shell(script, [], { DATABASE_URL: store.url }));
    const secret = "SELECT value FROM secrets WHERE name = 'cursor'";
    const [original] = await store.query(secret);
    const [copy] = await withConnection(server.url('tenor'), (sql) => sql.unsafe(secret));
    expect(Buffer.from(copy.value)).toEqual(Buffer.from(original?.value as Uint8Array));
  }

  test('every code block has a language that is run or only shown', () => {
    const kinds = findCodeBlocks(PAGE).map(({ language }) => language);
    expect(kinds.filter((kind) => !['sql', 'sh', 'console'].includes(kind))).toEqual([]);
  });
});
