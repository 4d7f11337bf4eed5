import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { readFixture } from '../support/fixtures.ts';
import { withConnection } from '../support/postgres/databases.ts';
import { explainMissingBinaries, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { buildCorrection, publishAt } from '../support/publish-at.ts';
import { startTenorServer } from '../support/run-tenor.ts';
import { createFilledStore, createTempFolder, type SqliteTestStore } from '../support/store.ts';
import { blocksIn, isAsSaid, pageText } from './code-blocks.ts';

const PAGE = 'how-to/postgresql.md';
const ROOT = join(import.meta.dirname, '..', '..');

// It starts a server of its own, and the command many times.
setDefaultTimeout(120_000);

describe.skipIf(explainMissingBinaries() !== undefined)(PAGE, () => {
  let server: PostgresServer;
  let folder: string;
  let store: SqliteTestStore;
  beforeAll(async () => {
    server = await startPostgres();
    folder = createTempFolder();
    store = await createFilledStore();
    writeFileSync(join(folder, 'eod-2026-06-30.csv'), await exported('quotes'));
    mkdirSync(join(folder, 'data'));
    for (const dataset of catalogue) {
      const [first = {}] = readFixture(dataset);
      const records = [buildCorrection(dataset, first)];
      await publishAt(store, '2031-01-01T00:00:00Z', dataset, { records });
    }
    using database = new Database(store.path);
    database.run(`VACUUM INTO '${join(folder, 'data/tenor.db')}'`);
  });
  afterAll(async () => {
    await server.stop();
    await store.remove();
    rmSync(folder, { recursive: true });
  });

  const exported = (dataset: string) =>
    shell('npx tenor export "$0"', [dataset], { DATABASE_URL: store.url });

  /** Runs a block of the page as it is, but for where the server and the command are. */
  async function shell(code: string, args: string[] = [], env: Record<string, string> = {}) {
    const npx = `npx() { case "$1" in tenor) shift; "${ROOT}/bin/tenor" "$@";; bun) shift; "${process.execPath}" "$@";; esac; }`;
    const child = Bun.spawn(['bash', '-eu', '-c', `${npx}\n${here(code)}`, ...args], {
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

  const here = (text: string) => text.replaceAll('db.example', `127.0.0.1:${server?.port}`);
  const addressOf = (role: string) =>
    here(new RegExp(`postgres://${role}:\\S+@db.example/tenor`).exec(pageText(PAGE))?.[0] ?? '');

  test('leads from an empty server to one that is served, each role with what it may', async () => {
    const blocks = blocksIn(PAGE);
    const [roles] = blocks.filter(({ language }) => language === 'sql');
    await withConnection(server.url(), async (sql) => {
      for (const statement of roles?.code.split(';\n') ?? []) await sql.unsafe(statement);
    });
    const scripts = blocks.filter(({ language }) => language === 'sh');
    const [move] = blocks.filter(({ language }) => language === 'ts');
    writeFileSync(join(folder, 'move.ts'), move?.code ?? '');
    expect(scripts).toHaveLength(3);
    for (const { code, prints } of scripts.slice(0, 2)) {
      const printed = await shell(code);
      if (prints !== undefined)
        expect([printed, isAsSaid(printed, prints)]).toEqual([printed, true]);
    }
    await expectServed();
    await withConnection(server.url('tenor'), (sql) =>
      sql.unsafe('TRUNCATE revisions, tokens, quotes_now, quotes_past, security_terms_now'),
    );
    const printed = await shell(scripts[2]?.code ?? '');
    expect(printed).toMatch(/^Checked 24 revisions, \d+ records: 0 faults, /m);
    await expectMoved();
  });

  /** That a server reads with the role that is for it, and can do nothing else. */
  async function expectServed(): Promise<void> {
    const settings = { DATABASE_URL: addressOf('tenor_reader'), SAMPLE_DATA: 'off' };
    const running = await startTenorServer({ ...settings, API_TOKEN: 'mine' });
    const asked = { headers: { authorization: 'Bearer mine' } };
    const body = await (await fetch(`${running.address}/2.0/bnb/quote?limit=1`, asked)).json();
    expect(body).toMatchObject({ status: 'ok', data: [{ date: '2026-04-08' }] });
    await running.stop();
    const greeted = await startTenorServer(settings);
    expect(greeted.out()).toContain('Token: use an issued one (tenor token create makes one)');
    await greeted.stop();
    expect(await shell('npx tenor check', [], settings)).toContain(' 0 faults');
    const retiring = shell('npx tenor retire quotes 2026-06-30/x', [], settings);
    await expect(retiring).rejects.toThrow();
    await withConnection(settings.DATABASE_URL, async (sql) => {
      for (const table of ['quotes_now', 'revisions', 'secrets']) {
        const removing = sql.unsafe(`DELETE FROM ${table}`).execute();
        await expect(removing).rejects.toThrow(/permission denied/);
      }
    });
  }

  /** That what was moved is told alike, at every revision. */
  async function expectMoved(): Promise<void> {
    const script = `npx tenor revisions --json --limit 1000
      npx tenor export quotes --as-of 1
      npx tenor export quotes
      npx tenor export fund-allocation --as-of 14`;
    const moved = await shell(script, [], { DATABASE_URL: addressOf('tenor_reader') });
    expect(moved).toBe(await shell(script, [], { DATABASE_URL: store.url }));
    const secret = "SELECT value FROM secrets WHERE name = 'cursor'";
    const [own] = await store.query(secret);
    const [theirs] = await withConnection(server.url('tenor'), (sql) => sql.unsafe(secret));
    expect(Buffer.from(theirs.value)).toEqual(Buffer.from(own?.value as Uint8Array));
  }

  test('every block of code is of a kind that is run, or only to be read', () => {
    const kinds = blocksIn(PAGE).map(({ language }) => language);
    expect(kinds.filter((kind) => !['sql', 'sh', 'ts', 'console'].includes(kind))).toEqual([]);
  });
});
