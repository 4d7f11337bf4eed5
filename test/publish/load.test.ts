import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  mobileMoneyAccountsMale as accounts,
  branchlessBankingAgents as agents,
  atmTransactionsQuarterlyValue as atmQuarterly,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import { GuardError, LoadValidationError } from '../../src/publish/errors.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';

const HEADER = 'year,cash_wtl,cash_deposit,funds_transfer,total';
/** A year's record that adds up, as a line of CSV. */
const line = (year: string | number, cash = 61.3) => `${year},${cash},82.6,55.2,${cash + 137.8}`;
const csv = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');

const workspace = useLoadWorkspace();

describe('a load', () => {
  test('stores only the names of its files, and reports their paths to the publisher', async () => {
    workspace.writeFile('deep/down/a.csv', `Table 5\n${HEADER}\n2024,1,1,1,9\n2026,1,1,1,3\n`);
    workspace.writeFile('deep/down/list.csv', 'code,year\n');
    const lookup = { file: '../down/list.csv', column: 'code', by: '{year}' };
    const { report } = await workspace.load(online, 'deep/down/a.csv', { mapping: { lookup } });
    expect(report.skipped).toEqual(['deep/down/a.csv: line 1 to the header in line 2']);
    expect(report.warnings).toMatchObject([
      { rule: 'parts-off-total', first: [{ file: 'deep/down/a.csv', at: 3 }] },
      { rule: 'period-gap' },
    ]);
    const reader = workspace.store.reader();
    const stored = await reader.ledgerEntry(1);
    reader.close();
    expect(stored?.files.map(({ name }) => name)).toEqual(['a.csv', 'list.csv']);
    expect(stored?.report).toMatchObject({
      skipped: ['a.csv: line 1 to the header in line 2'],
      warnings: [{ first: [{ file: 'a.csv', at: 3 }] }, { first: [{ file: '' }] }],
    });
    expect(JSON.stringify(stored)).not.toContain('down');
  });

  test('stores the mapping and the options that it was made with', async () => {
    workspace.writeFile('a.csv', csv(line(2024)));
    const mapping = { columns: { year: 'year' }, fields: {}, blank: 'zero' } as const;
    await workspace.load(online, 'a.csv', { mapping, replace: true, isStrict: true });
    workspace.writeFile('a.csv', csv(line(2024), line(2025)));
    await workspace.load(online, 'a.csv');
    const reader = workspace.store.reader();
    const entries = await Promise.all([1, 2].map((number) => reader.ledgerEntry(number)));
    reader.close();
    expect(entries.map((entry) => entry?.options)).toEqual([
      {
        mapping: { columns: { year: 'year' }, blank: 'zero' },
        options: { replace: true, strict: true },
      },
      {},
    ]);
  });

  test('publishes all files as one revision, with their names and digests in the ledger', async () => {
    const contents = [csv(line(2024)), csv(line(2025))] as const;
    workspace.writeFile('a.csv', contents[0]);
    workspace.writeFile('deep/b.csv', contents[1]);
    const { revision, counts } = await workspace.load(online, ['a.csv', 'deep/b.csv'], {
      author: 'ann',
    });
    expect(counts).toEqual({ added: 2, corrected: 0, retired: 0, unchanged: 0 });
    const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
    expect(revision).toMatchObject({
      revision: 1,
      dataset: online.name,
      author: 'ann',
      source: 'a.csv, b.csv',
      sample: false,
      files: [
        { name: 'a.csv', bytes: contents[0].length, sha256: sha256(contents[0]) },
        { name: 'b.csv', bytes: contents[1].length, sha256: sha256(contents[1]) },
      ],
    });
  });

  test('of unchanged content publishes nothing, whatever the file', async () => {
    workspace.writeFile('a.csv', csv(line(2024), line(2025)));
    await workspace.load(online, 'a.csv');
    workspace.writeFile('b.json', JSON.stringify(await workspace.readRecords(online)));
    for (const name of ['a.csv', 'b.json']) {
      const { revision, counts } = await workspace.load(online, name);
      expect(revision).toBeUndefined();
      expect(counts).toEqual({ added: 0, corrected: 0, retired: 0, unchanged: 2 });
    }
    expect(await workspace.readRevision()).toBe(1);
  });

  test('corrects the records in its files and leaves the others', async () => {
    workspace.writeFile('a.csv', csv(line(2023), line(2024)));
    await workspace.load(online, 'a.csv');
    workspace.writeFile('b.csv', csv(line(2024, 70), line(2025)));
    const { counts } = await workspace.load(online, 'b.csv');
    expect(counts).toEqual({ added: 1, corrected: 1, retired: 0, unchanged: 0 });
    const records = await workspace.readRecords(online);
    expect(records.map(({ year, cash_wtl }) => [year, cash_wtl])).toEqual([
      ['2025', 61.3],
      ['2024', 70],
      ['2023', 61.3],
    ]);
  });

  test('with --replace retires the records that are not in its files, and is rejected if it would retire all', async () => {
    workspace.writeFile('a.csv', csv(line(2023), line(2024)));
    await workspace.load(online, 'a.csv');
    workspace.writeFile('b.csv', csv(line(2024), line(2025)));
    const { counts } = await workspace.load(online, 'b.csv', {
      replace: true,
      canRetireMany: true,
    });
    expect(counts).toEqual({ added: 1, corrected: 0, retired: 1, unchanged: 1 });
    workspace.writeFile('c.csv', csv());
    for (const allowsEmpty of [false, true])
      await expect(
        workspace.load(online, 'c.csv', { replace: true, canRetireMany: true, allowsEmpty }),
      ).rejects.toThrow(
        new GuardError('no-records', 'there are no records, and --replace would retire all'),
      );
    expect((await workspace.readRecords(online)).map(({ year }) => year)).toEqual(['2025', '2024']);
  });

  test('as a dry run counts every change and publishes nothing', async () => {
    workspace.writeFile('a.csv', csv(line(2023), line(2024)));
    await workspace.load(online, 'a.csv');
    workspace.writeFile('b.csv', csv(line(2024, 70), line(2025)));
    const { revision, counts } = await workspace.load(online, 'b.csv', {
      isDryRun: true,
      replace: true,
      canRetireMany: true,
    });
    expect(revision).toBeUndefined();
    expect(counts).toEqual({ added: 1, corrected: 1, retired: 1, unchanged: 0 });
    expect(await workspace.readRevision()).toBe(1);
    expect((await workspace.readRecords(online)).map(({ year }) => year)).toEqual(['2024', '2023']);
  });

  test('is rejected as a whole if one of its files is invalid', async () => {
    workspace.writeFile('a.csv', csv(line(2023)));
    workspace.writeFile('b.csv', csv('2024,x,82.6,55.2,199.1'));
    const [message, ...more] = await workspace.loadProblems(online, ['a.csv', 'b.csv']);
    expect(message).toStartWith('b.csv line 2, cash_wtl: "x" must be a number');
    expect(more).toEqual([]);
    expect(await workspace.readRevision()).toBe(0);
  });

  test('of a file that is written to while it is read is rejected', async () => {
    const path = workspace.writeFile('a.csv', csv(line(2023)));
    let hasGrown = false;
    const onRead = () => {
      if (!hasGrown) appendFileSync(path, '\n');
      hasGrown = true;
    };
    expect(await workspace.loadProblems(online, 'a.csv', { onRead })).toEqual([
      'a.csv was written to while it was read; load it again',
    ]);
    expect(await workspace.readRevision()).toBe(0);
    expect((await workspace.load(online, 'a.csv')).counts.added).toBe(1);
  });

  test('that is aborted leaves the published data unchanged', async () => {
    workspace.writeFile('a.csv', csv(line(2023)));
    await workspace.load(online, 'a.csv');
    workspace.writeFile('b.csv', csv(line(2023, 70)));
    const onRead = () => {
      throw new RangeError('enough');
    };
    await expect(workspace.load(online, 'b.csv', { onRead })).rejects.toThrow('enough');
    await workspace.load(online, 'b.csv', { isDryRun: true });
    expect(await workspace.readRecords(online)).toMatchObject([{ cash_wtl: 61.3 }]);
  });
});

describe('problems', () => {
  async function loadInvalid(content: string) {
    workspace.writeFile('a.csv', content);
    try {
      await workspace.load(online, 'a.csv');
    } catch (cause) {
      if (cause instanceof LoadValidationError) return cause;
      throw cause;
    }
    throw new Error('it was not refused');
  }

  test('of every kind in a record are reported together', async () => {
    const { problems } = await loadInvalid(csv('soon,,x,1e400,1'));
    expect(problems.map(({ field, value }) => [field, value])).toEqual([
      ['year', 'soon'],
      ['cash_wtl', ''],
      ['cash_deposit', 'x'],
      ['funds_transfer', '1e400'],
    ]);
  });

  test('of a duplicate key name the location of the first record, also in another file', async () => {
    workspace.writeFile('a.csv', csv(line(2023), line(2024)));
    workspace.writeFile('b.csv', csv(line(2025), line('FY24')));
    expect(await workspace.loadProblems(online, ['a.csv', 'b.csv'])).toEqual([
      'b.csv line 3, year: "FY24" must be given once; a.csv line 3 has "2024" in its place',
    ]);
    const { count, problems } = await loadInvalid(
      csv(...Array.from({ length: 250 }, () => line(2024))),
    );
    expect(count).toBe(249);
    expect(problems).toMatchObject([
      { at: 3, count: 249, others: [{ at: 4 }, { at: 5 }, { at: 6 }, { at: 7 }] },
    ]);
  });

  test('of one cause are listed up to five, and then once with their number', async () => {
    const list = async (count: number) =>
      (await loadInvalid(csv(...Array.from({ length: count }, () => 'soon,x,1,1,1')))).problems;
    expect(await list(5)).toHaveLength(10);
    const located = { file: 'a.csv', place: 'line' };
    expect(await list(6)).toMatchObject([
      { field: 'year', at: 2, count: 6, others: [3, 4, 5, 6].map((at) => ({ ...located, at })) },
      { field: 'cash_wtl', at: 2, count: 6 },
    ]);
  });
});

test.skipIf(process.platform !== 'linux')(
  'a load that is rejected leaves no file open',
  async () => {
    workspace.writeFile('a.csv', csv(line(2024)));
    const loading = workspace.load(online, 'a.csv', { mapping: { scale: { year: '1e-3' } } });
    await expect(loading).rejects.toThrow('which is no number');
    const folder = '/proc/self/fd';
    const open = readdirSync(folder).map((fd) => {
      try {
        return readlinkSync(join(folder, fd));
      } catch {
        return 'closed meanwhile';
      }
    });
    expect(
      open.filter((path) => path.startsWith(workspace.folder) && path.endsWith('a.csv')),
    ).toEqual([]);
  },
);

describe('blanks', () => {
  test('are rejected for numbers, and read as 0 with --blank zero', async () => {
    workspace.writeFile('a.csv', csv('2024,,137.8,0,137.8'));
    const [message] = await workspace.loadProblems(online, 'a.csv');
    expect(message).toEndWith('it is blank (--blank zero takes it as 0)');
    await workspace.load(online, 'a.csv', { mapping: { blank: 'zero' } });
    expect(await workspace.readRecords(online)).toMatchObject([{ cash_wtl: 0 }]);
  });

  test('are never read as 0 in other fields', async () => {
    workspace.writeFile('a.csv', csv(line('')));
    expect(await workspace.loadProblems(online, 'a.csv', { mapping: { blank: 'zero' } })).toEqual([
      'a.csv line 2, year: "" must be a year such as 2024, FY24 or 2023-24; it is blank',
    ]);
  });
});

describe('periods', () => {
  const quarter = (label: string) => `${label},1,1,1,1,1,5`;
  const header = 'period,cash_withdrawl,intra_bank,inter_bank,utility_bills,cash_deposits,total';

  test('are converted with --periods sbp', async () => {
    workspace.writeFile('a.csv', [header, quarter('Q2-FY24'), quarter('Jul-Sep 23')].join('\n'));
    await workspace.load(atmQuarterly, 'a.csv', { mapping: { periods: 'sbp' } });
    const records = await workspace.readRecords(atmQuarterly);
    expect(records.map(({ period }) => period)).toEqual(['Q2 2024', 'Q1 2024']);
  });

  test('marked as provisional are corrected by final ones', async () => {
    const mapping = { periods: 'sbp' } as const;
    workspace.writeFile('a.csv', csv(line('2023-24 (P)')));
    workspace.writeFile('b.csv', csv(line('2023-24', 62)));
    await workspace.load(online, 'a.csv', { mapping });
    expect((await workspace.load(online, 'b.csv', { mapping })).counts.corrected).toBe(1);
    expect(await workspace.readRecords(online)).toMatchObject([{ year: '2023-24', cash_wtl: 62 }]);
  });
});

describe('warnings', () => {
  const wrongTotal = (year: number) => `${year},1,1,1,9`;

  test('are grouped by rule and counted, the first of each with its location', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => wrongTotal(1990 + index));
    workspace.writeFile('a.csv', csv(...lines, line(2025)));
    const { revision, report } = await workspace.load(online, 'a.csv');
    const [parts, gaps, ...more] = report.warnings;
    expect(parts).toMatchObject({ rule: 'parts-off-total', count: 30 });
    expect(parts?.first).toHaveLength(1);
    expect(parts?.first[0]).toEqual({
      count: 30,
      others: [3, 4, 5, 6].map((at) => ({ file: 'a.csv', place: 'line', at })),
      file: 'a.csv',
      place: 'line',
      at: 2,
      field: 'total',
      value: 9,
      text: 'cash_wtl + cash_deposit + funds_transfer = 3, total says 9; off by 6, tolerance 0.2',
    });
    expect(gaps).toMatchObject({
      rule: 'period-gap',
      count: 1,
      first: [{ at: null, field: 'year' }],
    });
    expect(gaps?.first[0]?.text).toBe('5 missing from 1990 to 2025: 2020, 2021, 2022, 2023, 2024');
    expect(more).toEqual([]);
    const reader = workspace.store.reader();
    expect((await reader.ledgerEntry(revision?.revision ?? 0))?.report).toEqual({ ...report });
    reader.close();
  });

  test('consider the series as it is after the load', async () => {
    workspace.writeFile('a.csv', csv(line(2020), line(2022)));
    expect((await workspace.load(online, 'a.csv')).report.warnings).toHaveLength(1);
    workspace.writeFile('b.csv', csv(line(2021, 61.4)));
    expect((await workspace.load(online, 'b.csv')).report.warnings).toEqual([]);
  });
});

describe('a list of keyed values', () => {
  const keyed = (...pairs: [string, number][]) => pairs.map(([key, value]) => ({ key, value }));

  const ADVICE =
    'it is blank (--blank zero takes it as 0, --blank absent as a key that the list does not have)';

  test.each([
    ['a column for each key', 'provinces.punjab,provinces.kpk\nJun 2026,10,6,', 'provinces.kpk'],
    [
      'a row for each key',
      'provinces:key,provinces:value\nJun 2026,10,punjab,6\nJun 2026,10,kpk,',
      'provinces:value',
    ],
  ])(
    'with a blank in %s is rejected with the options, and read with either of them',
    async (_, content, field) => {
      workspace.writeFile('a.csv', `period,total,${content}\n`);
      const [message, ...more] = await workspace.loadProblems(agents, 'a.csv');
      expect(message).toInclude(`, ${field}: "" must be a finite number;`);
      expect(message).toEndWith(ADVICE);
      expect(more).toEqual([]);
      expect(await workspace.readRevision()).toBe(0);
      await workspace.load(agents, 'a.csv', { mapping: { blank: 'zero' } });
      expect(await workspace.readRecords(agents)).toMatchObject([
        { provinces: keyed(['punjab', 6], ['kpk', 0]) },
      ]);
      await workspace.load(agents, 'a.csv', { mapping: { blank: 'absent' } });
      expect(await workspace.readRecords(agents)).toMatchObject([
        { provinces: keyed(['punjab', 6]) },
      ]);
    },
  );

  test('with --blank absent still rejects other blank numbers', async () => {
    workspace.writeFile('a.csv', 'period,total,provinces.kpk\nJun 2026,,\n');
    const [message, ...more] = await workspace.loadProblems(agents, 'a.csv', {
      mapping: { blank: 'absent' },
    });
    expect(message).toStartWith('a.csv line 2, total: "" must be a finite number');
    expect(more).toEqual([]);
  });

  test('in one cell takes precedence over blank key columns, but must not contradict filled ones', async () => {
    const formatFile = (punjab: string, kpk: string, list: string) =>
      `period,total,provinces.punjab,provinces.kpk,provinces\nJun 2026,10,${punjab},${kpk},"${list.replaceAll('"', '""')}"\n`;
    const list = JSON.stringify(keyed(['punjab', 6]));
    for (const content of [formatFile('6', '', list), formatFile('', '', list)]) {
      workspace.writeFile('a.csv', content);
      await workspace.load(agents, 'a.csv');
      expect(await workspace.readRecords(agents)).toMatchObject([
        { provinces: keyed(['punjab', 6]) },
      ]);
    }
    workspace.writeFile('b.csv', formatFile('7', '2', list));
    expect(await workspace.loadProblems(agents, 'b.csv')).toEqual([
      'b.csv line 2, provinces.punjab: "7" must be 6, as the list in the column provinces says',
      'b.csv line 2, provinces.kpk: "2" must be blank: the list in the column provinces has no such key',
    ]);
  });

  test.each([
    ['a column for each key', 'provinces.kpk,Provinces.sindh\nJun 2026,10,1.5,2', 'provinces.kpk'],
    ['a row for each key', 'provinces:key,provinces:value\nJun 2026,10,kpk,1.5', 'provinces:value'],
  ])('in %s is rejected with the key of the invalid value', async (_, content, field) => {
    workspace.writeFile('a.csv', `period,national,${content}\n`);
    const [message, ...more] = await workspace.loadProblems(accounts, 'a.csv');
    expect(message).toStartWith(`a.csv line 2, ${field}: "1.5" must be a whole number`);
    expect(more).toEqual([]);
  });

  test('is read from a row for each key', async () => {
    const rows = ['Jun 2026,10,punjab,6', 'May 2026,9,sindh,4', 'Jun 2026,10,sindh,4'];
    workspace.writeFile(
      'a.csv',
      ['period,total,provinces:key,provinces:value', ...rows].join('\n'),
    );
    await workspace.load(agents, 'a.csv');
    expect(await workspace.readRecords(agents)).toEqual([
      { period: 'Jun 2026', total: 10, provinces: keyed(['punjab', 6], ['sindh', 4]) },
      { period: 'May 2026', total: 9, provinces: keyed(['sindh', 4]) },
    ]);
  });

  test.each([
    [
      'a key twice in one record',
      'period,total,provinces:key,provinces:value\nJun 2026,10,kpk,6\nJun 2026,10,kpk,4',
      'a.csv line 3, provinces:key: "kpk" must be given once in each record (or the mapping says "repeatedKeys": "add")',
    ],
    [
      'nearly all keys twice in one record, which has the label of another',
      'period,total,provinces:key,provinces:value\nJun 2026,10,kpk,6\nJun 2026,10,sindh,4\nJun 2026,10,kpk,5\nJun 2026,10,sindh,5',
      'a.csv line 4, period: "Jun 2026" must be given once: its keys are there from 2 on, and again',
    ],
    [
      'rows of one period that do not agree',
      'period,total,provinces:key,provinces:value\nJun 2026,10,kpk,6\nJun 2026,11,sindh,4',
      'a.csv line 3, period: "Jun 2026" must be given once; a.csv line 2 has the same',
    ],
    [
      'keys without values',
      'period,total,provinces:key\nJun 2026,10,kpk',
      'a.csv has, in line 1, a header without a column for provinces; its columns are period, total, provinces:key; --map "COLUMN=FIELD" names one',
    ],
    [
      'a value that is none',
      'period,total,provinces.kpk\nJun 2026,10,few',
      `a.csv line 2, provinces.kpk: "few" must be a number; if "few" stands for no value, name it in the mapping's blanks`,
    ],
  ])('with %s is rejected', async (_, content, message) => {
    workspace.writeFile('a.csv', content);
    expect(await workspace.loadProblems(agents, 'a.csv')).toEqual([message]);
    expect(await workspace.readRevision()).toBe(0);
  });
});
