import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runSql } from '../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createStore, createTempFolder } from '../support/store.ts';

let folder: string;
beforeAll(() => {
  folder = createTempFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

const UP_TO_DATE = 'Everything is up to date.\n';

describe('tenor migrate on a file', () => {
  test('creates the database, and has nothing to do the second time', async () => {
    const path = join(folder, 'new.db');
    const env = { DATABASE_URL: `sqlite:${path}` };
    const first = await runTenor(['migrate'], env);
    expect(first).toMatchObject({ status: 0, err: '' });
    expect(first.out).toMatch(/^Created \d+ tables, \d+ indexes, \d+ views\.\n$/);
    expect(existsSync(path)).toBe(true);
    expect(await runTenor(['migrate'], env)).toEqual({ status: 0, out: UP_TO_DATE, err: '' });
    const printed = await runTenor(['migrate', '--print'], env);
    expect(printed.out).toBe(`-- ${UP_TO_DATE}`);
  });

  test('prints the SQL of the same schema with --print, and creates nothing', async () => {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'none.db')}` };
    const { out, status } = await runTenor(['migrate', '--print'], env);
    expect([status, existsSync(join(folder, 'none.db'))]).toEqual([0, false]);
    const path = join(folder, 'by-hand.db');
    using byHand = new Database(path, { create: true });
    byHand.run(out);
    await using store = await createStore();
    const made = await store.query(SCHEMA);
    expect(made.length).toBeGreaterThan(50);
    expect(byHand.query(SCHEMA).all()).toEqual(made);
    const { out: again } = await runTenor(['migrate', '--print'], {
      DATABASE_URL: `sqlite:${path}`,
    });
    expect(again).toBe(`-- ${UP_TO_DATE}`);
  });

  test('prints the statements, and whether they were run, as JSON with --json', async () => {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'json.db')}` };
    const dryRun = JSON.parse((await runTenor(['migrate', '--print', '--json'], env)).out);
    const real = JSON.parse((await runTenor(['migrate', '--json'], env)).out);
    expect([dryRun.run, real.run]).toEqual([false, true]);
    expect(dryRun.statements.length).toBeGreaterThan(50);
    expect(real.statements).toEqual(dryRun.statements);
    const done = JSON.parse((await runTenor(['migrate', '--json'], env)).out);
    expect(done).toEqual({ run: true, statements: [] });
  });

  test.each([
    [['--accept-loss', '-1'], 2, "--accept-loss' argument is ambiguous"],
    [['--accept-loss', 'all'], 2, '--accept-loss must be the number of a revision'],
    [['--accept-loss', '7', '--print'], 2, '--print and --accept-loss cannot be combined'],
    [['--accept-loss', '7'], 1, 'servers follow a file that was replaced by themselves'],
  ])('rejects %p and creates nothing', async (args, status, problem) => {
    const path = join(folder, 'lossless.db');
    const result = await runTenor(['migrate', ...args], { DATABASE_URL: `sqlite:${path}` });
    expect(result).toMatchObject({ status, out: '' });
    expect(result.err).toContain(problem);
    expect(existsSync(path)).toBe(false);
  });

  test('rejects --distribute and creates nothing', async () => {
    const path = join(folder, 'one.db');
    const { status, err } = await runTenor(['migrate', '--distribute'], {
      DATABASE_URL: `sqlite:${path}`,
    });
    expect([status, existsSync(path)]).toEqual([1, false]);
    expect(err).toMatch(/^tenor: cannot distribute .*one\.db: it is one file; .*Citus/);
  });
});

const SCHEMA = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name';

describe.skipIf(explainMissingPostgres() !== undefined)('tenor migrate on PostgreSQL', () => {
  const createEmptyDatabase = async () => {
    const server = await getSharedPostgres();
    const url = await server.createDatabase();
    return { url, env: { DATABASE_URL: url }, drop: () => server.dropDatabase(url) };
  };

  test('prints the SQL of the same schema with --print, and creates nothing', async () => {
    const [printed, migrated] = [await createEmptyDatabase(), await createEmptyDatabase()];
    const { out } = await runTenor(['migrate', '--print'], printed.env);
    expect(await runSql(printed.url, RELATIONS)).toHaveLength(0);
    await runSql(printed.url, out);
    const made = await runTenor(['migrate'], migrated.env);
    expect(made).toMatchObject({ status: 0, err: '' });
    expect(made.out).toMatch(/^Created \d+ tables, \d+ indexes, \d+ views\.\n/);
    expect([...(await runSql(printed.url, RELATIONS))]).toEqual([
      ...(await runSql(migrated.url, RELATIONS)),
    ]);
    for (const { env } of [printed, migrated]) {
      expect((await runTenor(['migrate'], env)).out).toBe(UP_TO_DATE);
      expect((await runTenor(['migrate', '--print'], env)).out).toBe(`-- ${UP_TO_DATE}`);
    }
    await Promise.all([printed.drop(), migrated.drop()]);
  }, 120_000);

  test('rejects --distribute without Citus and creates nothing', async () => {
    const { url, env, drop } = await createEmptyDatabase();
    const { status, err } = await runTenor(['migrate', '--distribute'], env);
    expect(status).toBe(1);
    expect(err).toMatch(
      /^tenor: cannot distribute \S+: its server does not have Citus; install it/,
    );
    expect(err).not.toContain('postgres@');
    expect(await runSql(url, RELATIONS)).toHaveLength(0);
    await drop();
  });
});

const RELATIONS = `SELECT relname, relkind, obj_description(oid, 'pg_class') AS mark FROM pg_class
  WHERE relnamespace = 'public'::regnamespace ORDER BY relname`;
