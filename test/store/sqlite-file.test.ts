import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { SCOPES } from '../../src/catalogue/model/dataset.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { moveStore } from '../../src/store/move-store.ts';
import { backUpStore, openStore, StoreUnusableError } from '../../src/store/open-store.ts';
import { createDatabaseFile } from '../../src/store/sqlite/create-database-file.ts';
import { OpenedDatabaseFile } from '../../src/store/sqlite/opened-database-file.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { readFixture } from '../support/fixtures.ts';
import { quote } from '../support/quote-fixture.ts';
import { runTenor } from '../support/run-tenor.ts';
import { spawnChild } from '../support/spawn-child.ts';
import {
  checkpoint,
  createFilledStore,
  createTempFolder,
  FILLED_DATASETS,
} from '../support/store.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = createTempFolder();
  path = join(folder, 'x.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openStore(`sqlite:${path}`, catalogue);

const getMode = (...names: string[]) => statSync(join(folder, ...names)).mode & 0o777;

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

/** The list of the cells of another page than the first one. */
function damageSchemaPage(bytes: Buffer): void {
  const page = Math.floor(bytes.lastIndexOf('CREATE TABLE revisions') / 8_192);
  expect(page).toBeGreaterThan(0);
  bytes.fill(0xff, page * 8_192 + 8, page * 8_192 + 72);
}

function replaceStatement(bytes: Buffer): void {
  bytes.write('CREATX', bytes.lastIndexOf('CREATE TABLE revisions'));
}

function getRootPage(table: string): number {
  using database = new Database(path);
  const sql = 'SELECT rootpage FROM sqlite_schema WHERE name = ?';
  return Number(database.query<unknown, [string]>(sql).values(table)[0]?.[0]);
}

describe('opening a SQLite file', () => {
  test('creates the database in a folder that exists, and leaves nothing else', async () => {
    await open();
    expect(readdirSync(folder, { recursive: true })).toEqual(['x.db', 'x.db.private']);
    await open();
    path = join(folder, 'deep', 'er', 'x.db');
    const missing = `there is no folder ${join(folder, 'deep', 'er')}`;
    await expect(open()).rejects.toThrow(missing);
    const urls = { from: `sqlite:${folder}/x.db`, to: `sqlite:${path}` };
    const moving = moveStore({ ...urls, catalogue, onRows: async () => {} });
    await expect(moving).rejects.toThrow(missing);
    expect(readdirSync(folder).toSorted()).toEqual(['x.db', 'x.db.private']);
  });

  test('creates files that only their owner can use, whatever the umask, and keeps the mode of existing ones', async () => {
    const umask = process.umask(0);
    try {
      const store = await open();
      const [reader, publisher, tokens] = [store.reader(), store.publisher(), store.tokens()];
      await reader.revision();
      await issueToken(tokens, { name: 'a', scopes: SCOPES, rate: null, expiresAt: null });
      const files = readdirSync(folder, { recursive: true }).map(String);
      const ofTokens = ['x.db.private/tokens', 'x.db.private/tokens-reserve'];
      const folders = ['x.db.private'];
      expect(files.toSorted()).toEqual(['x.db', 'x.db-shm', 'x.db-wal', ...folders, ...ofTokens]);
      for (const name of files)
        expect([name, getMode(name)]).toEqual([name, folders.includes(name) ? 0o700 : 0o600]);
      chmodSync(path, 0o660);
      await open();
      expect(getMode('x.db')).toBe(0o660);
      for (const connection of [reader, publisher, tokens]) connection.close();
    } finally {
      process.umask(umask);
    }
  });

  test.each<[string, (bytes: Buffer) => void]>([
    ['its first page', (bytes) => bytes.fill(0xff, 100, 112)],
    ['the cells of its first page', (bytes) => bytes.fill(0, 108, 188)],
    ['a page of the schema', damageSchemaPage],
    ['a statement of the schema', replaceStatement],
  ])('rejects a file if %s is damaged, and says what to do', async (_, damage) => {
    await open();
    checkpoint(path);
    const bytes = readFileSync(path);
    damage(bytes);
    writeFileSync(path, bytes);
    const reason = /its header or schema, the list of its tables, is damaged; restore it from a /;
    await expectRejected(reason);
    const [DATABASE_URL, status] = [`sqlite:${path}`, 1];
    for (const args of [['check'], ['status'], ['load', quotes.name, 'x.csv'], ['token', 'list']])
      expect(await runTenor(args, { DATABASE_URL })).toMatchObject({
        status,
        out: '',
        err: expect.stringMatching(reason),
      });
  });

  test('rejects a file if its ledger is damaged, unless a server has started on it', async () => {
    const store = await open();
    await store.publisher().publish({ dataset: quotes, rows: [], source: 's', author: 'a' });
    checkpoint(path);
    const bytes = readFileSync(path);
    const page = getRootPage('revisions');
    writeFileSync(path, bytes.fill(0xff, (page - 1) * 8_192, page * 8_192));
    await expectRejected(/its ledger or its records are damaged; restore it from a complete copy/);
    await openStore(`sqlite:${path}`, catalogue, { preparation: 'none', isServed: true });
  });

  test('names a damaged file of tokens, and says what to do', async () => {
    const tokens = (await open()).tokens();
    await issueToken(tokens, { name: 'a', scopes: SCOPES, rate: null, expiresAt: null });
    writeFileSync(`${path}.private/tokens`, 'no database'.repeat(50));
    const reason = `cannot use ${path}.private/tokens: it is damaged; restore it from a complete copy`;
    await expect(tokens.all()).rejects.toThrow(reason);
  });

  test('gives a copy by VACUUM INTO its write-ahead log back, so that readers do not wait for a load', async () => {
    await open();
    const copy = join(folder, 'copy.db');
    executeSql(`VACUUM INTO '${copy}'`);
    mkdirSync(`${copy}.private`);
    path = copy;
    await open();
    using database = new Database(path);
    expect(database.query('PRAGMA journal_mode').values()).toEqual([['wal']]);
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

  describe('rejects a torn copy', () => {
    const PAGE_BYTES = 8_192;
    const publish = async (dataset: Dataset, records: readonly unknown[]) => {
      const publisher = (await open()).publisher();
      await publishRecords(publisher, { dataset, records, source: 'test', author: 'test' });
      publisher.close();
    };

    /** A dataset of each table. */
    const stored = catalogue.filter((dataset, index) => {
      const { currentTable } = getStorageTable(dataset);
      return (
        index === catalogue.findIndex((each) => getStorageTable(each).currentTable === currentTable)
      );
    });

    test.each<[string, (pages: number) => number]>([
      ['its last page', (pages) => pages - 1],
      ['a page in the middle', (pages) => Math.floor(pages / 2)],
    ])('with a hole in the place of %s', async (_, choosePage) => {
      for (const dataset of stored) await publish(dataset, readFixture(dataset));
      checkpoint(path);
      const bytes = readFileSync(path);
      const start = choosePage(bytes.length / PAGE_BYTES) * PAGE_BYTES;
      bytes.fill(0, start, start + PAGE_BYTES);
      writeFileSync(path, bytes);
      await expectRejected(/page \d+ of it is empty; restore it from a complete copy/);
    });

    test.each(stored)('whose ledger is newer than the records of $name', async (dataset) => {
      await publish(dataset, readFixture(dataset));
      const { currentTable } = getStorageTable(dataset);
      executeSql(
        `DELETE FROM ${currentTable} WHERE record = (SELECT record FROM ${currentTable} LIMIT 1)`,
      );
      await expectRejected(/torn copy: \S+ lacks records of revision 1/);
    });

    test.each(stored)('whose records of $name are newer than the ledger', async (dataset) => {
      await publish(dataset, readFixture(dataset));
      executeSql('DELETE FROM revisions');
      await expectRejected(
        /torn copy: \S+ has records of revision 1, and its ledger ends with revision 0/,
      );
    });
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
    await expectRejected(
      /version 9999.*use a newer Tenor, or restore a backup from before the migration \(.*tenor backup FILE/,
    );
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
    const processes = Array.from({ length: 4 }, () =>
      spawnChild([process.execPath, '-e', script], { stderr: 'pipe' }),
    );
    const statuses = await Promise.all(processes.map(({ exited }) => exited));
    expect(statuses).toEqual([0, 0, 0, 0]);
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([]);
  });
});

test('a file beside the database that cannot be used is named', async () => {
  const store = await open();
  mkdirSync(`${path}.private/commit-lock`);
  mkdirSync(`${path}.private/tokens`);
  const [reader, publisher, tokens] = [store.reader(), store.publisher(), store.tokens()];
  const [dataset, records] = [fundAllocation, readFixture(fundAllocation)];
  const publication = { dataset, records, source: 'test', author: 'test' };
  await expect(publishRecords(publisher, publication)).rejects.toThrow(
    `${path}.private/commit-lock`,
  );
  await expect(reader.revisionAt('2026-01-01T00:00:00.000Z')).rejects.toThrow(
    `${path}.private/commit-lock`,
  );
  await expect(tokens.all()).rejects.toThrow(`${path}.private/tokens`);
  for (const connection of [reader, publisher, tokens]) connection.close();
});

// Root alone can take the part of another user.
describe.skipIf(process.getuid?.() !== 0)(
  'files that another user creates beside a database',
  () => {
    const [USER, GROUP, OTHER_GROUP] = [20_001, 20_002, 20_003];
    const createAs = (groups: readonly number[]) => {
      const file = join(folder, `${groups.length}.db`);
      const before = process.getgroups?.() ?? [];
      chmodSync(folder, 0o777);
      try {
        process.setgroups?.([...groups]);
        process.setegid?.(OTHER_GROUP);
        process.seteuid?.(USER);
        createDatabaseFile(file, () => {}, { mode: 0o660, uid: 0, gid: GROUP });
      } finally {
        process.seteuid?.(0);
        process.setegid?.(process.getgid?.() ?? 0);
        process.setgroups?.(before);
      }
      const { mode, uid, gid } = statSync(file);
      return [mode & 0o777, uid, gid];
    };

    test('are for the group of the database, if the user is in it', () => {
      expect(createAs([GROUP])).toEqual([0o660, USER, GROUP]);
    });

    test('are for the group of the user otherwise', () => {
      expect(createAs([])).toEqual([0o660, USER, OTHER_GROUP]);
    });
  },
);

test('a restored copy beside the log of a killed process is rejected, and usable without the log', async () => {
  await using store = await createFilledStore();
  checkpoint(store.path);
  await backUpStore(store.url, catalogue, { file: path, canReplace: false }, async () => {});
  using reader = new Database(store.path, { readonly: true });
  reader.query('SELECT 1 FROM revisions').get();
  for (const symbol of ['A', 'B']) await store.publish(quotes, [quote({ symbol })]);
  copyFileSync(`${store.path}-wal`, `${path}-wal`);
  await expectRejected(/it does not match its write-ahead log .* remove \S+-wal and/);
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  const restored = (await open()).reader();
  expect(await restored.revision()).toBe(FILLED_DATASETS.length);
  restored.close();
});

test('what lies beside a file that was replaced is moved aside, unless it is empty or of another file', () => {
  const suffixes = ['', '-wal', '-shm'];
  const list = (wal: string, change = () => {}) => {
    for (const suffix of suffixes) writeFileSync(path + suffix, suffix === '-wal' ? wal : '');
    const file = new OpenedDatabaseFile(path);
    file.rememberSidecars();
    change();
    file.moveSidecarsAside();
    const names = readdirSync(folder).toSorted();
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    return names;
  };
  expect(list('log')).toEqual(['x.db', 'x.db-wal.replaced']);
  expect(list('')).toEqual(['x.db']);
  const replaceLog = () => {
    writeFileSync(`${path}-new`, 'other');
    renameSync(`${path}-new`, `${path}-wal`);
  };
  expect(list('log', replaceLog)).toEqual(['x.db', 'x.db-wal']);
});

test('tokens whose file is removed are unavailable, rather than none', async () => {
  const store = await open();
  const tokens = store.tokens();
  expect(await tokens.all()).toEqual([]);
  await issueToken(tokens, { name: 'n', scopes: [], rate: null, expiresAt: null });
  rmSync(`${path}.private/tokens`);
  await expect(tokens.all()).rejects.toThrow('tokens is gone');
  tokens.close();
});
