import { beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { createPublishingWorkspace, HEADER, ONLINE } from './publishing-workspace.ts';

const { workspace, run, readJson, writeFile, writeYears, publish } = createPublishingWorkspace();

describe('tenor export', () => {
  const buildRecord = (year: string, cash: number) => ({
    year,
    cash_wtl: cash,
    cash_deposit: 1,
    funds_transfer: 1,
    total: cash + 2,
  });

  test('writes every format to a file that loads back to the same records', async () => {
    await publish(writeYears('a.csv', { 2023: 5.25, 2024: 6 }));
    const funds = 'fund,period,class,value\nA,Jun 2026,Cash,10\nA,Jun 2026,Bills,90\n';
    await publish(writeFile('f.csv', funds), fundAllocation);
    const { out } = await run('export', 'fund-allocation', '--format', 'json');
    const expected = new Map<Dataset, AnyRecord[]>([
      [online, [buildRecord('2024', 6), buildRecord('2023', 5.25)]],
      [fundAllocation, JSON.parse(out)],
    ]);
    const suffixes = ['csv', 'tsv', 'json', 'ndjson', 'xlsx', 'parquet', 'csv.gz', 'json.zst'];
    const cases = [
      ...suffixes.map((suffix) => [online, suffix] as const),
      ...['csv', 'ndjson', 'parquet'].map((suffix) => [fundAllocation, suffix] as const),
    ];
    const getPath = (dataset: Dataset, suffix: string) =>
      join(workspace.folder, `${dataset.name}.${suffix}`);
    const results = await Promise.all(
      cases.map(([dataset, suffix]) => run('export', dataset.name, '-o', getPath(dataset, suffix))),
    );
    for (const [index, [dataset, suffix]] of cases.entries()) {
      expect(results[index]).toEqual({ status: 0, out: '', err: '' });
      const path = getPath(dataset, suffix);
      const target = await createLoadWorkspace();
      await target.load(dataset, relative(target.folder, path));
      expect(await target.readRecords(dataset)).toEqual(expected.get(dataset) ?? []);
      await target.close();
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

  test('rejects an unknown format, an unknown dataset and a missing folder', async () => {
    const [format, dataset, output] = await Promise.all([
      run('export', ONLINE, '--format', 'xls'),
      run('export', 'all'),
      run('export', ONLINE, '-o', join(workspace.folder, 'none', 'a.csv')),
    ]);
    expect(format).toMatchObject({
      status: 2,
      err: expect.stringContaining('--format must be one of csv, tsv'),
    });
    expect(dataset).toMatchObject({
      status: 2,
      err: expect.stringContaining('there is no dataset "all"'),
    });
    expect(output).toMatchObject({
      status: 1,
      err: expect.stringContaining('tenor: cannot write '),
    });
  });

  describe('with --as-of', () => {
    beforeEach(async () => {
      await publish(writeYears('a.csv', { 2023: 5, 2024: 6 }));
      await publish(writeYears('b.csv', { 2024: 7, 2025: 8 }));
    });

    test('exports the data as of a revision, an instant or a day', async () => {
      const [second, first] = await readJson('revisions');
      const before = `${HEADER}\r\n2024,6,1,1,8\r\n2023,5,1,1,7\r\n`;
      const after = `${HEADER}\r\n2025,8,1,1,10\r\n2024,7,1,1,9\r\n2023,5,1,1,7\r\n`;
      const exportAsOf = (when: string) => run('export', ONLINE, '--as-of', when);
      const cases = [
        ['1', before],
        ['2', after],
        ['0', `${HEADER}\r\n`],
        [first.publishedAt, before],
        [second.publishedAt, after],
        [second.publishedAt.slice(0, 10), after],
        ['2001-01-01', `${HEADER}\r\n`],
        ['2001-01-01T05:00:00+05:00', `${HEADER}\r\n`],
      ] as const;
      const results = await Promise.all(cases.map(([when]) => exportAsOf(when)));
      expect(results.map(({ out }) => out)).toEqual(cases.map(([, expected]) => expected));
      expect(await exportAsOf('3')).toMatchObject({
        status: 1,
        out: '',
        err: 'tenor: there is no revision 3 yet; the newest is 2\n',
      });
      expect(await exportAsOf('yesterday')).toMatchObject({
        status: 2,
        err: expect.stringContaining('--as-of must be'),
      });
    });
  });
});
