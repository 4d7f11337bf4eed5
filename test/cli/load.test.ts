import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { BunFile } from 'bun';
import { runTenorProcess } from '../support/run-tenor.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { createPublishingWorkspace, HEADER, ONLINE } from './publishing-workspace.ts';

const { workspace, run, load, publish, readJson, writeFile, writeYears, open } =
  createPublishingWorkspace();

const ROOT = join(import.meta.dirname, '../..');

/** Starts the command, with a file as its standard input if there is one among the arguments. */
function startCommand(...args: (string | BunFile)[]) {
  const words = args.filter((arg) => typeof arg === 'string');
  const stdin = args.find((arg) => typeof arg !== 'string') ?? null;
  const settings = { ...process.env, ...workspace.env };
  const pipes = { stdin, stdout: 'pipe', stderr: 'pipe' } as const;
  return spawnChild([join(ROOT, 'bin/tenor'), ...words], { ...pipes, env: settings });
}

describe('tenor load', () => {
  test('publishes a file, prints the counts, and publishes nothing the second time', async () => {
    const path = writeYears('a.csv', { 2023: 5, 2024: 6 });
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
  });

  test('supports --dry-run, --replace, --author and --licence', async () => {
    await load(writeYears('a.csv', { 2023: 5, 2024: 6 }));
    const path = writeYears('b.csv', { 2024: 7 });
    const dryRun = await load(path, '--replace', '--retire-many', '--dry-run');
    expect(dryRun.out).toEndWith(
      'Dry run, nothing published. Would be: 0 added, 1 corrected, 1 retired, 0 unchanged.\n',
    );
    const licence = 'https://example.com/terms';
    await load(path, '--replace', '--retire-many', '--author', 'Bo Li', '--licence', licence);
    const revisions = await readJson('revisions');
    expect(revisions).toMatchObject([
      { revision: 2, author: 'Bo Li', added: 0, corrected: 1, retired: 1, unchanged: 0 },
      { revision: 1, author: 'ann', added: 2 },
    ]);
    expect((await readJson('revisions', '2')).options.options).toMatchObject({ licence });
  });

  test('runs the adapter that is named, whose options those of the command override', async () => {
    const source = `import { type OpenedDatabaseFile, onlineBankingAnnualVolume } from 'tenor';
      export const options = { dataset: onlineBankingAnnualVolume.name, decimal: '.', mute: ['parts-off-total'] };
      export default async function* (file: OpenedDatabaseFile) {
        console.log('reading', file.name);
        process.stdout.write('its table\\n');
        for await (const row of file.table(['Y']))
          yield { year: row.get('Y'), cash_wtl: row.get('C'), cash_deposit: 1, funds_transfer: 1, total: 3 };
      }`;
    const adapter = writeFile('adapter.ts', source);
    const path = writeFile('a.csv', 'Y;C\n2024;61,5\n');
    expect(await load(path, '--adapter', adapter)).toMatchObject({ status: 1, out: '' });
    // What the adapter prints is on the standard error of the process.
    const args = ['load', ONLINE, path, '--adapter', adapter, '--decimal', ','];
    expect(await runTenorProcess(args, workspace.env)).toMatchObject({
      status: 0,
      err: 'reading a.csv\nits table\n',
    });
    const sha256 = createHash('sha256').update(source).digest('hex');
    const { out } = await run('revisions', '1');
    expect(out).toContain(`Adapter: adapter.ts, SHA-256 ${sha256}\n`);
    expect(out).toContain('Muted: parts-off-total\n');
    expect(await load(path, '--adapter', adapter, '--map', 'Y=year')).toMatchObject({
      status: 2,
      err: 'tenor: --map has no effect with --adapter, which reads the columns itself\n',
    });
    expect((await run('load', 'quotes', path, '--adapter', adapter)).err).toBe(
      `tenor: the adapter is for ${ONLINE}, not for quotes\n`,
    );
  });

  test('replaces a year by a label of another kind only with --relabel', async () => {
    await publish(writeYears('a.csv', { 2024: 6 }));
    const path = writeYears('b.csv', { FY24: 6 });
    expect(await load(path)).toMatchObject({
      status: 3,
      err: expect.stringContaining('"FY24" must be a label of the same kind as "2024"'),
    });
    expect((await load(path, '--relabel')).out).toContain('0 added, 1 corrected');
  });

  test('rejects a file with exit status 1 and prints a line for each problem on standard error', async () => {
    const path = writeYears('a.csv', { 2023: 'x', 2024: '1e400', soon: 3 });
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
    expect(await readJson('revisions')).toEqual([]);
  });

  test('prints a cause of many problems once, with their number and the first five places', async () => {
    const path = writeYears(
      'a.csv',
      Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`y${index}`, 1])),
    );
    const { err } = await load(path);
    expect(err.split('\n')).toEqual([
      `${path} line 2, year: "y0" must be a year such as 2024, FY24 or 2023-24 (120 times: next at line 3, line 4, line 5, line 6)`,
      'tenor: nothing was published: 120 problems',
      '',
    ]);
  });

  test('prints the outcome, or the problems of a rejected file, as JSON with --json', async () => {
    const path = writeYears('a.csv', { 2023: 5 });
    const content = readFileSync(path);
    const counts = { added: 1, corrected: 0, retired: 0, unchanged: 0 };
    const emptyReport = { computed: {}, uncomputable: {}, terms: 0, skipped: [], warnings: [] };
    const report = { records: 1, ...emptyReport };
    const dryRun = await readJson('load', ONLINE, path, '--dry-run');
    const outcome = { status: 'rehearsed', dryRun: true, revision: null };
    expect(dryRun).toEqual({ ...outcome, counts, report });
    const published = await readJson('load', ONLINE, path);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(published).toEqual({
      status: 'published',
      dryRun: false,
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
    const again = await readJson('load', ONLINE, path);
    expect(again).toMatchObject({ status: 'unchanged', revision: null, counts: { unchanged: 1 } });
    const rejected = await readJson('load', ONLINE, writeYears('b.csv', { soon: 5 }));
    expect(rejected).toMatchObject({ status: 'refused', count: 1, report: { records: 1 } });
    expect(rejected.problems).toEqual([
      {
        file: join(workspace.folder, 'b.csv'),
        place: 'line',
        at: 2,
        field: 'year',
        value: 'soon',
        rule: 'a year such as 2024, FY24 or 2023-24',
      },
    ]);
  });

  test('publishes standard input and a file as one revision', async () => {
    const a = writeYears('a.csv', { 2023: 5 });
    const b = writeFile(
      'b.json',
      JSON.stringify([{ year: '2024', cash_wtl: 1, cash_deposit: 1, funds_transfer: 1, total: 3 }]),
    );
    const child = startCommand('load', ONLINE, '-', b, '--json', Bun.file(a));
    const { revision } = JSON.parse(await new Response(child.stdout).text());
    expect(revision).toMatchObject({ revision: 1, added: 2, source: 'standard input, b.json' });
    expect(revision.files[0].sha256).toBe(
      createHash('sha256').update(readFileSync(a)).digest('hex'),
    );
  });

  test('prints the first warnings of each rule, and rejects the file with --strict', async () => {
    const path = writeFile(
      'a.csv',
      `${HEADER}\n${[2020, 2021, 2022, 2023].map((year) => `${year},1,1,1,9`).join('\n')}\n`,
    );
    const strict = await load(path, '--strict');
    const formatWarnings = (name: string) =>
      [
        'Warning parts-off-total (4): the parts do not add up to the total, within 0.05 × (parts + 1) in the unit of the series',
        `  ${name} line 2, total: cash_wtl + cash_deposit + funds_transfer = 3, total says 9; off by 6, tolerance 0.2 (4 times: next at line 3, line 4, line 5)`,
      ].join('\n');
    const lines = formatWarnings(path);
    expect(strict).toMatchObject({ status: 1, out: '' });
    expect(strict.err).toContain(`${lines}\ntenor: nothing was published: 4 warnings\n`);
    const lenient = await load(path);
    expect(lenient).toMatchObject({ status: 0, err: '' });
    expect(lenient.out).toContain(lines);
    // The stored report has the name of the file without its folder.
    expect((await run('revisions', '1')).out).toContain(formatWarnings('a.csv'));
  });

  test('--map and --set override a mapping file', async () => {
    const mapping = writeFile(
      'm.json',
      JSON.stringify({
        dataset: ONLINE,
        columns: { 'a=b': 'cash_wtl', Sum: 'cash_wtl' },
        blank: 'zero',
      }),
    );
    const path = writeFile('a.csv', 'a=b;Sum;note;cash_deposit;funds_transfer\n1,5;4,5;x;;1');
    const options = '--map Sum=total --map note= --set year=2024 --decimal ,'.split(' ');
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

  test('fails with a message if another publisher holds the database after --wait', async () => {
    const path = writeYears('a.csv', { 2023: 5 });
    const publisher = (await open()).publisher();
    let release = () => {};
    const transaction = publisher.transaction(
      () => new Promise<void>((resolve) => (release = resolve)),
    );
    expect(await load(path, '--wait', '0s')).toEqual({
      status: 5,
      out: '',
      err: 'tenor: another publisher holds the database; gave up at once; nothing was published\n',
    });
    expect(await readJson('load', ONLINE, path, '--wait', '0s')).toEqual({
      status: 'refused',
      message: expect.stringMatching(/holds the database; gave up at once; nothing was published$/),
    });
    release();
    await transaction;
    publisher.close();
  });

  test('takes the author from the system if the environment names no user', async () => {
    Object.assign(workspace.env, { USER: '', LOGNAME: '' });
    await load(writeYears('a.csv', { 2023: 5 }));
    const user = Bun.spawnSync(['id', '-un']).stdout.toString().trim();
    expect(await readJson('revisions')).toMatchObject([{ author: user }]);
  });

  test('rejects a path that cannot be read with one line', async () => {
    const path = writeYears('a.csv', { 2023: 5 });
    const loop = join(workspace.folder, 'loop');
    symlinkSync(loop, loop);
    const long = 'x'.repeat(300);
    const cases = [
      [join(path, 'x'), `${join(path, 'x')} does not exist`],
      [long, `${long} cannot be read: ENAMETOOLONG`],
      [loop, `${loop} cannot be read: ELOOP`],
    ] as const;
    for (const [name, message] of cases) {
      expect(await load(name)).toEqual({ status: 1, out: '', err: `tenor: ${message}\n` });
    }
  });

  test('rejects standard input that cannot be written to a temporary file', async () => {
    workspace.env.TMPDIR = join(workspace.folder, 'none');
    const child = startCommand('load', ONLINE, '-', Bun.file(writeYears('a.csv', { 2023: 5 })));
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toMatch(
      /^tenor: standard input cannot be kept in a temporary file: ENOENT.*see TMPDIR\n$/,
    );
  });

  test('rejects invalid arguments with exit status 2 and creates no database', async () => {
    rmSync(join(workspace.folder, 'x.db'));
    const path = writeYears('a.csv', { 2023: 5 });
    const other = writeFile('other.json', '{"dataset": "quotes"}');
    const invalid = writeFile('invalid.json', '{"colums": {}}');
    const cases: [string[], string][] = [
      [[], 'a dataset is required; the datasets are quotes, fund-allocation, '],
      [
        ['qoutes', path],
        'there is no dataset "qoutes" (did you mean quotes?); the datasets are quotes, ',
      ],
      [[ONLINE], 'a FILE is required, or - for standard input'],
      [[ONLINE, '-', '-'], '- means standard input, which can be read only once'],
      [
        [ONLINE, path, '--format', 'xls'],
        '--format must be "csv" or "tsv" or "json" or "ndjson" or "xlsx" or "parquet", not "xls"',
      ],
      [[ONLINE, path, '--decimal', ';'], '--decimal must be "." or ",", not ";"'],
      [[ONLINE, path, '--periods', 'rbi'], '--periods must be "sbp", not "rbi"'],
      [[ONLINE, path, '--dates', 'ymd'], '--dates must be "dmy" or "mdy" or "serial", not "ymd"'],
      [[ONLINE, path, '--blank', 'one'], '--blank must be "zero" or "absent", not "one"'],
      [[ONLINE, path, '--header-row', '0'], '--header-row must be a whole number from 1'],
      [
        ['quotes', path, '--settlement-days', '6'],
        '--settlement-days must be a whole number from 0 to 5, not "6"',
      ],
      [
        [ONLINE, path, '--settlement-days', '2'],
        `--settlement-days has no effect on ${ONLINE}: only quotes settle`,
      ],
      [[ONLINE, path, '--map', 'year'], '--map must be NAME=VALUE, not "year"'],
      [[ONLINE, path, '--wait', 'long'], '--wait must be a time such as 30s or 10min'],
      [[ONLINE, path, '--author', ' '], '--author must be text without control characters'],
      [
        [ONLINE, path, '--licence', 'free for all'],
        '--licence must be an identifier such as CC-BY-4.0, or an http(s) URL',
      ],
      [[ONLINE, path, '--mapping', other], `the mapping is for quotes, not for ${ONLINE}`],
      [
        [ONLINE, path, '--mapping', invalid],
        `${invalid}: "colums" is not known; it may hold dataset, `,
      ],
      [[ONLINE, path, '--mapping', `${invalid}x`], `--mapping ${invalid}x does not exist\n`],
      [
        [ONLINE, path, '--create', '--dry-run'],
        '--create and --dry-run cannot be combined; run tenor migrate first\n',
      ],
      [
        [ONLINE, path, '--colour'],
        "Unknown option '--colour'; tenor load --help shows the options\n",
      ],
    ];
    const results = await Promise.all(cases.map(([args]) => run('load', ...args)));
    for (const [index, [, message]] of cases.entries()) {
      expect(results[index]).toMatchObject({ status: 2, out: '' });
      expect(results[index]?.err).toStartWith(`tenor: ${message}`);
    }
    expect(existsSync(join(workspace.folder, 'x.db'))).toBe(false);
  });
});
