import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../../../src/catalogue/datasets/fund-allocation.ts';
import { catalogue } from '../../../../src/catalogue/index.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { publishAt } from '../../../support/publish-at.ts';
import { runTenorProcess } from '../../../support/run-tenor.ts';
import { describeEnd, IN_ORDER, openTerminal } from '../../../support/terminal.ts';
import {
  CSV_HEADER,
  createTerminalWorkspace,
  SERIES,
} from '../../../support/terminal-workspace.ts';

const createFolder = createTerminalWorkspace();

const BAR = /[█░]+ +\d+ %/;

/** Runs a load of one record, where `"$OUT"` is a file that the shell may redirect to. */
async function load(options: { columns?: number; shell?: string; TERM?: string } = {}) {
  const { folder, env, writeFile } = createFolder();
  const file = writeFile('years.csv', `${CSV_HEADER}\n1942,5,1,1,7\n`);
  const { TERM = 'xterm', ...terminalOptions } = options;
  const out = join(folder, 'out');
  using terminal = openTerminal(['load', SERIES, file, '--json'], {
    ...terminalOptions,
    env: { ...env, OUT: out, TERM },
  });
  const { screen } = await terminal.wait();
  return { screen, readOut: () => readFileSync(out, 'utf8') };
}

describe('the progress bar of tenor load', () => {
  test('is drawn on one line, and cleared before the result', async () => {
    const { screen } = await load();
    const [bar = '', result = ''] = screen.split('\r\u001b[K');
    // A slow load draws it several times.
    expect(bar).toMatch(/^(\r█{30} 100 %)+$/);
    expect(JSON.parse(result)).toMatchObject({ status: 'published' });
  });

  test.each([40, 20, 6])('fits a terminal of %d columns', async (columns) => {
    const { screen } = await load({ columns });
    const [bar = ''] = screen.split('\r\u001b[K');
    expect(bar).toContain(' 100 %');
    for (const drawn of bar.split('\r'))
      expect(Bun.stringWidth(drawn.trim())).toBeLessThan(columns);
  });

  test('is not drawn on a terminal that cannot redraw a line', async () => {
    expect((await load({ TERM: 'dumb' })).screen).not.toMatch(BAR);
  });

  test('is on the terminal while standard output goes elsewhere', async () => {
    const { screen, readOut } = await load({ shell: '"$@" | cat > "$OUT"' });
    expect(screen).toMatch(BAR);
    expect(screen).toEndWith('\r\u001b[K');
    expect(JSON.parse(readOut())).toMatchObject({ status: 'published' });
  });

  test('is not drawn if standard error goes elsewhere', async () => {
    const { screen, readOut } = await load({ shell: '"$@" 2> "$OUT"' });
    expect(readOut()).toBe('');
    expect(JSON.parse(screen)).toMatchObject({ status: 'published' });
  });
});

describe('tenor query with a part of its output on a terminal', () => {
  const args = ['query', 'quotes', 'from=2000-01-01', 'limit=1'];
  const NOTE = 'tenor: showing 1 of 5 records; use --all for all';

  test('writes the note to the terminal and a plain table to a pipe', async () => {
    const { folder, env } = createFolder();
    const out = join(folder, 'out');
    const shell = '"$@" | cat > "$OUT"';
    using terminal = openTerminal(args, { columns: 40, env: { ...env, OUT: out }, shell });
    expect((await terminal.wait()).screen).toBe(`${NOTE}\r\n`);
    const table = readFileSync(out, 'utf8');
    expect(table).not.toContain('\u001b');
    // A pipe has no width.
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBeGreaterThan(100);
    expect(table).toBe((await runTenorProcess(args, env)).out);
  });

  test('writes a styled table to the terminal and the note to a file', async () => {
    const { folder, env } = createFolder();
    const out = join(folder, 'out');
    using terminal = openTerminal(args, { env: { ...env, OUT: out }, shell: '"$@" 2> "$OUT"' });
    const { screen } = await terminal.wait();
    expect(screen).toContain('\u001b[1mBill and bond quotes\u001b[0m');
    expect(describeEnd(screen)).toEqual(IN_ORDER);
    expect(readFileSync(out, 'utf8')).toBe(`${NOTE}\n`);
  });

  test('ends when a pager or head has read enough', async () => {
    const { env } = createFolder();
    using terminal = openTerminal(['export', 'quotes'], { env, shell: '"$@" | head -n 1' });
    const { screen, status } = await terminal.wait();
    expect(status).toBe(0);
    expect(screen.trimEnd().split('\n')).toHaveLength(1);
    expect(describeEnd(screen)).toEqual(IN_ORDER);
  });
});

test('tenor export escapes characters that a terminal would act on, there only', async () => {
  const { env } = createFolder();
  // As an older version accepted it.
  const records = [{ ...fundAllocation.example, frequency: 'monthly\u202e' }];
  const store = await openStore(env.DATABASE_URL ?? '', catalogue);
  await publishAt(store, '2026-01-01', fundAllocation, { records });
  const args = ['export', 'fund-allocation', '--format', 'ndjson'];
  using terminal = openTerminal(args, { env });
  expect((await terminal.wait()).screen).toContain('monthly\\u202e');
  expect((await runTenorProcess(args, env)).out).toContain('monthly\u202e');
});

test.each([
  ['command', ['\u001b[31mred']],
  ['dataset', ['load', '\u001b[31mred']],
  ['option', ['load', '--\u001b[31mred']],
  ['file', ['load', SERIES, '\u001b[31mred']],
])('an unknown %s is named without the escape sequences in it', async (_, args) => {
  const { err } = await runTenorProcess(args, createFolder().env);
  expect(err).not.toContain('\u001b');
  expect(err).toContain('\\u001b[31mred');
});
