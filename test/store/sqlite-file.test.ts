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

/** Opening is refused with one line, and the file is left as it was. */
async function expectRefused(reason: RegExp): Promise<void> {
  const before = readFileSync(path);
  await expect(open()).rejects.toThrow(StoreUnusableError);
  await expect(open()).rejects.toThrow(reason);
  await expect(open()).rejects.toThrow(/^[^\n]*$/);
  await expect(open()).rejects.toThrow(path);
  expect(readFileSync(path).equals(before)).toBe(true);
}

describe('a database file', () => {
  test('is made where there is none, with its folders, and nothing else is left behind', async () => {
    path = join(folder, 'deep', 'er', 'x.db');
    await open();
    expect(readdirSync(join(folder, 'deep', 'er'))).toEqual(['x.db']);
    await open();
  });

  test('that is empty is refused', async () => {
    writeFileSync(path, '');
    await expectRefused(/empty/);
  });

  test('that is something else is refused', async () => {
    writeFileSync(path, 'date,symbol\n2026-01-01,X\n'.repeat(50));
    await expectRefused(/not a SQLite database/);
  });

  test('of another program is refused', async () => {
    const database = new Database(path);
    database.run('CREATE TABLE notes (text)');
    database.close();
    await expectRefused(/not Tenor's/);
  });

  test.each([0.9, 0.5, 0.1])('cut to %d of its size is refused', async (part) => {
    await open();
    truncateSync(path, Math.floor(statSync(path).size * part));
    await expectRefused(/cut short/);
  });

  test('cut shorter than its write-ahead log can make up for is refused', async () => {
    await open();
    const { size } = statSync(path);
    const frame = 24 + 8_192;
    writeFileSync(`${path}-wal`, Buffer.alloc(32 + 2 * frame));
    truncateSync(path, size - 3 * 8_192);
    await expectRefused(/cut short/);
  });

  test.each([1, 50, 99])('cut to %d bytes is refused', async (bytes) => {
    await open();
    truncateSync(path, bytes);
    await expectRefused(/not a SQLite database|cut short/);
  });

  test('with its first page overwritten behind the header is refused', async () => {
    await open();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 100, 8_000);
    writeFileSync(path, bytes);
    await expectRefused(/cannot use .* as the database/);
  });

  test('of a newer schema is refused', async () => {
    await open();
    const database = new Database(path);
    database.run('PRAGMA user_version = 9999');
    database.close();
    const before = readFileSync(path);
    await expect(open()).rejects.toThrow(/version 9999.*use a newer Tenor/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('that is a folder is refused', async () => {
    mkdirSync(path);
    await expect(open()).rejects.toThrow(/not a file/);
  });

  test('under a path that cannot be made is refused', async () => {
    writeFileSync(join(folder, 'file'), 'x');
    path = join(folder, 'file', 'x.db');
    await expect(open()).rejects.toThrow(StoreUnusableError);
    expect(existsSync(path)).toBe(false);
  });

  test.each(['sqlite:', 'sqlite::memory:', 'mysql://x/y', 'data/tenor.db'])(
    'is not named by %s',
    async (url) => {
      await expect(openStore(url, catalogue)).rejects.toThrow(StoreUnusableError);
    },
  );

  test('has no replicas', async () => {
    const opening = openStore(`sqlite:${path}`, catalogue, { replicas: ['postgres://x/y'] });
    await expect(opening).rejects.toThrow('DATABASE_REPLICAS are for PostgreSQL');
    expect(existsSync(path)).toBe(false);
  });

  test('opened by several at once is made once', async () => {
    const script = `import { openStore } from '${join(import.meta.dirname, '../../src/store/open-store.ts')}';
      import { catalogue } from '${join(import.meta.dirname, '../../src/catalogue/index.ts')}';
      (await openStore('sqlite:${path}', catalogue)).reader().close();`;
    const starts = Array.from({ length: 6 }, () =>
      Bun.spawn([process.execPath, '-e', script], { stderr: 'pipe' }),
    );
    const statuses = await Promise.all(starts.map(({ exited }) => exited));
    expect(statuses).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([]);
  });
});
