import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore, StoreUnusableError } from '../../src/store/open-store.ts';
import { createTempFolder } from '../support/store.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = createTempFolder();
  path = join(folder, 'x.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openStore(`sqlite:${path}`, catalogue);

/** Opening throws an error of one line, and does not change the file. */
async function expectRejected(reason: RegExp): Promise<void> {
  const before = readFileSync(path);
  await expect(open()).rejects.toThrow(StoreUnusableError);
  await expect(open()).rejects.toThrow(reason);
  await expect(open()).rejects.toThrow(/^[^\n]*$/);
  await expect(open()).rejects.toThrow(path);
  expect(readFileSync(path).equals(before)).toBe(true);
}

function executeSql(statement: string): void {
  using database = new Database(path);
  database.run(statement);
}

describe('opening a SQLite file', () => {
  test('creates the database and its folders, and leaves nothing else', async () => {
    path = join(folder, 'deep', 'er', 'x.db');
    await open();
    expect(readdirSync(join(folder, 'deep', 'er'))).toEqual(['x.db']);
    await open();
  });

  test.each<[string, RegExp, () => void]>([
    ['an empty file', /empty/, () => writeFileSync(path, '')],
    [
      'a file that is not a SQLite database',
      /not a SQLite database/,
      () => writeFileSync(path, 'date,symbol\n2026-01-01,X\n'.repeat(50)),
    ],
    [
      'a database of another application',
      /not Tenor's/,
      () => executeSql('CREATE TABLE notes (text)'),
    ],
  ])('rejects %s', async (_, reason, createFile) => {
    createFile();
    await expectRejected(reason);
  });

  test.each([0.9, 0.5, 0.1])('rejects a file truncated to %d of its size', async (part) => {
    await open();
    truncateSync(path, Math.floor(statSync(path).size * part));
    await expectRejected(/cut short/);
  });

  test('rejects a truncated file whose missing pages are not all in the write-ahead log', async () => {
    await open();
    const { size } = statSync(path);
    const pageBytes = 8_192;
    writeFileSync(`${path}-wal`, Buffer.alloc(32 + 2 * (24 + pageBytes)));
    truncateSync(path, size - 3 * pageBytes);
    await expectRejected(/cut short/);
  });

  test.each([1, 50, 99])('rejects a file truncated to %d bytes', async (bytes) => {
    await open();
    truncateSync(path, bytes);
    await expectRejected(/not a SQLite database|cut short/);
  });

  test('rejects a file whose first page is overwritten after the header', async () => {
    await open();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 100, 8_000);
    writeFileSync(path, bytes);
    await expectRejected(/cannot use .* as the database/);
  });

  test('rejects a newer schema', async () => {
    await open();
    executeSql('PRAGMA user_version = 9999');
    await expectRejected(/version 9999.*use a newer Tenor/);
  });

  test('rejects a directory', async () => {
    mkdirSync(path);
    await expect(open()).rejects.toThrow(/not a file/);
  });

  test('rejects a path that cannot be created', async () => {
    writeFileSync(join(folder, 'file'), 'x');
    path = join(folder, 'file', 'x.db');
    await expect(open()).rejects.toThrow(StoreUnusableError);
    expect(existsSync(path)).toBe(false);
  });

  test.each(['sqlite:', 'sqlite::memory:', 'mysql://x/y', 'data/tenor.db'])(
    'rejects the URL %s',
    async (url) => {
      await expect(openStore(url, catalogue)).rejects.toThrow(StoreUnusableError);
    },
  );

  test('rejects replicas', async () => {
    const opened = openStore(`sqlite:${path}`, catalogue, { replicas: ['postgres://x/y'] });
    await expect(opened).rejects.toThrow('DATABASE_REPLICAS are for PostgreSQL');
    expect(existsSync(path)).toBe(false);
  });

  test('creates the database once if several processes open it', async () => {
    const script = `import { openStore } from '${join(import.meta.dirname, '../../src/store/open-store.ts')}';
      import { catalogue } from '${join(import.meta.dirname, '../../src/catalogue/index.ts')}';
      (await openStore('sqlite:${path}', catalogue)).reader().close();`;
    const processes = Array.from({ length: 6 }, () =>
      Bun.spawn([process.execPath, '-e', script], { stderr: 'pipe' }),
    );
    const statuses = await Promise.all(processes.map(({ exited }) => exited));
    expect(statuses).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([]);
  });
});
