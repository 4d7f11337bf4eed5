import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { runSql } from '../support/postgres/databases.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { runTenor, runTenorProcess } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';
import { formatYears } from './publishing-workspace.ts';

// Each test starts the command many times, on a machine that may be busy.
setDefaultTimeout(120_000);

const TENOR = join(import.meta.dirname, '../../bin/tenor');

let folder: string;
let file: string;
let csv: string;
beforeEach(() => {
  folder = createTempFolder();
  file = join(folder, 'data', 'tenor.db');
  csv = join(folder, 'years.csv');
  writeFileSync(csv, formatYears({ 2024: 5 }));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Every command that needs a database and does not create one. */
const listCommands = () => [
  ['revisions'],
  ['revisions', '1'],
  ['check'],
  ['export', 'quotes'],
  ['query', 'quotes'],
  ['load', online.name, csv],
  ['load', online.name, csv, '--dry-run'],
  ['retire', online.name, '2024'],
  ['revert', '1'],
  ['token', 'create', '--name', 'a'],
  ['token', 'list'],
  ['token', 'revoke', 'tk_1'],
  ['token', 'rotate', 'tk_1'],
  ['link', 'create', '/2.0/bnb/quote', '--name', 'a'],
  ['link', 'list'],
  ['link', 'revoke', 'lk_1'],
];

async function expectRejected(
  env: Record<string, string>,
  reason: RegExp,
  commands = listCommands(),
): Promise<void> {
  const results = await Promise.all(
    commands.map(async (args) => ({ args, ...(await runTenor(args, env, { cwd: folder })) })),
  );
  for (const result of results) {
    expect(result).toMatchObject({ status: 1, out: '' });
    expect(result).toMatchObject({ err: expect.stringMatching(reason) });
  }
}

const HINT =
  'set DATABASE_URL, or create one with tenor serve, tenor migrate or tenor load --create(; to query a running server, set TENOR_URL and TENOR_TOKEN)?\n$';

describe('without a database file', () => {
  test('only serve, migrate and load --create make one: all other commands say where it should be', async () => {
    const inFolder = 'sqlite:data/tenor.db from the working directory,';
    const origins: [Record<string, string>, string][] = [
      [{ DATABASE_URL: `sqlite:${file}` }, 'DATABASE_URL points there'],
      [{ DATABASE_URL: 'sqlite:data/tenor.db' }, `DATABASE_URL, ${inFolder} points there`],
      [{}, `DATABASE_URL is not set, and its default, ${inFolder} points there`],
    ];
    for (const [index, [env, origin]] of origins.entries()) {
      const reason = `^tenor: there is no database at ${file} \\(${origin}\\); ${HINT}`;
      // How they say it depends on no command.
      const commands = index === 0 ? listCommands() : [['revisions']];
      await expectRejected(env, new RegExp(reason), commands);
    }
    expect(readdirSync(folder)).toEqual(['years.csv']);
  });

  test('load --create makes it and says so, and then loads as without --create', async () => {
    mkdirSync(join(folder, 'data'));
    const env = { DATABASE_URL: `sqlite:${file}` };
    const first = await runTenor(['load', online.name, csv, '--create'], env);
    expect(first).toMatchObject({ status: 0, err: `tenor: created the database ${file}\n` });
    const again = await runTenor(['load', online.name, csv, '--create', '--json'], env);
    expect(again).toMatchObject({ status: 0, err: '' });
    expect(JSON.parse(again.out).status).toBe('unchanged');
  });

  test('what makes one makes no folder, which may be that of a disk that is not mounted', async () => {
    const env = { DATABASE_URL: `sqlite:${file}` };
    const load = ['load', online.name, csv, '--create'];
    for (const args of [['serve'], ['migrate'], load]) {
      const { status, err } = await runTenor(args, env, { isRejected: true });
      expect([args, status]).toEqual([args, 1]);
      expect(err).toBe(
        `tenor: cannot use ${file} as the database: there is no folder ${join(folder, 'data')}\n`,
      );
    }
    expect(readdirSync(folder)).toEqual(['years.csv']);
  });

  test('the default one gets its folder, which only its owner can use', async () => {
    const umask = process.umask(0);
    const { status } = await runTenor(['migrate'], {}, { cwd: folder });
    process.umask(umask);
    expect([status, statSync(join(folder, 'data')).mode & 0o777]).toEqual([0, 0o700]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test.each<[string, RegExp, () => void]>([
  ['an empty file', /is empty, not a Tenor database/, () => writeFileSync(file, '')],
  ['a directory', /it is not a file/, () => mkdirSync(file)],
  [
    'a file that is no database',
    /is not a SQLite database/,
    () => writeFileSync(file, 'x'.repeat(9_000)),
  ],
])(
  'every command rejects %s at the path of the database, and leaves it',
  async (_, reason, make) => {
    mkdirSync(join(folder, 'data'));
    make();
    const before = statSync(file);
    const env = { DATABASE_URL: `sqlite:${file}` };
    await expectRejected(env, reason);
    for (const args of [['serve'], ['migrate'], ['load', online.name, csv, '--create']]) {
      const { status, err } = await runTenor(args, env, { isRejected: true });
      expect([status, err]).toEqual([1, expect.stringMatching(reason)]);
      expect(err).toContain(file);
    }
    expect(readdirSync(join(folder, 'data'))).toEqual(['tenor.db']);
    expect([statSync(file).ino, statSync(file).size]).toEqual([before.ino, before.size]);
  },
);

describe.skipIf(explainMissingPostgres() !== undefined)('in an empty PostgreSQL database', () => {
  test('only serve, migrate and load --create make tables', async () => {
    const server = await getSharedPostgres();
    const url = await server.createDatabase();
    const env = { DATABASE_URL: url };
    await expectRejected(
      env,
      new RegExp(
        `^tenor: there are no tables of Tenor in \\S+ \\(DATABASE_URL points there\\); ${HINT}`,
      ),
    );
    const countSql =
      "SELECT count(*)::int AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    expect([...(await runSql(url, countSql))]).toEqual([{ n: 0 }]);
    expect(readdirSync(folder)).toEqual(['years.csv']);
    const created = await runTenor(['load', online.name, csv, '--create'], env);
    expect(created).toMatchObject({ status: 0 });
    expect(created.err).toMatch(/^tenor: created the database \S+\n$/);
    await server.dropDatabase(url);
  });
});

test('bin/tenor applies no .env, bunfig.toml or tsconfig.json of the working directory', async () => {
  writeFileSync(join(folder, '.env'), 'PORT=1\nDATABASE_URL=sqlite:env.db\n');
  writeFileSync(join(folder, '.env.local'), 'PORT=2\n');
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./evil.ts"]\n');
  const paths = { compilerOptions: { paths: { '*': ['./evil.ts'] } } };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(paths));
  writeFileSync(join(folder, 'evil.ts'), "console.log('evil')\n");
  const run = (args: string[]) => runTenorProcess(args, {}, { cwd: folder, command: [TENOR] });
  const [settings, migrated] = await Promise.all([run(['settings', '--json']), run(['migrate'])]);
  expect(settings).toMatchObject({ status: 0, err: '' });
  const value = (name: string) =>
    JSON.parse(settings.out).find(({ variable }: { variable: string }) => variable === name).value;
  expect([value('PORT'), value('DATABASE_URL')]).toEqual(['8080', 'sqlite:data/tenor.db']);
  expect(migrated.out).toStartWith('Created ');
  expect(readdirSync(join(folder, 'data')).toSorted()).toEqual(['tenor.db', 'tenor.db.private']);
});
