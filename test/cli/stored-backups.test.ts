import { beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveMemoryBucket } from '../support/memory-bucket.ts';
import { runTenorProcess } from '../support/run-tenor.ts';
import { createPublishingWorkspace } from './publishing-workspace.ts';

const { workspace, run, writeYears, publish } = createPublishingWorkspace();

let backups: string;
beforeEach(async () => {
  await publish(writeYears('a.csv', { 2023: 5, 2024: 6 }));
  backups = join(workspace.folder, 'backups');
  mkdirSync(backups);
});

const listDatabases = () =>
  readdirSync(backups)
    .filter((name) => name.endsWith('.db'))
    .toSorted();

describe('tenor backup --to a folder', () => {
  test('writes what --verify restores, checks and signs with', async () => {
    await run('token', 'create', '--name', 'ann');
    expect((await run('backup', '--to', backups)).status).toBe(0);
    await publish(writeYears('b.csv', { 2025: 7 }));
    const { out } = await run('backup', '--to', backups, '--keep', '2', '--json');
    const [first, second] = listDatabases();
    expect([first, second]).toEqual([
      expect.stringMatching(/^x-.*Z-r1\.db$/),
      expect.stringMatching(/^x-.*Z-r2\.db$/),
    ]);
    const file = join(backups, second ?? '');
    expect(JSON.parse(out)).toMatchObject({ file, revision: 2, records: 3, deleted: [] });
    const before = readdirSync(backups, { recursive: true }).toSorted();
    const verified = await run('backup', '--verify', backups);
    expect(verified.out).toStartWith(`Verified ${file}: revision 2, 3 records, without faults, in`);
    const one = await run('backup', '--verify', join(backups, first ?? ''), '--json');
    expect(JSON.parse(one.out)).toMatchObject({ revision: 1, records: 2 });
    expect(readdirSync(backups, { recursive: true }).toSorted()).toEqual(before);
  });

  test('is not verified if it is damaged, or its private key is lost', async () => {
    await run('backup', '--to', backups);
    const [name = ''] = listDatabases();
    const file = join(backups, name);
    const key = join(`${file}.private`, 'ledger-key');
    const line = readFileSync(key, 'utf8');
    rmSync(key);
    const lost = await run('backup', '--verify', backups);
    expect([lost.status, lost.err]).toEqual([
      1,
      `tenor: ${file} has no faults, but without the private key of its ledger in ${key} nothing could be published after a restore\n`,
    ]);
    writeFileSync(key, line);
    const bytes = readFileSync(file);
    bytes.set(Buffer.from('9'), bytes.indexOf('"2024"') + 20);
    writeFileSync(file, bytes);
    const damaged = await run('backup', '--verify', backups);
    expect([damaged.status, damaged.err]).toEqual([1, expect.stringContaining(`${file} has `)]);
  });

  test('rejects a folder without backups, one that is missing, and wrong options', async () => {
    const empty = await run('backup', '--verify', backups);
    expect(empty.err).toContain(`${backups} has no backup with a name such as tenor-`);
    const missing = join(backups, 'none');
    expect((await run('backup', '--verify', missing)).err).toBe(
      `tenor: there is no file or folder ${missing}\n`,
    );
    expect((await run('backup', '--to', missing)).err).toContain(`there is no folder ${missing}`);
    for (const args of [
      ['x.db', '--to', backups],
      ['--to', backups, '--replace'],
      ['--verify', backups, '--keep', '2'],
      ['x.db', '--verify', backups],
    ]) {
      const { status, err } = await run('backup', ...args);
      expect([args, status, err]).toEqual([args, 2, expect.stringContaining('cannot be combined')]);
    }
    const other = await run('backup', '--to', 'https://example.com');
    expect(other.err).toContain('use a folder, or a bucket such as s3://bucket/prefix');
  });
});

test('backups in a bucket are verified from there, and the oldest deleted with their private files', async () => {
  const bucket = serveMemoryBucket('safe');
  const env = { DATABASE_URL: `sqlite:${join(workspace.folder, 'x.db')}`, ...bucket.env };
  const runThere = (...args: string[]) => runTenorProcess(['backup', ...args], env);
  bucket.files.set('daily/notes.txt', new Uint8Array(1));
  for (const year of [2025, 2026, 2027]) {
    await publish(writeYears('c.csv', { [year]: 7 }));
    const { status, err } = await runThere('--to', 's3://safe/daily', '--keep', '2');
    expect([status, err]).toEqual([0, '']);
  }
  const paths = [...bucket.files.keys()].toSorted();
  expect(paths).toEqual([
    'daily/notes.txt',
    expect.stringMatching(/^daily\/x-.*Z-r3\.db$/),
    expect.stringMatching(/^daily\/x-.*Z-r3\.db\.private\/ledger-key$/),
    expect.stringMatching(/^daily\/x-.*Z-r4\.db$/),
    expect.stringMatching(/^daily\/x-.*Z-r4\.db\.private\/ledger-key$/),
  ]);
  const verified = await runThere('--verify', 's3://safe/daily/');
  expect(verified.out).toStartWith(`Verified s3://safe/${paths[3]}: revision 4, 5 records`);
  bucket.files.delete(paths[4] ?? '');
  const lost = await runThere('--verify', 's3://safe/daily');
  expect([lost.status, lost.err]).toEqual([1, expect.stringContaining('the private key')]);
  await bucket.stop();
});
