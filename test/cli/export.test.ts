import { describe, expect, test } from 'bun:test';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    expect(readdirSync(workspace.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
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
    await run('export', ONLINE, '-o', link);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const exported = readFileSync(file, 'utf8');
    expect(exported).toStartWith(HEADER);
    Bun.spawnSync(['mkfifo', pipe]);
    const received = Bun.spawn(['cat', pipe]).stdout.text();
    expect(await run('export', ONLINE, '-o', pipe)).toEqual({ status: 0, out: '', err: '' });
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(await received).toBe(exported);
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
