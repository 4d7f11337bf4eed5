import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTenor } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const folder = createTempFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'years.csv');
writeFileSync(file, 'Year,Cash Withdrawals,Cash Deposits,Total\n2024,1,2,3\n2023,1,2,3\n');
const inspect = (...args: string[]) => runTenor(['inspect', file, ...args]);
const SERIES = 'online-banking-annual-volume';

test('inspect writes a start once, and over a file only with --replace', async () => {
  const mapping = join(folder, 'start.json');
  const args = ['--for', SERIES, '--write', mapping];
  const first = await inspect(...args);
  expect(first).toMatchObject({ status: 0, err: '' });
  expect(first.out).toContain('Missing in the file: funds_transfer; add a constant');
  expect(JSON.parse(readFileSync(mapping, 'utf8'))).toMatchObject({
    dataset: SERIES,
    columns: { Year: 'year', 'Cash Withdrawals': 'cash_wtl', Total: 'total' },
  });
  writeFileSync(mapping, 'mine');
  const second = await inspect(...args);
  expect(second).toMatchObject({
    status: 2,
    err: `tenor: ${mapping} exists; use --replace to replace it\n`,
  });
  expect(readFileSync(mapping, 'utf8')).toBe('mine');
  expect(await inspect(...args, '--replace')).toMatchObject({ status: 0 });
  expect(readFileSync(mapping, 'utf8')).toStartWith('{');
});

test('inspect describes a file as JSON, with a start for a dataset', async () => {
  const { out, status } = await inspect('--for', SERIES, '--json');
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    format: 'csv',
    sheets: [{ rowCount: 2, headers: [{ positions: [1] }] }],
    start: { kind: 'mapping', missing: ['funds_transfer'] },
  });
});

describe('inspect of a file with more rows than it looks at', () => {
  const RECORDS = Array.from({ length: 3_000 }, (_, index) => ({ year: '2024', cash_wtl: index }));
  const LINES = RECORDS.map((record) => JSON.stringify(record)).join('\n');
  const ROWS = RECORDS.map(({ year, cash_wtl }) => `${year},${cash_wtl}`).join('\n');

  test.each([
    [
      'a.ndjson',
      LINES,
      'It has 3,000 records; the first 2,000 are described.',
      { records: { count: 3_000, sampledCount: 2_000 } },
    ],
    [
      'a.json',
      `[${LINES.replaceAll('\n', ',')}]`,
      'Objects at *: 3,000\n  * is any index\n  members by the first 2,000:',
      { shapes: [{ count: 3_000, sampledCount: 2_000 }] },
    ],
    [
      'a.csv',
      `year,cash_wtl\n${ROWS}\n`,
      'Table: 3,000 rows, 2 columns\n  header: 1\n  columns by 1,999 of the rows, the first and the last:',
      { sheets: [{ rowCount: 3_000, sampledRows: 1_999 }] },
    ],
    [
      'two.csv',
      `year,cash_wtl\n${ROWS}\n\nbank,cash_deposit\nA,1\nB,2\n`.replace(ROWS, '2024,1\n2023,2'),
      'another table below 3\n  columns by 2 of the rows, those above:',
      { sheets: [{ rowCount: 5, sampledRows: 2 }] },
    ],
  ])('says so in both outputs and in a start: %s', async (name, content, text, json) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    const { out } = await runTenor(['inspect', path, '--for', SERIES]);
    expect(out).toContain(text);
    const result = JSON.parse((await runTenor(['inspect', path, '--for', SERIES, '--json'])).out);
    expect(result).toMatchObject(json);
    expect(result.start.notes).toContain('Judged by some of the rows, not by all.');
    expect(result.start.text).toContain('Judged by some of the rows, not by all.');
  });

  test('says nothing of it for a file that it looks at completely', async () => {
    const { out } = await inspect('--for', SERIES);
    expect(out).not.toMatch(/Judged by|columns by|are described/);
  });
});

test('inspect names how many kinds of objects it does not show', async () => {
  const path = join(folder, 'kinds.json');
  const kinds = Array.from({ length: 10 }, (_, index) => [`kind${index}`, [{ [`n${index}`]: 1 }]]);
  writeFileSync(path, JSON.stringify(Object.fromEntries(kinds)));
  const { out } = await runTenor(['inspect', path]);
  expect(out).toContain('\n… and objects at 2 more paths\n');
});

test('inspect ends with a command that a shell runs as it stands', async () => {
  const path = join(folder, "it's eod(1) & $more.csv");
  const start = join(folder, 'my start.json');
  writeFileSync(path, 'year,cash_wtl\n2024,1\n');
  const { out } = await runTenor(['inspect', path, '--for', SERIES, '--write', start]);
  const command = /^Then: tenor (.*)$/m.exec(out)?.[1] ?? '';
  const words = Bun.spawnSync(['sh', '-c', `printf '%s\\n' ${command}`]).stdout.toString();
  expect(words.trim().split('\n')).toEqual([
    ...['load', SERIES, path, '--mapping', start, '--dry-run'],
  ]);
});

test('inspect lists in both outputs what a start does not use, and what is a guess', async () => {
  const path = join(folder, 'notes of years.csv');
  writeFileSync(path, 'Table 1\nYear,Cash Withdrawals,Cards\n2024,1,2\n2023,1,2\nSource: me,,\n');
  const { out } = await runTenor(['inspect', path, '--for', SERIES]);
  expect(out).toContain('Table: 3 rows, 3 columns');
  expect(out).toContain(
    [
      'To check: cash_wtl is Cash Withdrawals.',
      'Not used: columns Cards.',
      'Not used: rows 1 (Table 1), 5 (Source: me).',
      '',
    ].join('\n'),
  );
  expect(out).toEndWith(`Then: tenor load ${SERIES} '${path}' --adapter start.ts --dry-run\n`);
  const json = await runTenor(['inspect', path, '--for', SERIES, '--json']);
  expect(JSON.parse(json.out).start).toMatchObject({
    notes: expect.arrayContaining(['Not used: columns Cards.']),
    unused: {
      sheets: [],
      objects: [],
      columns: ['Cards'],
      rows: ['1 (Table 1)', '5 (Source: me)'],
    },
  });
});

test('inspect says nothing but that a file needs an adapter, if a mapping is asked for', async () => {
  const path = join(folder, 'wide.csv');
  writeFileSync(path, 'Item,2022,2023\nCash withdrawals,1,2\nTotal,3,4\n');
  const target = join(folder, 'wide.json');
  const result = await runTenor(['inspect', path, '--for', SERIES, '--write', target]);
  const reason = 'because the periods are across the columns';
  expect(result).toMatchObject({
    status: 2,
    out: '',
    err: `tenor: this file needs an adapter, ${reason}: --write ${target.replace('.json', '.ts')}\n`,
  });
  expect(existsSync(target)).toBe(false);
});

test('inspect does not say that a mapping suffices if no column is named like a field', async () => {
  const { out } = await inspect('--for', 'quotes');
  expect(out).toContain('\nFor quotes: nothing is named like a field.\n');
  expect(out).toContain('To decide: dataset: no column has the name of a field of quotes; is it');
});

test.each([
  [['--write', 'a.ts'], 2, '--write needs --for DATASET'],
  [['--for', SERIES, '--write', 'a.txt'], 2, '--write takes a FILE that ends in .json'],
  [['--replace'], 2, '--replace needs --write FILE'],
  [['--encoding', 'ebcdic'], 2, '--encoding must be "utf-8" or'],
  [['--for', 'quote'], 2, 'there is no dataset "quote"'],
])('inspect rejects %p in one line', async (args, status, message) => {
  const result = await inspect(...args);
  expect(result.status).toBe(status);
  expect(result.err).toContain(message);
  expect(result.err.trim().split('\n')).toHaveLength(1);
});
