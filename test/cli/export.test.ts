import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { writeOutputFile } from '../../src/cli/write-output-file.ts';
import { parseSettings } from '../../src/settings.ts';
import { createDraftPath } from '../../src/shared/draft-file.ts';
import { runTenor } from '../support/run-tenor.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { createPublishingWorkspace, HEADER, ONLINE } from './publishing-workspace.ts';

const { workspace, run, readJson, writeYears, publish } = createPublishingWorkspace();

describe('tenor export', () => {
  test('writes a file in the format and compression of its suffix', async () => {
    await publish(writeYears('a.csv', { 2023: 5.25, 2024: 6 }));
    const beginnings = Object.entries({
      csv: HEADER,
      json: '[\n{"year":"2024",',
      ndjson: '{"year":"2024",',
      xlsx: 'PK\x03\x04',
      parquet: 'PAR1',
      'csv.gz': '\x1f\x8b',
      'json.zst': '\x28\xb5\x2f\xfd',
    });
    const getPath = (suffix: string) => join(workspace.folder, `b.${suffix}`);
    const results = await Promise.all(
      beginnings.map(([suffix]) => run('export', ONLINE, '-o', getPath(suffix))),
    );
    expect(results).toEqual(beginnings.map(() => ({ status: 0, out: '', err: '' })));
    for (const [suffix, beginning] of beginnings) {
      const text = readFileSync(getPath(suffix), 'latin1');
      expect([suffix, text.slice(0, beginning.length)]).toEqual([suffix, beginning]);
    }
    expect(readdirSync(workspace.folder).filter((name) => name.startsWith('.tenor'))).toEqual([]);
  });

  test('writes the same to a file and to standard output', async () => {
    await publish(writeYears('a.csv', { 2023: 5.25 }));
    const path = join(workspace.folder, 'b.tsv');
    await run('export', ONLINE, '-o', path);
    const { out } = await run('export', ONLINE, '--format', 'tsv');
    expect(out).toBe(`${HEADER.replaceAll(',', '\t')}\n2023\t5.25\t1\t1\t7.25\n`);
    expect(readFileSync(path, 'utf8')).toBe(out);
  });

  test('replaces the file that a link leads to, and writes to a pipe', async () => {
    await publish(writeYears('a.csv', { 2023: 5.25 }));
    const [file, link, pipe] = ['c.csv', 'link.csv', 'pipe.csv'].map((name) =>
      join(workspace.folder, name),
    ) as [string, string, string];
    writeFileSync(file, 'old');
    symlinkSync(file, link);
    await run('export', ONLINE, '-o', link, '--replace');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const exported = readFileSync(file, 'utf8');
    expect(exported).toStartWith(HEADER);
    Bun.spawnSync(['mkfifo', pipe]);
    const received = spawnChild(['cat', pipe]).stdout.text();
    expect(await run('export', ONLINE, '-o', pipe)).toEqual({ status: 0, out: '', err: '' });
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(await received).toBe(exported);
  });

  test('replaces a file only with --replace, and the new one has the mode of the old', async () => {
    await publish(writeYears('a.csv', { 2023: 5.25 }));
    const file = join(workspace.folder, 'c.csv');
    writeFileSync(file, 'mine');
    chmodSync(file, 0o640);
    expect(await run('export', ONLINE, '-o', file)).toEqual({
      status: 2,
      out: '',
      err: `tenor: ${file} exists; use --replace to replace it\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    for (let times = 0; times < 2; times++)
      expect(await run('export', ONLINE, '-o', file, '--replace')).toMatchObject({ status: 0 });
    expect(readFileSync(file, 'utf8')).toStartWith(HEADER);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(await run('export', ONLINE, '--replace')).toMatchObject({
      status: 2,
      err: 'tenor: --replace needs --output FILE\n',
    });
    expect(await run('export', ONLINE, '-o', '/dev/null')).toMatchObject({ status: 0 });
  });

  test('writes no file of the database, by whatever name it is called, nor one of another database', async () => {
    await publish(writeYears('a.csv', { 2023: 5 }));
    await run('token', 'create', '--name', 'ann');
    const { folder } = workspace;
    const other = join(folder, 'other');
    mkdirSync(other);
    await run('backup', join(other, 'copy.db'));
    writeFileSync(join(other, 'copy.db-shm'), '');
    linkSync(join(folder, 'x.db'), join(folder, 'hard.csv'));
    symlinkSync('x.db', join(folder, 'symbolic.csv'));
    symlinkSync(join(folder, 'x.db.private/tokens'), join(folder, 'tokens.json'));
    symlinkSync('.', join(folder, 'here'));
    // Not by its bytes, which a checkpoint may change.
    const read = async () => [
      ...['x.db', 'x.db.private/tokens'].map((name) => statSync(join(folder, name)).ino),
      ...[await run('check'), await run('token', 'list'), await run('export', ONLINE)],
    ];
    const before = await read();
    const own = [
      ...[
        'x.db',
        'x.db.private/tokens',
        'x.db-wal',
        'x.db-shm',
        'x.db.private/tokens-wal',
        'x.db.private/local-token',
      ],
      ...['hard.csv', 'symbolic.csv', 'tokens.json', 'here/x.db-wal'],
    ].map((name) => join(folder, name));
    const paths = [...own, relative(process.cwd(), join(folder, 'x.db'))];
    for (const path of paths)
      expect(await run('export', ONLINE, '-o', path, '--replace')).toEqual({
        status: 2,
        out: '',
        err: `tenor: ${path} belongs to the database itself\n`,
      });
    for (const name of ['copy.db', 'copy.db.private/tokens', 'copy.db-shm']) {
      const { status, err } = await run('export', ONLINE, '-o', join(other, name), '--replace');
      expect(status).toBe(2);
      expect(err).toContain(`belongs to the database ${join(other, 'copy.db')}`);
    }
    expect(await read()).toEqual(before);
    expect(existsSync(join(folder, 'x.db.private/tokens-wal'))).toBe(false);
  });

  test('writes no local token of a PostgreSQL database', async () => {
    const { folder } = workspace;
    const token = join(folder, 'data', 'example.org-5432-tenor.private/local-token');
    mkdirSync(dirname(token), { recursive: true });
    writeFileSync(token, 'secret');
    writeFileSync(join(folder, 'years.csv'), `${HEADER}\n2023,5,1,1,7\n`);
    symlinkSync(token, join(folder, 'start.json'));
    const settings = { DATABASE_URL: 'postgres://ann@example.org:5432/tenor' };
    const args = ['inspect', 'years.csv', '--for', ONLINE, '--write', 'start.json', '--replace'];
    expect(await runTenor(args, settings, { cwd: folder })).toMatchObject({
      status: 2,
      err: 'tenor: start.json belongs to the database itself\n',
    });
    expect(readFileSync(token, 'utf8')).toBe('secret');
  });

  test.each([
    ['an error', () => Promise.reject(new Error('torn'))],
    // The listener of the command alone: that of the test runner would end the run.
    ['Ctrl-C', async () => process.listeners('SIGINT').at(-1)?.('SIGINT')],
  ])(
    'leaves the old file as it was, and no other, after %s in the middle',
    async (_, interrupt) => {
      const file = join(workspace.folder, 'old.csv');
      writeFileSync(file, 'old');
      const call = { options: { replace: true }, settings: () => parseSettings(workspace.env) };
      const names = readdirSync(workspace.folder);
      for (const before of [['new'], []]) {
        const chunks = (async function* () {
          yield* before;
          await interrupt();
          await new Promise(() => {});
        })();
        await expect(writeOutputFile(call, file, chunks)).rejects.toThrow(/torn|was not written/);
      }
      // A file that is opened late would be there by then.
      await Bun.sleep(5);
      expect(readFileSync(file, 'utf8')).toBe('old');
      expect(readdirSync(workspace.folder)).toEqual(names);
    },
  );

  test('removes what a killed export left', async () => {
    const dead = spawnChild(['true']);
    await dead.exited;
    const draft = basename(createDraftPath(workspace.folder));
    const names = [dead.pid, process.ppid].map((pid) =>
      draft.replace(`-${process.pid}-`, `-${pid}-`),
    );
    for (const name of names) writeFileSync(join(workspace.folder, name), 'half');
    await run('export', ONLINE, '-o', join(workspace.folder, 'b.csv'));
    const left = readdirSync(workspace.folder).filter((name) => name.startsWith('.tenor'));
    expect(left).toEqual([String(names[1])]);
  });

  test('exports the data as of a revision, an instant or a day', async () => {
    await publish(writeYears('a.csv', { 2023: 5 }));
    await publish(writeYears('b.csv', { 2023: 7 }));
    const [second, first] = await readJson('revisions');
    const cases = [
      ['1', '2023,5,1,1,7\r\n'],
      ['2', '2023,7,1,1,9\r\n'],
      ['0', ''],
      [first.publishedAt, '2023,5,1,1,7\r\n'],
      [second.publishedAt.slice(0, 10), '2023,7,1,1,9\r\n'],
      ['2001-01-01', ''],
    ] as const;
    const results = await Promise.all(
      cases.map(([when]) => run('export', ONLINE, '--as-of', when)),
    );
    expect(results.map(({ out }) => out)).toEqual(cases.map(([, rows]) => `${HEADER}\r\n${rows}`));
  });

  test.each([
    [[ONLINE, '--format', 'xls'], 2, '--format must be one of csv, tsv'],
    [['all'], 2, 'there is no dataset "all"'],
    [[ONLINE, '-o', '/none/a.csv'], 1, 'cannot write '],
    [[ONLINE, '--as-of', '3'], 1, 'there is no revision 3 yet; the newest is 0\n'],
    [[ONLINE, '--as-of', 'yesterday'], 2, '--as-of must be'],
  ])('rejects %j with exit status %d', async (args, status, message) => {
    const result = await run('export', ...args);
    expect(result).toMatchObject({ status, out: '' });
    expect(result.err).toStartWith(`tenor: ${message}`);
  });
});
