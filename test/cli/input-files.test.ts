import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { runTenor } from '../support/run-tenor.ts';
import { createEmptyDatabase, createTempFolder } from '../support/store.ts';
import { formatYears } from './publishing-workspace.ts';

let folder: string;
beforeAll(async () => {
  folder = createTempFolder();
  await createEmptyDatabase(join(folder, 'x.db'));
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'years.csv'), formatYears({ 2024: 5 }));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], settings: Record<string, string> = {}) =>
  runTenor(args, { DATABASE_URL: 'sqlite:x.db', ...settings }, { cwd: folder, isRejected: true });

const LOAD = ['load', online.name, 'years.csv'];
const QUERY = ['query', 'quotes', '--url', 'http://127.0.0.1:9'];
const VERIFY = ['verify', 'http://127.0.0.1:9'];

test.each<[string, string[], Record<string, string>?]>([
  ['', ['load', online.name, 'FILE']],
  ['--mapping ', [...LOAD, '--mapping', 'FILE']],
  ['', [...LOAD, '--adapter', 'FILE']],
  ['', ['dataset', 'declare', 'FILE']],
  ['', ['inspect', 'FILE']],
  ['--token-file ', [...QUERY, '--token-file', 'FILE']],
  ['TLS_CERT ', ['serve'], { TLS_CERT: 'FILE', TLS_KEY: 'FILE' }],
])('%s%j names the file that is missing or is a folder', async (option, args, settings = {}) => {
  for (const [file, problem] of [
    ['none.json', 'none.json does not exist'],
    ['folder', 'folder is a folder'],
  ] as const) {
    const variables = Object.keys(settings).map((name) => [name, file]);
    const named = args.map((arg) => (arg === 'FILE' ? file : arg));
    const { status, err } = await run(named, Object.fromEntries(variables));
    expect(err).toBe(`tenor: ${option}${problem}\n`);
    expect(status).toBeGreaterThan(0);
  }
});

test('tenor verify names a state that is a folder', async () => {
  const { status, err } = await run([...VERIFY, '--state', 'folder'], { TENOR_TOKEN: 'x' });
  expect([status, err]).toEqual([2, 'tenor: --state folder is a folder\n']);
});

test.each(['text.parquet', 'text.XLSX', 'text.json'])(
  'tenor load says of text without columns that is named %s that it is CSV',
  async (name) => {
    writeFileSync(join(folder, name), 'hello world\n');
    const { status, err } = await run(['load', online.name, name]);
    const problem = `${name} has no line that names the columns; line 1 has hello world; `;
    expect([status, err]).toEqual([
      1,
      `tenor: ${problem}--header-row and --map help; by what is in it, it is CSV\n`,
    ]);
    expect((await run(['inspect', name])).out).toStartWith(`${name}: CSV, utf-8`);
  },
);
