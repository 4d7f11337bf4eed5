import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { BunFile } from 'bun';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { loadFiles } from '../../src/publish/load/load-files.ts';
import { openStore } from '../../src/store/open-store.ts';
import { retryUntil } from '../support/eventually.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { runTenor, startTenorServer } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const ROOT = join(import.meta.dirname, '../..');
const ONLINE = online.name;
const HEADER = 'year,cash_wtl,cash_deposit,funds_transfer,total';

// Each test starts the command several times, on a machine that may have other things to do.
setDefaultTimeout(60_000);

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = createTempFolder();
  env = { DATABASE_URL: `sqlite:${join(folder, 'x.db')}`, USER: 'ann' };
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => runTenor(args, env);
const load = (...args: string[]) => run('load', ONLINE, ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A CSV file with one record for each year, and what its cash withdrawals are. */
function years(name: string, cash: Readonly<Record<string, number | string>>): string {
  const lines = Object.entries(cash).map(
    ([year, value]) => `${year},${value},1,1,${Number(value) + 2}`,
  );
  return file(name, [HEADER, ...lines, ''].join('\n'));
}

/** Starts the command, with a file for its standard input where the last word is one. */
function started(...args: (string | BunFile)[]) {
  const words = args.filter((word) => typeof word === 'string');
  const stdin = args.find((word) => typeof word !== 'string') ?? null;
  const settings = { ...process.env, ...env };
  const pipes = { stdin, stdout: 'pipe', stderr: 'pipe' } as const;
  return Bun.spawn([join(ROOT, 'bin/tenor'), ...words], { ...pipes, env: settings });
}

/** Loads a file as the command would, without the time that starting it takes. */
async function publish(path: string, dataset: Dataset = online): Promise<void> {
  const publisher = (await openStore(env.DATABASE_URL ?? '', catalogue)).publisher();
  const files = [{ path, name: path }];
  await loadFiles(publisher, { dataset, files, mapping: {}, author: 'ann' });
  publisher.close();
}

describe('tenor load', () => {
  test('publishes, says what it did, and publishes nothing the second time', async () => {
    const path = years('a.csv', { 2023: 5, 2024: 6 });
    expect(await load(path)).toEqual({
      status: 0,
      out: 'Read 2 records.\nPublished revision 1: 2 added, 0 corrected, 0 retired, 0 unchanged.\n',
      err: '',
    });
    expect(await load(path)).toEqual({
      status: 0,
      out: 'Read 2 records.\nNothing published: the data is unchanged (0 added, 0 corrected, 0 retired, 2 unchanged).\n',
      err: '',
    });
    const empty = await load(file('b.csv', `${HEADER}\n`));
    expect(empty.out).toBe('Read 0 records.\nNothing published: there are no records.\n');
  });

  test('rehearses, replaces, and names the author', async () => {
    await load(years('a.csv', { 2023: 5, 2024: 6 }));
    const path = years('b.csv', { 2024: 7 });
    const rehearsed = await load(path, '--replace', '--dry-run');
    expect(rehearsed.out).toEndWith(
      'Dry run, nothing published. Would be: 0 added, 1 corrected, 1 retired, 0 unchanged.\n',
    );
    await load(path, '--replace', '--author', 'Bo Li');
    const revisions = await json('revisions');
    expect(revisions).toMatchObject([
      { revision: 2, author: 'Bo Li', added: 0, corrected: 1, retired: 1, unchanged: 0 },
      { revision: 1, author: 'ann', added: 2 },
    ]);
  });

  test('refuses with exit status 1 and a line for each problem on standard error', async () => {
    const path = years('a.csv', { 2023: 'x', 2024: '1e400', soon: 3 });
    expect(await load(path)).toEqual({
      status: 1,
      out: '',
      err: [
        `${path} line 2, cash_wtl: "x" must be a number; if "x" stands for no value, name it in the mapping's blanks`,
        `${path} line 2, total: "NaN" must be a number; if "NaN" stands for no value, name it in the mapping's blanks`,
        `${path} line 3, cash_wtl: "1e400" must be a finite number; a whole one within ±(2^53 − 1)`,
        `${path} line 3, total: "Infinity" must be a finite number; a whole one within ±(2^53 − 1)`,
        `${path} line 4, year: "soon" must be a year such as 2024, FY24 or 2023-24`,
        'tenor: nothing was published: 5 problems',
        '',
      ].join('\n'),
    });
    expect(await json('revisions')).toEqual([]);
  });

  test('says how many problems there are beyond the first hundred', async () => {
    const path = years(
      'a.csv',
      Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`y${index}`, 1])),
    );
    const { err } = await load(path);
    expect(err.split('\n').slice(99)).toEqual([
      `${path} line 101, year: "y99" must be a year such as 2024, FY24 or 2023-24`,
      '… and 20 more',
      'tenor: nothing was published: 120 problems',
      '',
    ]);
  });

  test('tells programs the same as people', async () => {
    const path = years('a.csv', { 2023: 5 });
    const content = readFileSync(path);
    const counts = { added: 1, corrected: 0, retired: 0, unchanged: 0 };
    const noted = { computed: {}, uncomputable: {}, terms: 0, skipped: [], warnings: [] };
    const report = { records: 1, ...noted };
    const rehearsed = await json('load', ONLINE, path, '--dry-run');
    expect(rehearsed).toEqual({ status: 'rehearsed', revision: null, counts, report });
    const published = await json('load', ONLINE, path);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(published).toEqual({
      status: 'published',
      revision: {
        revision: 1,
        dataset: ONLINE,
        publishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        source: 'a.csv',
        files: [{ name: 'a.csv', bytes: content.length, sha256 }],
        author: 'ann',
        sample: false,
        ...counts,
      },
      counts,
      report,
    });
    const again = await json('load', ONLINE, path);
    expect(again).toMatchObject({ status: 'unchanged', revision: null, counts: { unchanged: 1 } });
    const refused = await json('load', ONLINE, years('b.csv', { soon: 5 }));
    expect(refused).toMatchObject({ status: 'refused', count: 1, report: { records: 1 } });
    expect(refused.problems).toEqual([
      {
        file: join(folder, 'b.csv'),
        place: 'line',
        at: 2,
        field: 'year',
        value: 'soon',
        rule: 'a year such as 2024, FY24 or 2023-24',
      },
    ]);
    const unreadable = await json('load', ONLINE, join(folder, 'none.csv'));
    expect(unreadable).toEqual({
      status: 'refused',
      message: `${join(folder, 'none.csv')} does not exist`,
    });
  });

  test('reads standard input, and several files as one revision', async () => {
    const a = years('a.csv', { 2023: 5 });
    const b = file(
      'b.json',
      JSON.stringify([{ year: '2024', cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 }]),
    );
    const child = started('load', ONLINE, '-', b, '--json', Bun.file(a));
    const { revision } = JSON.parse(await new Response(child.stdout).text());
    expect(revision).toMatchObject({ revision: 1, added: 2, source: 'standard input, b.json' });
    expect(revision.files[0].sha256).toBe(
      createHash('sha256').update(readFileSync(a)).digest('hex'),
    );
  });

  test('warns, shows the first of each rule, and refuses warnings when strict', async () => {
    const path = file(
      'a.csv',
      `${HEADER}\n${[2020, 2021, 2022, 2023].map((year) => `${year},1,1,1,9`).join('\n')}\n`,
    );
    const strict = await load(path, '--strict');
    const linesWith = (name: string) =>
      [
        'Warning parts-off-total (4): the parts do not add up to the total, within 0.05 × (parts + 1) in the unit of the series',
        ...[2, 3, 4].map(
          (line) =>
            `  ${name} line ${line}, total: cash_wtl + cash_deposit + funds_transfer = 3, total says 9; off by 6, tolerance 0.2`,
        ),
        '  … and 1 more',
      ].join('\n');
    const lines = linesWith(path);
    expect(strict).toMatchObject({ status: 1, out: '' });
    expect(strict.err).toContain(`${lines}\ntenor: nothing was published: 4 warnings\n`);
    const lenient = await load(path);
    expect(lenient).toMatchObject({ status: 0, err: '' });
    expect(lenient.out).toContain(lines);
    // Others read what is kept: they see the name of the file, not where it was.
    expect((await run('revisions', '1')).out).toContain(linesWith('a.csv'));
  });

  test('maps columns and sets fields, over what a mapping file says', async () => {
    const mapping = file(
      'm.json',
      JSON.stringify({
        dataset: ONLINE,
        columns: { 'a=b': 'cash_wtl', Sum: 'cash_wtl' },
        blank: 'zero',
      }),
    );
    const path = file('a.csv', 'a=b;Sum;note;cash_deposit;funds_transfer\n1,5;4,5;x;;1');
    const options = [
      '--map',
      'Sum=total',
      '--map',
      'note=',
      '--set',
      'year=2024',
      '--decimal',
      ',',
    ];
    expect(await load(path, '--mapping', mapping, ...options)).toMatchObject({
      status: 0,
      err: '',
    });
    const { out } = await run('export', ONLINE, '--format', 'ndjson');
    expect(JSON.parse(out)).toEqual({
      year: '2024',
      cash_wtl: 1.5,
      cash_deposit: 0,
      funds_transfer: 1,
      total: 4.5,
    });
  });

  test('waits for another publisher, or gives up with a line', async () => {
    const path = years('a.csv', { 2023: 5 });
    const publisher = (await openStore(env.DATABASE_URL ?? '', catalogue)).publisher();
    let release = () => {};
    const held = publisher.transaction(() => new Promise<void>((resolve) => (release = resolve)));
    expect(await load(path, '--wait', '0s')).toEqual({
      status: 1,
      out: '',
      err: 'tenor: another publisher holds the database; gave up at once; nothing was published\n',
    });
    const told = await json('load', ONLINE, path, '--wait', '0s');
    expect(told).toEqual({
      status: 'refused',
      message: expect.stringMatching(/holds the database; gave up at once; nothing was published$/),
    });
    const waiting = started('load', ONLINE, path);
    // Only what waits says so; it is let go on when it has.
    const { value } = await waiting.stderr.getReader().read();
    expect(new TextDecoder().decode(value)).toBe(
      'tenor: waiting for another publisher to finish\n',
    );
    release();
    await held;
    publisher.close();
    expect(await waiting.exited).toBe(0);
    expect(await json('revisions')).toHaveLength(1);
  });

  test('names the user that the system knows where the environment names none', async () => {
    Object.assign(env, { USER: '', LOGNAME: '' });
    await load(years('a.csv', { 2023: 5 }));
    const known = Bun.spawnSync(['id', '-un']).stdout.toString().trim();
    expect(await json('revisions')).toMatchObject([{ author: known }]);
  });

  test('refuses a file that cannot be looked at in one line', async () => {
    const path = years('a.csv', { 2023: 5 });
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    const long = 'x'.repeat(300);
    const cases = [
      [join(path, 'x'), `${join(path, 'x')} does not exist`],
      [long, `${long} cannot be read: ENAMETOOLONG`],
      [loop, `${loop} cannot be read: ELOOP`],
    ] as const;
    for (const [name, said] of cases) {
      expect(await load(name)).toEqual({ status: 1, out: '', err: `tenor: ${said}\n` });
    }
  });

  test('refuses standard input that cannot be kept in one line', async () => {
    env.TMPDIR = join(folder, 'none');
    const child = started('load', ONLINE, '-', Bun.file(years('a.csv', { 2023: 5 })));
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toMatch(
      /^tenor: standard input cannot be kept in a temporary file: ENOENT.*see TMPDIR\n$/,
    );
  });

  test('used wrongly says so with exit status 2, and touches nothing', async () => {
    const path = years('a.csv', { 2023: 5 });
    const other = file('other.json', '{"dataset": "quotes"}');
    const wrong = file('wrong.json', '{"colums": {}}');
    const uses: [string[], string][] = [
      [[], 'a dataset is required; the datasets are quotes, fund-allocation, '],
      [['qoutes', path], 'there is no dataset "qoutes"; the datasets are quotes, '],
      [[ONLINE], 'a FILE is required, or - for standard input'],
      [[ONLINE, '-', '-'], '- means standard input, which can be read only once'],
      [
        [ONLINE, path, '--format', 'xls'],
        '--format must be "csv" or "tsv" or "json" or "ndjson" or "xlsx" or "parquet", not "xls"',
      ],
      [[ONLINE, path, '--decimal', ';'], '--decimal must be "." or ",", not ";"'],
      [[ONLINE, path, '--periods', 'rbi'], '--periods must be "sbp", not "rbi"'],
      [[ONLINE, path, '--dates', 'ymd'], '--dates must be "dmy" or "mdy", not "ymd"'],
      [[ONLINE, path, '--blank', 'one'], '--blank must be "zero" or "absent", not "one"'],
      [[ONLINE, path, '--header-row', '0'], '--header-row must be a whole number from 1'],
      [[ONLINE, path, '--map', 'year'], '--map must be NAME=WHAT, not "year"'],
      [[ONLINE, path, '--wait', 'long'], '--wait must be a time such as 30s or 10min'],
      [[ONLINE, path, '--author', ' '], '--author must be text without control characters'],
      [[ONLINE, path, '--mapping', other], `the mapping is for quotes, not for ${ONLINE}`],
      [
        [ONLINE, path, '--mapping', wrong],
        `${wrong}: "colums" is not known; it may hold dataset, `,
      ],
      [[ONLINE, path, '--mapping', `${wrong}x`], `--mapping ${wrong}x: ENOENT`],
      [
        [ONLINE, path, '--colour'],
        "Unknown option '--colour'; tenor load --help shows the options\n",
      ],
    ];
    const ended = await Promise.all(uses.map(([args]) => run('load', ...args)));
    for (const [at, [, said]] of uses.entries()) {
      expect(ended[at]).toMatchObject({ status: 2, out: '' });
      expect(ended[at]?.err).toStartWith(`tenor: ${said}`);
    }
    expect(existsSync(join(folder, 'x.db'))).toBe(false);
  });
});

describe('tenor retire', () => {
  test('takes records out by their keys, all or none', async () => {
    await publish(years('a.csv', { 2022: 4, 2023: 5, 2024: 6 }));
    expect(await run('retire', ONLINE, '2023', '2021')).toEqual({
      status: 1,
      out: '',
      err: `tenor: ${ONLINE} has no record 2021; nothing was retired\n`,
    });
    expect(await run('retire', ONLINE, 'lately')).toEqual({
      status: 1,
      out: '',
      err: `tenor: "lately" is no key of ${ONLINE}: it must be a year such as 2024, FY24 or 2023-24\n`,
    });
    expect((await run('retire', ONLINE)).status).toBe(2);
    const counts = { added: 0, corrected: 0, retired: 2, unchanged: 0 };
    const rehearsed = await json('retire', ONLINE, 'FY23', '2022', '--dry-run');
    expect(rehearsed).toEqual({ status: 'rehearsed', revision: null, counts });
    const retired = await run('retire', ONLINE, 'FY23', '2022');
    expect(retired.out).toBe(
      'Published revision 2: 0 added, 0 corrected, 2 retired, 0 unchanged.\n',
    );
    expect((await run('export', ONLINE)).out).toBe(`${HEADER}\r\n2024,6,1,1,8\r\n`);
  });

  test('takes quotes out by date and symbol', async () => {
    await publish(file('q.json', JSON.stringify([quotes.example])), quotes);
    const wrong = await run('retire', 'quotes', 'ZZ12TB031226');
    expect(wrong.err).toBe(
      'tenor: "ZZ12TB031226" is no key of quotes: it must be DATE/SYMBOL, such as 2026-06-30/ZZ12TB031226\n',
    );
    expect(await json('retire', 'quotes', '2026-06-30/ZZ12TB031226')).toMatchObject({
      status: 'published',
      revision: { revision: 2, retired: 1 },
    });
  });
});

describe('history', () => {
  beforeEach(async () => {
    await publish(years('a.csv', { 2023: 5, 2024: 6 }));
    await publish(years('b.csv', { 2024: 7, 2025: 8 }));
  });

  test('is listed newest first, and shown one by one with old and new values', async () => {
    const { out } = await run('revisions', '--dataset', ONLINE, '--limit', '1');
    const [titles, newest, ...rest] = out.trimEnd().split('\n');
    expect(titles?.split(/ +/)).toEqual([
      'revision',
      'published',
      'dataset',
      'added',
      'corrected',
      'retired',
      'by',
      'source',
    ]);
    expect(newest).toMatch(new RegExp(`^2 +\\S+Z +${ONLINE} +1 +1 +0 +ann +b.csv$`));
    expect(rest).toEqual([]);
    const one = (await run('revisions', '2')).out.split('\n');
    expect(one[0]).toMatch(new RegExp(`^Revision 2 of ${ONLINE}, published \\S+Z by ann$`));
    expect(one.slice(1)).toEqual([
      'Source: b.csv',
      expect.stringMatching(/^File: b\.csv, \d+ bytes, SHA-256 [0-9a-f]{64}$/),
      '1 added, 1 corrected, 0 retired, 0 unchanged',
      'Read 2 records.',
      '',
      'corrected 2024',
      '  cash_wtl  6 → 7',
      '  total     8 → 9',
      'added 2025',
      '  cash_wtl 8, cash_deposit 1, funds_transfer 1, total 10',
      '',
    ]);
    expect(await json('revisions', '2', '--limit', '1')).toMatchObject({
      revision: 2,
      report: { records: 2 },
      changes: [{ change: 'corrected', old: { cash_wtl: 6 }, new: { cash_wtl: 7 } }],
    });
    expect((await run('revisions', '2', '--limit', '1')).out).toEndWith(
      '… and 1 more; use --limit to show them\n',
    );
  });

  test('is undone by a new revision, and that by another', async () => {
    expect((await run('revert', '2')).out).toBe(
      'Published revision 3: 0 added, 1 corrected, 1 retired, 0 unchanged.\n',
    );
    const { out: undone } = await run('export', ONLINE);
    expect(undone).toBe(`${HEADER}\r\n2024,6,1,1,8\r\n2023,5,1,1,7\r\n`);
    expect(await run('revert', '2')).toMatchObject({
      status: 1,
      err: 'tenor: revision 2 cannot be undone: its records were changed again by revision 3; revert the newest of these first\n',
    });
    const rehearsed = await json('revert', '3', '--dry-run');
    expect(rehearsed).toMatchObject({
      status: 'rehearsed',
      revision: null,
      counts: { added: 1, corrected: 1 },
    });
    expect(await json('revert', '3')).toMatchObject({
      status: 'published',
      revision: { revision: 4, source: 'revert of revision 3', added: 1, corrected: 1, retired: 0 },
    });
    expect((await run('export', ONLINE)).out).toBe(
      `${HEADER}\r\n2025,8,1,1,10\r\n2024,7,1,1,9\r\n2023,5,1,1,7\r\n`,
    );
    expect(await run('check', '--strict')).toEqual({
      status: 0,
      out: 'Checked 4 revisions, 7 records: 0 faults, 0 warnings.\n',
      err: '',
    });
  });

  test('is asked for by the number of a revision that there is', async () => {
    for (const command of ['revert', 'revisions']) {
      const [unknown, wrong] = await Promise.all([run(command, '9'), run(command, 'last')]);
      expect(unknown).toMatchObject({ status: 1, err: 'tenor: there is no revision 9\n' });
      expect(wrong).toMatchObject({
        status: 2,
        err: expect.stringContaining('tenor revisions lists them'),
      });
    }
  });

  test('is exported as of a revision, an instant or a day', async () => {
    const [second, first] = await json('revisions');
    const before = `${HEADER}\r\n2024,6,1,1,8\r\n2023,5,1,1,7\r\n`;
    const after = `${HEADER}\r\n2025,8,1,1,10\r\n2024,7,1,1,9\r\n2023,5,1,1,7\r\n`;
    const asOf = async (when: string) => run('export', ONLINE, '--as-of', when);
    const cases = [
      ['1', before],
      ['2', after],
      ['0', `${HEADER}\r\n`],
      [first.publishedAt, before],
      [second.publishedAt, after],
      [second.publishedAt.slice(0, 10), after],
      ['2001-01-01', `${HEADER}\r\n`],
      ['2001-01-01T05:00:00+05:00', `${HEADER}\r\n`],
    ] as const;
    const ended = await Promise.all(cases.map(([when]) => asOf(when)));
    expect(ended.map(({ out }) => out)).toEqual(cases.map(([, expected]) => expected));
    expect(await asOf('3')).toMatchObject({
      status: 1,
      out: '',
      err: 'tenor: there is no revision 3 yet; the newest is 2\n',
    });
    expect(await asOf('yesterday')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--as-of must be'),
    });
  });
});

test('a fund that gets a period shows its values by date, not by place', async () => {
  const fund = (dates: string[], cash: number[]) => ({
    ...fundAllocation.example,
    periods: dates.map((date) => ({ label: `to ${date}`, date })),
    rows: [
      { label: 'cash', values: cash },
      { label: 'bills', values: cash.map((value) => 100 - value) },
    ],
  });
  const [older, newer] = ['2024-01-31', '2024-02-29'];
  const first = fund([newer, older], [40, 50]);
  const second = fund(['2024-03-31', newer, older], [30, 40, 55]);
  await publish(file('a.json', JSON.stringify([first])), fundAllocation);
  await publish(file('b.json', JSON.stringify([second])), fundAllocation);
  const lines = (await run('revisions', '2')).out.trimEnd().split('\n');
  expect(lines.slice(lines.indexOf('') + 1)).toEqual([
    `corrected ${first.fund_id}`,
    '  periods › 2024-03-31       – → "to 2024-03-31"',
    '  rows › cash › 2024-03-31   – → 30',
    '  rows › cash › 2024-01-31   50 → 55',
    '  rows › bills › 2024-03-31  – → 70',
    '  rows › bills › 2024-01-31  50 → 45',
  ]);
  await run('retire', 'fund-allocation', first.fund_id);
  const retired = (await run('revisions', '3')).out.trimEnd().split('\n').slice(-2);
  expect(retired).toEqual([
    `retired ${first.fund_id}`,
    `  created "2023-08-08T09:00:00Z", modified "2026-07-08T09:00:00Z", frequency "monthly", periods [{"label":"to 2024-03-31","date":"2024-03-31"},{"label":"to…, rows [{"label":"cash","values":[30,40,55]},{"label":"bills","val…`,
  ]);
});

test('with --json every refusal is told to programs as well', async () => {
  await publish(years('a.csv', { 2023: 5 }));
  const wrong = file('wrong.json', '{"colums": {}}');
  const cases: [string[], number][] = [
    [['revert', '999'], 1],
    [['revert', 'last'], 2],
    [['retire', ONLINE, '1999'], 1],
    [['retire', ONLINE], 2],
    [['load', ONLINE, join(folder, 'none.csv')], 1],
    [['load', ONLINE, join(folder, 'a.csv'), '--mapping', wrong], 2],
    [['load', ONLINE, join(folder, 'a.csv'), '--colour'], 2],
    [['load', ONLINE, years('b.csv', { 2024: 'x' })], 1],
  ];
  const ended = await Promise.all(cases.map(([args]) => run(...args, '--json')));
  for (const [index, [, status]] of cases.entries()) {
    const { out, err, ...rest } = ended[index] ?? { out: '', err: '' };
    expect(rest).toEqual({ status });
    const told = JSON.parse(out);
    expect(told.status).toBe('refused');
    // They run at once, so that one may have waited for another.
    expect(err).toEndWith(`tenor: ${told.message}\n`);
  }
});

describe('tenor export', () => {
  const yearOf = (year: string, cash: number) => ({
    year,
    cash_wtl: cash,
    cash_deposit: 1,
    funds_transfer: 1,
    total: cash + 2,
  });

  test('writes every format to a file, and what it writes loads back to the same records', async () => {
    await publish(years('a.csv', { 2023: 5.25, 2024: 6 }));
    const funds = 'fund,period,class,value\nA,Jun 2026,Cash,10\nA,Jun 2026,Bills,90\n';
    await publish(file('f.csv', funds), fundAllocation);
    const { out } = await run('export', 'fund-allocation', '--format', 'json');
    const expected = new Map<Dataset, AnyRecord[]>([
      [online, [yearOf('2024', 6), yearOf('2023', 5.25)]],
      [fundAllocation, JSON.parse(out)],
    ]);
    const suffixes = ['csv', 'tsv', 'json', 'ndjson', 'xlsx', 'parquet', 'csv.gz', 'json.zst'];
    const wanted = [
      ...suffixes.map((suffix) => [online, suffix] as const),
      ...['csv', 'ndjson', 'parquet'].map((suffix) => [fundAllocation, suffix] as const),
    ];
    const pathOf = (dataset: Dataset, suffix: string) => join(folder, `${dataset.name}.${suffix}`);
    const ended = await Promise.all(
      wanted.map(([dataset, suffix]) => run('export', dataset.name, '-o', pathOf(dataset, suffix))),
    );
    for (const [index, [dataset, suffix]] of wanted.entries()) {
      expect(ended[index]).toEqual({ status: 0, out: '', err: '' });
      const path = pathOf(dataset, suffix);
      const desk = await createLoadWorkspace();
      await desk.load(dataset, relative(desk.folder, path));
      expect(await desk.readRecords(dataset)).toEqual(expected.get(dataset) ?? []);
      await desk.close();
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('writes the same to standard output', async () => {
    await publish(years('a.csv', { 2023: 5.25 }));
    const path = join(folder, 'b.tsv');
    await run('export', ONLINE, '-o', path);
    const { out } = await run('export', ONLINE, '--format', 'tsv');
    expect(out).toBe(`${HEADER.replaceAll(',', '\t')}\n2023\t5.25\t1\t1\t7.25\n`);
    expect(readFileSync(path, 'utf8')).toBe(out);
  });

  test('refuses a format, a dataset or a place that is not there', async () => {
    const [format, dataset, place] = await Promise.all([
      run('export', ONLINE, '--format', 'xls'),
      run('export', 'all'),
      run('export', ONLINE, '-o', join(folder, 'none', 'a.csv')),
    ]);
    expect(format).toMatchObject({
      status: 2,
      err: expect.stringContaining('--format must be one of csv, tsv'),
    });
    expect(dataset).toMatchObject({
      status: 2,
      err: expect.stringContaining('there is no dataset "all"'),
    });
    expect(place).toMatchObject({
      status: 1,
      err: expect.stringContaining('tenor: cannot write '),
    });
  });
});

describe('standard output', () => {
  const shell = (command: string) => {
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', command], {
      cwd: ROOT,
      env: { ...process.env, ...env },
    });
    return { status: exitCode, err: stderr.toString() };
  };

  test.skipIf(!existsSync('/dev/full'))('that is full is told, with exit status 1', async () => {
    await publish(years('a.csv', { 2023: 5 }));
    for (const command of [`export ${ONLINE}`, 'check', 'revisions --json']) {
      expect(shell(`bin/tenor ${command} > /dev/full`)).toEqual({
        status: 1,
        err: expect.stringMatching(/^tenor: cannot write to standard output: ENOSPC.*\n$/),
      });
    }
  });

  test('that nobody reads any more is no failure', async () => {
    await publish(years('a.csv', { 2023: 5 }));
    const { err } = shell(`{ bin/tenor export ${ONLINE}; echo "status $?" >&2; } | true`);
    expect(err).toBe('status 0\n');
  });
});

describe('tenor check', () => {
  test('refuses a database that is not there, and makes none', async () => {
    expect(await run('check')).toEqual({
      status: 1,
      out: '',
      err: `tenor: cannot use ${join(folder, 'x.db')} as the database: it does not exist\n`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('tells of an index and a view that are gone, and mends neither', async () => {
    await publish(years('a.csv', { 2023: 5 }));
    using database = new Database(join(folder, 'x.db'));
    database.run('DROP INDEX quotes_now_by_isin');
    database.run('DROP VIEW quotes');
    for (const _ of [1, 2]) {
      const { status, out } = await run('check');
      expect(status).toBe(1);
      expect(out).toContain('Fault: structure: index quotes_now_by_isin is missing\n');
      expect(out).toContain('Fault: structure: view quotes is missing\n');
    }
  });

  test('finds a record that was altered behind its back, and says so with exit status 1', async () => {
    await publish(years('a.csv', { 2023: 5, 2024: 6 }));
    expect(await run('check')).toMatchObject({ status: 0 });
    using database = new Database(join(folder, 'x.db'));
    database.run(
      `UPDATE online_banking_annual_volume_now SET record = replace(record, '"cash_wtl":5', '"cash_wtl":9')`,
    );
    const { status, out, err } = await run('check');
    expect(status).toBe(1);
    expect(out).toContain(
      'Fault: revision 1: its checksum does not match: the ledger or a record was altered',
    );
    expect(err).toBe('tenor: the database is damaged: 1 fault\n');
    const told = await json('check');
    expect(told).toMatchObject({ revisions: 1, rows: 2, faultCount: 1 });
  });

  test('counts what does not add up, and fails for it only when strict', async () => {
    await publish(file('a.csv', `${HEADER}\n2024,1,1,1,9\n`));
    const [lenient, strict] = await Promise.all([run('check'), run('check', '--strict')]);
    expect(lenient).toMatchObject({ status: 0, err: '' });
    expect(lenient.out).toContain('Warning parts-off-total (1)');
    expect(strict).toMatchObject({
      status: 1,
      err: 'tenor: 1 warning\n',
    });
    expect(lenient.out).toEndWith('Checked 1 revision, 1 record: 0 faults, 1 warning.\n');
  });
});

test('every command tells how it is used', async () => {
  const names = ['load', 'retire', 'revert', 'revisions', 'check', 'export'];
  const helps = await Promise.all(names.map((name) => run(name, '--help')));
  for (const [index, { status, out, err }] of helps.entries()) {
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toStartWith(`tenor ${names[index]}`);
    expect(out).toContain('--help');
  }
});

test('a correction is on a running server within a second, the past is still there, and a revert brings it back', async () => {
  await publish(years('a.csv', { 2024: 6 }));
  const server = await startTenorServer({ ...env, SAMPLE_DATA: 'off', API_TOKEN: 'secret' });
  try {
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const sent = { authorization: 'Bearer secret', ...headers };
      const response = await fetch(server.address + path, { headers: sent });
      // biome-ignore lint/suspicious/noExplicitAny: what a body holds is what the test finds out
      return { headers: response.headers, body: (await response.json()) as any };
    };
    const cash = async (headers = {}) => {
      const { body } = await ask(`/3.0/alternate/${ONLINE}`, headers);
      return body.data.map(({ cash_wtl }: { cash_wtl: number }) => cash_wtl);
    };
    expect(await cash()).toEqual([6]);
    await load(years('b.csv', { 2024: 7 }));
    await retryUntil(1_000, async () => expect(await cash()).toEqual([7]));
    const [, { publishedAt }] = await json('revisions');
    const then = { 'accept-datetime': publishedAt };
    expect(await cash(then)).toEqual([6]);
    const past = await ask(`/3.0/alternate/${ONLINE}`, then);
    expect(past.headers.get('tenor-revision')).toBe('1');

    const { body } = await ask('/revisions');
    expect(
      body.data.map(({ revision, source }: { revision: number; source: string }) => [
        revision,
        source,
      ]),
    ).toEqual([
      [2, 'b.csv'],
      [1, 'a.csv'],
    ]);
    await run('revert', '2');
    await retryUntil(1_000, async () => expect(await cash()).toEqual([6]));
  } finally {
    await server.stop('SIGKILL');
  }
});
