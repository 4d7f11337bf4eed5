import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import {
  type CommandResult,
  runTenor,
  startTenorServer,
  type TenorServer,
} from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const ROOT = join(import.meta.dirname, '../..');

// Each test starts the command many times, on a machine that may have other things to do.
setDefaultTimeout(180_000);

describe.skipIf(explainMissingPostgres() !== undefined)('the command on PostgreSQL', () => {
  let folder: string;
  let made: string[] = [];
  let servers: TenorServer[] = [];
  beforeAll(() => {
    folder = createTempFolder();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(async () => {
    await Promise.all(servers.map((each) => each.stop('SIGKILL')));
    const server = await getSharedPostgres();
    await Promise.all(made.map((url) => server.dropDatabase(url)));
    [made, servers] = [[], []];
  });

  async function emptyDatabase(): Promise<string> {
    const url = await (await getSharedPostgres()).createDatabase();
    made.push(url);
    return url;
  }

  /** What each of the commands gives on an engine, one after another. */
  async function session(
    url: string,
    commands: readonly Words[],
    own: string,
  ): Promise<[string, CommandResult][]> {
    const results: [string, CommandResult][] = [];
    const env = { DATABASE_URL: url, USER: 'ann', COLUMNS: '100' };
    let before = '';
    for (const [, ...words] of commands) {
      const args = words.map((word) => (typeof word === 'string' ? word : word(before, own)));
      const { status, out, err } = await runTenor(args, env);
      before = out;
      const named = words.map((word) => (typeof word === 'string' ? word : '…')).join(' ');
      results.push([named, { status, out: masked(out), err: masked(err) }]);
    }
    return results;
  }

  /** That commands end as told, and print the same on both engines. */
  async function same(...commands: readonly Words[]): Promise<void> {
    const file = `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`;
    const [embedded, served] = await Promise.all([
      session(file, commands, join(folder, 'sqlite')),
      session(await emptyDatabase(), commands, join(folder, 'postgres')),
    ]);
    expect(served).toEqual(embedded);
    const ends = served.map(([words, { status }]) => [words, status]);
    expect(ends).toEqual(served.map(([words], index) => [words, commands[index]?.[0] ?? 0]));
  }

  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const years = (name: string, cash: Readonly<Record<string, number>>) =>
    file(
      name,
      ['year,cash_wtl,cash_deposit,funds_transfer,total', ...Object.entries(cash).map(lineOf)].join(
        '\n',
      ),
    );

  test('publishes, takes back and tells as it does on SQLite, byte for byte', async () => {
    const first = years('first.csv', { 2019: 1, 2021: 5, 2022: 6, 2023: 7 });
    const second = years('second.csv', { 2022: 6, 2023: 8, 2024: 9 });
    const records = generateQuotes(['2026-06-29', '2026-06-30'], 1_300);
    const prices = file('quotes.json', JSON.stringify(records));
    // Across what is put together at a time: told in the order of the file.
    const twice = file('twice.json', JSON.stringify([...records, ...records.slice(3, 40)]));
    await same(
      [1, 'load', online.name, first, '--strict'],
      [0, 'load', online.name, first],
      [0, 'load', online.name, second, '--replace', '--dry-run', '--json'],
      [0, 'load', online.name, second, '--replace', '--author', 'Bo Li'],
      [1, 'load', online.name, file('wrong.csv', 'year,total\nsoon,1\n')],
      [0, 'load', quotes.name, prices],
      [1, 'load', quotes.name, twice],
      [0, 'retire', online.name, '2022', 'FY22'],
      [1, 'retire', online.name, '1999'],
      [0, 'revisions'],
      [0, 'revisions', '2'],
      [0, 'revisions', '3', '--limit', '2', '--json'],
      [0, 'revert', '2'],
      [1, 'revert', '1'],
      [1, 'check', '--json', '--strict'],
      [0, 'export', online.name, '--as-of', '1'],
      [0, 'query', 'quotes', 'symbol=s0007', 'from=2026-01-01'],
    );
  });

  test('writes the same files', async () => {
    const prices = file('market.json', JSON.stringify(generateQuotes(['2026-06-30'], 1_100)));
    const names = ['q.csv.gz', 'q.parquet', 'q.xlsx'];
    const exporting = (name: string): Words => [
      ...([0, 'export', quotes.name, '--output'] as const),
      (_, own) => `${own}-${name}`,
    ];
    await same([0, 'load', quotes.name, prices], ...names.map(exporting));
    for (const name of names) {
      const [one, other] = ['sqlite', 'postgres'].map((own) => join(folder, `${own}-${name}`));
      expect([name, readFileSync(other ?? '').equals(readFileSync(one ?? ''))]).toEqual([
        name,
        true,
      ]);
    }
  });

  test('keeps tokens in the same way', async () => {
    const id = (before: string) => JSON.parse(before).id as string;
    await same(
      [
        0,
        'token',
        'create',
        '--name',
        'desk "é"',
        '--scopes',
        'quotes',
        '--rate',
        '5/min',
        '--json',
      ],
      [0, 'token', 'rotate', id, '--grace', '1h', '--json'],
      [0, 'token', 'revoke', id, '--json'],
      [1, 'token', 'revoke', id],
      [0, 'token', 'list'],
      [0, 'token', 'list', '--json'],
      [1, 'token', 'revoke', 'nobody'],
    );
  });

  test('serves the sample with a token in a file that only its owner reads', async () => {
    const url = await emptyDatabase();
    const start = async (settings: Record<string, string> = {}) => {
      const command = ['sh', '-c', `cd "${folder}" && exec "${ROOT}/bin/tenor" serve`];
      const server = await startTenorServer({ DATABASE_URL: url, ...settings }, command);
      servers.push(server);
      return server;
    };
    const first = await start();
    expect(first.out()).toContain('sample data');
    const kept = /kept in (\S+)\)/.exec(first.out())?.[1] ?? '';
    expect(kept).toMatch(/^data\/127\.0\.0\.1-\d+-tenor_test_\w+\.token$/);
    expect(statSync(join(folder, kept)).mode & 0o777).toBe(0o600);
    const line = /curl .*/.exec(first.out())?.[0] ?? '';
    const curl = Bun.spawn(['sh', '-c', `${line} --silent --noproxy '*'`]);
    expect(await new Response(curl.stdout).json()).toMatchObject({
      status: 'ok',
      data: Array(5).fill({ date: '2026-06-30' }),
    });
    expect((await first.stop()).status).toBe(0);

    const second = await start();
    expect(/tenor_[\w-]+/g.exec(second.out())).toEqual(/tenor_[\w-]+/g.exec(first.out()));
    await second.stop();
    const third = await start({ API_TOKEN: 'mine' });
    expect(third.out()).toContain('the one in API_TOKEN');
    const asked = { headers: { authorization: 'Bearer mine' } };
    const replies = await Promise.all(
      ['/3.0/funds', '/2.0/bnb/securities'].map((path) => fetch(`${third.address}${path}`, asked)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('says in one line what is wrong with an address, and never shows a password', async () => {
    const server = await getSharedPostgres();
    const nobody = new URL(server.url('tenor_no_such_database'));
    nobody.password = 'hunter2';
    const absent = await runTenor(['revisions'], { DATABASE_URL: nobody.href });
    expect(absent).toMatchObject({ status: 1, out: '' });
    expect(absent.err).toMatch(
      /^tenor: cannot use \S+\/tenor_no_such_database as the database: database "tenor_no_such_database" does not exist\n$/,
    );
    const unheard = { DATABASE_URL: 'postgres://ann:hunter2@127.0.0.1:1/x' };
    const unreached = await runTenor(['revisions'], unheard);
    expect(unreached.status).toBe(1);
    expect(unreached.err).toMatch(/^tenor: cannot reach 127\.0\.0\.1:1\/x: .*\n$/);
    const shown = await Promise.all([
      runTenor(['settings'], { ...unheard, DATABASE_REPLICAS: 'postgres://b:hunter2@c/d?x=1' }),
      runTenor(['settings', '--json'], unheard),
      runTenor(['settings'], { DATABASE_URL: 'postgres://ann:hunter2@/x' }),
      runTenor(['revisions'], { DATABASE_URL: 'mysql://ann:hunter2@h/x' }),
    ]);
    for (const { out, err } of [absent, unreached, ...shown]) {
      expect(out + err).not.toContain('hunter2');
    }
    expect(shown[0]?.out).toContain('postgres://***@127.0.0.1:1/x');
  });

  test('checks no database that is not there, and makes none', async () => {
    const url = await emptyDatabase();
    for (const _ of [1, 2]) {
      const { status, err } = await runTenor(['check'], { DATABASE_URL: url });
      expect({ status, err }).toMatchObject({ status: 1 });
      expect(err).toMatch(/^tenor: cannot use \S+ as the database: it has no tables of Tenor\n$/);
    }
  });

  test('a start that is refused ends, whatever it had opened', async () => {
    const url = await emptyDatabase();
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const settings = { DATABASE_URL: url, SAMPLE_DATA: 'off', PORT: String(other.port) };
    const { status, err } = await runTenor(['serve'], { ...settings, API_TOKEN: 'x' });
    await other.stop(true);
    expect(err).toMatch(/^tenor: .*in use.*\n$/);
    expect(status).toBe(1);
  });
});

/** How a command is to end, and what it is called with; a word may depend on what the one before it printed. */
type Words = readonly [status: number, ...(string | ((before: string, own: string) => string))[]];

function lineOf([year, cash]: [string, number]): string {
  return `${year},${cash},1,1,${cash + 2}`;
}

/** Without what is different each time: instants, tokens and their identifiers. */
function masked(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, '<instant>')
    .replace(/\/(sqlite|postgres)-q\./g, '/q.')
    .replace(/tenor_[\w-]{20,}/g, '<token>')
    .replace(/\btk_[0-9a-f]+/g, '<id>');
}
