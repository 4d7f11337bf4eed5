import { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { formatBackupName } from '../../src/cli/backups/backup-names.ts';
import { createDraftPath } from '../../src/shared/draft-file.ts';
import { runTenor } from '../support/run-tenor.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { createPublishingWorkspace, ONLINE } from './publishing-workspace.ts';

const { workspace, run, writeFile, writeYears, publish } = createPublishingWorkspace();

let file: string;
beforeEach(async () => {
  await publish(writeYears('a.csv', { 2023: 5, 2024: 6 }));
  mkdirSync(join(workspace.folder, 'backups'));
  file = join(workspace.folder, 'backups', 'x.db');
});

const listBackups = () =>
  readdirSync(join(workspace.folder, 'backups'), { recursive: true }).toSorted();
const PRIVATE = ['x.db.private', 'x.db.private/ledger-key'];
const runOnCopy = (...args: string[]) => runTenor(args, { DATABASE_URL: `sqlite:${file}` });

describe('tenor backup', () => {
  test('writes one verified file with the tokens beside it, for whoever may read the database', async () => {
    chmodSync(join(workspace.folder, 'x.db'), 0o640);
    await run('token', 'create', '--name', 'ann');
    const { status, out } = await run('backup', file, '--json');
    expect(status).toBe(0);
    const { seconds, ...backup } = JSON.parse(out);
    const bytes = statSync(file).size;
    expect(backup).toEqual({ file, bytes, revision: 1, records: 2, deleted: [] });
    expect(seconds).toBeGreaterThan(0);
    expect(listBackups()).toEqual(['x.db', ...PRIVATE, 'x.db.private/tokens']);
    const key = readFileSync(join(workspace.folder, 'x.db.private/ledger-key'), 'utf8');
    expect(readFileSync(`${file}.private/ledger-key`, 'utf8')).toBe(key);
    expect(statSync(`${file}.private/ledger-key`).mode & 0o777).toBe(0o600);
    for (const name of [file, `${file}.private/tokens`])
      expect(statSync(name).mode & 0o777).toBe(0o640);
    const [original, copy] = [await run('export', ONLINE), await runOnCopy('export', ONLINE)];
    expect(copy).toEqual(original);
    expect((await runOnCopy('token', 'list')).out).toContain('ann');
  });

  test('has no tokens of an earlier copy if the database has none', async () => {
    await run('token', 'create', '--name', 'ann');
    await run('backup', file);
    rmSync(join(workspace.folder, 'x.db.private/tokens'));
    expect((await run('backup', file, '--replace')).status).toBe(0);
    expect(listBackups()).toEqual(['x.db', ...PRIVATE]);
  });

  test('includes what only the write-ahead log has, and the copy uses such a log too', async () => {
    using reader = new Database(join(workspace.folder, 'x.db'), { readonly: true });
    reader.query('SELECT 1 FROM revisions').get();
    await publish(writeYears('b.csv', { 2025: 7 }));
    expect(statSync(join(workspace.folder, 'x.db-wal')).size).toBeGreaterThan(0);
    expect((await run('backup', file)).out).toContain('revision 2, 3 records');
    using copy = new Database(file, { readonly: true });
    expect(copy.query('PRAGMA journal_mode').values()).toEqual([['wal']]);
  });

  test('replaces an earlier copy only with --replace, and no other kind of file at all', async () => {
    const first = await run('backup', file);
    expect(first.status).toBe(0);
    await publish(writeYears('b.csv', { 2025: 7 }));
    const again = await run('backup', file);
    expect([again.status, again.err]).toEqual([
      2,
      `tenor: ${file} exists; --replace puts the new copy in its place\n`,
    ]);
    expect((await run('backup', file, '--replace')).out).toContain('revision 2');
    const text = writeFile('notes.txt', 'not a database');
    const rejected = await run('backup', text, '--replace');
    expect([rejected.status, rejected.err]).toEqual([
      2,
      `tenor: ${text} is not a Tenor database, and is not replaced\n`,
    ]);
    expect(readFileSync(text, 'utf8')).toBe('not a database');
  });

  test('never writes to the database, by whatever name it is called', async () => {
    const database = join(workspace.folder, 'x.db');
    const names = { hard: 'hard.db', symbolic: 'symbolic.db' };
    linkSync(database, join(workspace.folder, names.hard));
    symlinkSync(database, join(workspace.folder, names.symbolic));
    const before = statSync(database).ino;
    const own = ['x.db', 'x.db.private/tokens', 'x.db.private/commit-lock', 'x.db.private'];
    for (const name of [...own, names.hard, names.symbolic]) {
      const { status, err } = await run('backup', join(workspace.folder, name), '--replace');
      expect([name, status]).toEqual([name, 2]);
      expect(err).toContain('belongs to the database itself');
    }
    expect(statSync(database).ino).toBe(before);
  });

  test('rejects a file that is in use, a link, a folder that is not there, and wrong options', async () => {
    writeFileSync(`${file}-wal`, '');
    symlinkSync('elsewhere.db', join(workspace.folder, 'link.db'));
    const cases: [string[], string][] = [
      [[file], 'uses'],
      [[join(workspace.folder, 'link.db'), '--replace'], 'is not a regular file'],
      [[join(workspace.folder, 'missing', 'x.db')], 'there is no folder'],
      [[file, '--keep', '0'], '--keep must be a whole number from 1 to 9999, not "0"'],
      [[file, '--keep', '2', '--replace'], 'cannot be combined'],
      [[], 'a FILE is required'],
    ];
    const results = await Promise.all(cases.map(([args]) => run('backup', ...args)));
    for (const [index, { status, err }] of results.entries()) {
      expect([status, err]).toEqual([2, expect.stringContaining(cases[index]?.[1] ?? '')]);
    }
    expect(existsSync(file)).toBe(false);
  });

  test('with --keep deletes the oldest copies that it named, and nothing else', async () => {
    const old = [1, 2, 3].map((day) => formatBackupName(file, new Date(`2026-01-0${day}`), day));
    const others = ['x-2026.db', 'y-2026-01-01T000000Z-r1.db', `${old[0]}.gz`];
    mkdirSync(join(workspace.folder, 'backups', `${old[0]}.private`));
    for (const name of [...old, ...others, `${old[0]}.private/tokens`])
      writeFileSync(join(workspace.folder, 'backups', name), name);
    const { status, out } = await run('backup', file, '--keep', '2', '--json');
    expect(status).toBe(0);
    const written = /x-\d{4}-\d\d-\d\dT\d{6}Z-r1\.db$/.exec(JSON.parse(out).file)?.[0] ?? '';
    expect(listBackups()).toEqual(
      [
        ...[...others, String(old[2])],
        ...[written, `${written}.private`, `${written}.private/ledger-key`],
      ].toSorted(),
    );
    expect(JSON.parse(out).deleted).toHaveLength(2);
  });

  test('with --keep never deletes the copy that is the database now, nor one that is served', async () => {
    const names = [1, 2, 3].map((day) => formatBackupName(file, new Date(`2026-01-0${day}`), day));
    const [own = '', served = '', old = ''] = names.map((name) =>
      join(workspace.folder, 'backups', name),
    );
    for (const copy of [own, served, old]) await run('backup', copy);
    writeFileSync(`${served}-wal`, '');
    const settings = { DATABASE_URL: `sqlite:${own}` };
    const { out } = await runTenor(['backup', file, '--keep', '1', '--json'], settings);
    expect(JSON.parse(out).deleted).toEqual([old]);
    expect([own, served, old].map((path) => existsSync(path))).toEqual([true, true, false]);
  });

  test('writes over the private folder of a lost database only with --replace', async () => {
    mkdirSync(`${file}.private`);
    writeFileSync(`${file}.private/tokens`, 'old');
    expect(await run('backup', file)).toMatchObject({
      status: 2,
      err: `tenor: ${file}.private exists; --replace puts the new copy in its place\n`,
    });
    expect(readFileSync(`${file}.private/tokens`, 'utf8')).toBe('old');
  });

  test('removes what killed backups left, but not the copy that another process is writing', async () => {
    const folder = join(workspace.folder, 'backups');
    const dead = spawnChild(['true']);
    await dead.exited;
    const draft = basename(createDraftPath(folder));
    const names = [dead.pid, process.ppid].map((pid) =>
      draft.replace(`-${process.pid}-`, `-${pid}-`),
    );
    for (const name of names) writeFileSync(join(folder, name), 'half');
    expect((await run('backup', file)).status).toBe(0);
    expect(listBackups()).toEqual([String(names[1]), 'x.db', ...PRIVATE]);
  });

  test('keeps the earlier copy if the database is damaged, and names the faults', async () => {
    await run('backup', file);
    const before = readFileSync(file);
    using database = new Database(join(workspace.folder, 'x.db'));
    database.run("UPDATE observations_now SET record = replace(record, '5', '4')");
    const { status, err } = await run('backup', file, '--replace');
    expect(status).toBe(1);
    expect(err).toContain('Fault: revision 1: its checksum does not match');
    expect(err).toEndWith('was not kept; tenor check verifies the database\n');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(listBackups()).toEqual(['x.db', ...PRIVATE]);
  });

  test('says which tools to use for PostgreSQL, with status 2', async () => {
    const settings = { DATABASE_URL: 'postgres://nobody@localhost/none' };
    const { status, err } = await runTenor(['backup', file], settings);
    expect([status, err]).toEqual([
      2,
      expect.stringContaining('pg_dump, pg_basebackup or pgBackRest'),
    ]);
    expect(err.trimEnd()).not.toContain('\n');
  });
});
