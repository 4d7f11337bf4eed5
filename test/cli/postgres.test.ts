import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { explainMissingPostgres, getSharedPostgres } from '../support/postgres.ts';
import { type CommandResult, runTenor } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';
import { formatYears } from './publishing-workspace.ts';

// Each test starts the command many times, on a machine that may be busy.
setDefaultTimeout(180_000);

describe.skipIf(explainMissingPostgres() !== undefined)('the command on PostgreSQL', () => {
  let folder: string;
  let databases: string[] = [];
  beforeAll(() => {
    folder = createTempFolder();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(async () => {
    const server = await getSharedPostgres();
    await Promise.all(databases.map((url) => server.dropDatabase(url)));
    databases = [];
  });

  async function createEmptyDatabase(): Promise<string> {
    const url = await (await getSharedPostgres()).createDatabase();
    databases.push(url);
    return url;
  }

  /** The results of the commands on an engine, run one after another. */
  async function runCommands(
    url: string,
    commands: readonly CommandCase[],
  ): Promise<[string, CommandResult][]> {
    const results: [string, CommandResult][] = [];
    const env = { DATABASE_URL: url, USER: 'ann', COLUMNS: '100' };
    let previousOutput = '';
    for (const [, ...templates] of commands) {
      const args = templates.map((arg) => (typeof arg === 'string' ? arg : arg(previousOutput)));
      const { status, out, err } = await runTenor(args, env);
      previousOutput = out;
      const name = templates.map((arg) => (typeof arg === 'string' ? arg : '…')).join(' ');
      results.push([name, { status, out: maskValues(out), err: maskValues(err) }]);
    }
    return results;
  }

  /** Expects the exit statuses of the commands, and the same output on both engines. */
  async function expectSame(...commands: readonly CommandCase[]): Promise<void> {
    const urls = [
      `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`,
      await createEmptyDatabase(),
    ];
    const [sqlite = [], postgres = []] = await Promise.all(
      urls.map(async (url) => {
        await openStore(url, catalogue);
        return runCommands(url, commands);
      }),
    );
    expect(postgres).toEqual(sqlite);
    const statuses = postgres.map(([name, { status }]) => [name, status]);
    expect(statuses).toEqual(postgres.map(([name], index) => [name, commands[index]?.[0] ?? 0]));
  }

  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test('publishing commands print the same as on SQLite, byte for byte', async () => {
    const first = file('first.csv', formatYears({ 2019: 1, 2021: 5, 2022: 6, 2023: 7 }));
    const second = file('second.csv', formatYears({ 2022: 6, 2023: 8, 2024: 9 }));
    const records = generateQuotes(['2026-06-29', '2026-06-30'], 1_300);
    const prices = file('quotes.json', JSON.stringify(records));
    // More duplicates than a batch has rows: they are reported in the order of the file.
    const twice = file('twice.json', JSON.stringify([...records, ...records.slice(3, 40)]));
    await expectSame(
      [1, 'load', online.name, first, '--strict'],
      [0, 'load', online.name, first],
      [0, 'load', online.name, second, '--replace', '--retire-many', '--dry-run', '--json'],
      [0, 'load', online.name, second, '--replace', '--retire-many', '--author', 'Bo Li'],
      [1, 'load', online.name, file('wrong.csv', 'year,total\nsoon,1\n')],
      [0, 'load', quotes.name, prices],
      [1, 'load', quotes.name, twice],
      [0, 'retire', online.name, '2022', '2022'],
      [1, 'retire', online.name, '1999'],
      [0, 'revisions'],
      [0, 'revisions', '2'],
      [0, 'revisions', '3', '--limit', '2', '--json'],
      [0, 'revert', '2'],
      [1, 'revert', '1'],
      [1, 'check', '--json', '--strict'],
      [0, 'export', online.name, '--as-of', '1'],
      [0, 'export', quotes.name],
      [0, 'query', 'quotes', 'symbol=s0007', 'from=2026-01-01'],
    );
  });

  test('token commands print the same as on SQLite', async () => {
    const id = (previousOutput: string) => JSON.parse(previousOutput).id as string;
    const options = ['--name', 'desk "é"', '--scopes', 'quotes', '--rate', '5/min'];
    await expectSame(
      [0, 'token', 'create', ...options, '--json'],
      [0, 'token', 'rotate', id, '--grace', '1h', '--json'],
      [0, 'token', 'revoke', id, '--json'],
      [1, 'token', 'revoke', id],
      [0, 'token', 'list'],
      [0, 'token', 'list', '--json'],
      [1, 'token', 'revoke', 'nobody'],
    );
  });

  test('commands report an invalid DATABASE_URL in one line, and never print a password', async () => {
    const server = await getSharedPostgres();
    const missingUrl = new URL(server.url('tenor_no_such_database'));
    missingUrl.password = 'hunter2';
    const missing = await runTenor(['revisions'], { DATABASE_URL: missingUrl.href });
    expect(missing).toMatchObject({ status: 1, out: '' });
    expect(missing.err).toMatch(
      /^tenor: cannot use \S+\/tenor_no_such_database as the database: database "tenor_no_such_database" does not exist\n$/,
    );
    const unreachableUrl = { DATABASE_URL: 'postgres://ann:hunter2@127.0.0.1:1/x' };
    const unreachable = await runTenor(['revisions'], unreachableUrl);
    expect(unreachable.status).toBe(5);
    expect(unreachable.err).toMatch(/^tenor: cannot reach 127\.0\.0\.1:1\/x: .*\n$/);
    const results = await Promise.all([
      runTenor(['settings'], {
        ...unreachableUrl,
        DATABASE_REPLICAS: 'postgres://b:hunter2@c/d?x=1',
      }),
      runTenor(['settings', '--json'], unreachableUrl),
      runTenor(['settings'], { DATABASE_URL: 'postgres://ann:hunter2@/x' }),
      runTenor(['revisions'], { DATABASE_URL: 'mysql://ann:hunter2@h/x' }),
    ]);
    for (const { out, err } of [missing, unreachable, ...results]) {
      expect(out + err).not.toContain('hunter2');
    }
    expect(results[0]?.out).toContain('postgres://***@127.0.0.1:1/x');
  });
});

/** An exit status and arguments, which may depend on the previous output. */
type CommandCase = readonly [status: number, ...(string | ((previousOutput: string) => string))[]];

/** Masks what differs each time: instants, tokens and their identifiers, and the checked server. */
function maskValues(text: string): string {
  return text
    .replace(/^ *"server": .*\n/m, '')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, '<instant>')
    .replace(/tenor_[\w-]{20,}/g, '<token>')
    .replace(/\btk_[0-9a-f]+/g, '<id>');
}
