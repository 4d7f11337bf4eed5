import { describe, expect, test } from 'bun:test';
import { fundAllocation as funds } from '../../src/catalogue/datasets/fund-allocation.ts';
import type { Mapping } from '../../src/publish/mapping/mapping.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';

const HEADER = 'fund,period,class,value';
const csv = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');
const JUNE = ['A,Jun 2026,Cash,10', 'A,Jun 2026,Bills,90'];
const MAY = ['A,May 2026,Cash,20', 'A,May 2026,Bills,80'];

const workspace = useLoadWorkspace();

async function load(content: string, mapping: Mapping = {}) {
  workspace.writeFile('f.csv', content);
  const { counts, report } = await workspace.load(funds, 'f.csv', { mapping });
  return { counts, report, records: await workspace.readRecords(funds) };
}

function loadInvalid(content: string, mapping: Mapping = {}) {
  workspace.writeFile('f.csv', content);
  return workspace.loadProblems(funds, 'f.csv', { mapping });
}

describe('fund allocation in rows', () => {
  test('becomes a record for each fund, its periods newest first', async () => {
    const { records } = await load(csv(...MAY, 'B,Jun 2026,Cash,100', ...JUNE));
    expect(records).toMatchObject([
      {
        fund_id: 'A',
        frequency: 'monthly',
        periods: [
          { label: 'Jun 2026', date: '2026-06-30' },
          { label: 'May 2026', date: '2026-05-31' },
        ],
        rows: [
          { label: 'Cash', values: [10, 20] },
          { label: 'Bills', values: [90, 80] },
        ],
      },
      { fund_id: 'B', periods: [{ label: 'Jun 2026' }], rows: [{ label: 'Cash', values: [100] }] },
    ]);
  });

  test('has values in percent, with the sign or without', async () => {
    const { records } = await load(csv('A,Jun 2026,Cash,40%', 'A,Jun 2026,Bills,60'));
    expect(records).toMatchObject([{ rows: [{ values: [40] }, { values: [60] }] }]);
  });

  test('keeps the current periods that are not in the file, and replaces those that are', async () => {
    await load(csv(...MAY, 'A,May 2026,Gold,0'));
    const { records, counts } = await load(
      csv(...JUNE, 'A,Jun 2026,Gold,0', ...MAY, 'A,May 2026,Gold,5'),
    );
    expect(counts).toMatchObject({ added: 0, corrected: 1 });
    expect(records).toMatchObject([
      {
        periods: [{ label: 'Jun 2026' }, { label: 'May 2026' }],
        rows: [
          { label: 'Cash', values: [10, 20] },
          { label: 'Bills', values: [90, 80] },
          { label: 'Gold', values: [0, 5] },
        ],
      },
    ]);
    expect((await load(csv(...JUNE, 'A,Jun 2026,Gold,0'))).counts.unchanged).toBe(1);
  });

  test('keeps the creation time of a fund, and changes its modification time only with its content', async () => {
    const { records: before } = await load(csv(...MAY));
    while (new Date().toISOString() <= String(before[0]?.modified)) await Bun.sleep(1);
    const { records: same } = await load(csv(...MAY));
    expect(same).toEqual(before);
    const { records: after } = await load(csv(...JUNE));
    expect(after[0]?.created).toBe(before[0]?.created);
    expect(String(after[0]?.modified) > String(before[0]?.modified)).toBe(true);
  });

  test('stores 0 before the first figure of a class that is new in a published fund, and names the cells', async () => {
    await load(csv(...MAY, 'A,Apr 2026,Cash,30', 'A,Apr 2026,Bills,70'));
    const june = csv(...JUNE.slice(0, 1), 'A,Jun 2026,Bills,60', 'A,Jun 2026,Gold,30');
    workspace.writeFile('f.csv', june);
    await expect(workspace.load(funds, 'f.csv', { mapping: {}, isStrict: true })).rejects.toThrow();
    const { records, report, counts } = await load(june);
    expect(counts.corrected).toBe(1);
    expect(records).toMatchObject([
      { rows: [{}, {}, { label: 'Gold', values: [30, 0, 0] }], periods: [{}, {}, {}] },
    ]);
    expect(report.warnings).toMatchObject([
      {
        rule: 'new-class',
        count: 1,
        first: [
          {
            file: 'f.csv',
            at: 4,
            value: 'Gold',
            text: '0 is stored for Gold of fund A in May 2026, Apr 2026, before its first figure',
          },
        ],
      },
    ]);
    // It is new no more, and a hole after its first figure is one.
    expect((await load(june)).report.warnings).toEqual([]);
    const july = ['A,Jul 2026,Cash,50', 'A,Jul 2026,Bills,20', 'A,Jul 2026,Gold,30'];
    expect(await loadInvalid(csv(...july, 'A,May 2026,Silver,0'))).toEqual([
      expect.stringContaining('"May 2026" must be given with every class'),
    ]);
    const gap = csv(...july, 'A,Aug 2026,Cash,50', 'A,Aug 2026,Bills,20', 'A,Aug 2026,Gold,30');
    expect(await loadInvalid(`${gap}A,Jul 2026,Silver,0\n`)).toEqual([
      'f.csv line 5, class: "Silver" must be given for Aug 2026 as well, in fund A (--blank zero takes it as 0)',
    ]);
  });

  test('is rejected if a class that is new in a published fund lacks a period between two', async () => {
    await load(csv(...MAY, 'A,Apr 2026,Cash,30', 'A,Apr 2026,Bills,70'));
    const april = ['A,Apr 2026,Cash,30', 'A,Apr 2026,Bills,60', 'A,Apr 2026,Gold,10'];
    expect(await loadInvalid(csv(...JUNE, 'A,Jun 2026,Gold,0', ...april))).toEqual([
      'f.csv line 4, class: "Gold" must be given for May 2026 as well, in fund A (--blank zero takes it as 0)',
    ]);
  });

  test('is rejected if a new fund lacks a class in a period', async () => {
    const message =
      'class: "Gold" must be given for May 2026 as well, in fund A (--blank zero takes it as 0)';
    // Reported at the first row of May, or where the file has none, at that of Gold.
    expect(await loadInvalid(csv(...JUNE, 'A,Jun 2026,Gold,0', ...MAY))).toEqual([
      `f.csv line 5, ${message}`,
    ]);
    await load(csv(...MAY));
    const { records, report } = await load(csv(...JUNE, 'A,Jun 2026,Gold,0'), { blank: 'zero' });
    expect(records).toMatchObject([{ rows: [{}, {}, { label: 'Gold', values: [0, 0] }] }]);
    expect(report.warnings).toEqual([]);
  });

  test('is rejected if it names a current period without all of its classes', async () => {
    const { records } = await load(csv(...JUNE, 'A,Jun 2026,Gold,0', ...MAY, 'A,May 2026,Gold,0'));
    const message = (classes: string) =>
      `f.csv line 2, period: "May 2026" must be given with every class that stands in it; fund A has no figure for ${classes}`;
    for (const mapping of [{}, { blank: 'zero' }] as const) {
      expect(await loadInvalid(csv('A,May 2026,Cash,21'), mapping)).toEqual([
        message('Bills, Gold'),
      ]);
    }
    // A blank is no figure either: 0 must be written where a figure is to become 0.
    const blanks = csv('A,May 2026,Cash,', 'A,May 2026,Bills,80', 'A,May 2026,Gold,');
    expect(await loadInvalid(blanks, { blank: 'zero' })).toEqual([message('Cash')]);
    expect(await workspace.readRecords(funds)).toEqual(records);
    const complete = csv('A,May 2026,Cash,0', 'A,May 2026,Bills,100', 'A,May 2026,Gold,');
    expect((await load(complete, { blank: 'zero' })).records).toMatchObject([
      { rows: [{ values: [10, 0] }, { values: [90, 100] }, { values: [0, 0] }] },
    ]);
  });

  test('loaded with --replace keeps no current period, and publishes nothing when loaded again', async () => {
    const { records: before } = await load(csv(...JUNE, ...MAY));
    workspace.writeFile('f.csv', csv('A,May 2026,Bills,70', 'A,May 2026,Gold,30'));
    const { counts } = await workspace.load(funds, 'f.csv', { replace: true });
    expect(counts).toMatchObject({ corrected: 1, retired: 0 });
    const records = await workspace.readRecords(funds);
    expect(records).toMatchObject([
      {
        created: before[0]?.created,
        periods: [{ label: 'May 2026', date: '2026-05-31' }],
        rows: [
          { label: 'Bills', values: [70] },
          { label: 'Gold', values: [30] },
        ],
      },
    ]);
    expect((await workspace.load(funds, 'f.csv', { replace: true })).revision).toBeUndefined();
  });

  test('from JSON is rejected if a value is no number, whatever the blank policy', async () => {
    const content = JSON.stringify([{ fund: 'A', period: 'Jun 2026', class: 'Cash', value: true }]);
    workspace.writeFile('f.json', content);
    const [message, ...more] = await workspace.loadProblems(funds, 'f.json', {
      mapping: { blank: 'zero' },
    });
    expect(message).toEndWith(', value: true must be a number');
    expect(more).toEqual([]);
  });

  test('reads a blank value as 0 only with --blank zero', async () => {
    const content = csv('A,Jun 2026,Cash,', 'A,Jun 2026,Bills,100');
    expect(await loadInvalid(content)).toEqual([
      'f.csv line 2, value: "" must be a number; it is blank (--blank zero takes it as 0)',
    ]);
    const { records } = await load(content, { blank: 'zero' });
    expect(records).toMatchObject([{ rows: [{ values: [0] }, { values: [100] }] }]);
  });

  test('takes the date of its column, with any label', async () => {
    const header = 'fund_id,period,date,class,value,frequency';
    const { records } = await load(`${header}\nA,H1 2026,2026-06-30,Cash,100,half-yearly\n`);
    expect(records).toMatchObject([
      { frequency: 'half-yearly', periods: [{ label: 'H1 2026', date: '2026-06-30' }] },
    ]);
    const { records: dated } = await load('fund,date,class,value\nB,2026-03-31,Cash,100\n');
    expect(dated[1]).toMatchObject({ periods: [{ label: 'Mar 2026', date: '2026-03-31' }] });
  });

  test('keeps a period that is named by a day as it is, also by the first of a month', async () => {
    const rows = ['2026-06-01', '2026-05-25'].map((day) => `A,${day},Cash,100`);
    const { records } = await load(csv(...rows));
    expect(records).toMatchObject([
      {
        periods: [
          { label: '2026-06-01', date: '2026-06-01' },
          { label: '2026-05-25', date: '2026-05-25' },
        ],
      },
    ]);
  });

  test('infers the frequency of a fund from its last two periods', async () => {
    const rows = [
      'A,Jun 2026,Cash,100',
      'A,Mar 2026,Cash,100',
      'B,2026-06-12,Cash,100',
      'B,2026-06-05,Cash,100',
    ];
    const { records } = await load(csv(...rows));
    expect(records.map(({ frequency }) => frequency)).toEqual(['quarterly', 'weekly']);
    // The shortest and the longest month, quarter and year, of 28 to 366 days.
    const pairs = {
      monthly: ['2026-01-31 2026-02-28', '2026-07-31 2026-08-31'],
      quarterly: ['2025-11-30 2026-02-28', '2026-01-31 2026-04-30', '2026-06-30 2026-09-30'],
      annual: ['2024-12-31 2025-12-31', '2023-06-30 2024-06-30'],
    };
    for (const [frequency, days] of Object.entries(pairs)) {
      const lines = days.flatMap((pair, index) =>
        pair.split(' ').map((day) => `${frequency} ${index},${day},Cash,100`),
      );
      const loaded = (await load(csv(...lines))).records;
      const found = loaded.filter(({ fund_id }) => String(fund_id).startsWith(frequency));
      expect(found.map((record) => record.frequency)).toEqual(days.map(() => frequency));
    }
  });

  test('is read from JSON and with mapped column names', async () => {
    const rows = [{ Fund: 'A', Month: 'Jun-26', Kind: 'Cash', Share: '100' }];
    workspace.writeFile('f.json', JSON.stringify(rows));
    const columns = { Month: 'period', Kind: 'class', Share: 'value' };
    await workspace.load(funds, 'f.json', { mapping: { columns, periods: 'sbp' } });
    expect(await workspace.readRecords(funds)).toMatchObject([
      {
        periods: [{ label: 'Jun 2026', date: '2026-06-30' }],
        rows: [{ label: 'Cash', values: [100] }],
      },
    ]);
  });

  test.each([
    [
      'a class twice in a period',
      csv(...JUNE, 'A,Jun 2026,Cash,5'),
      'f.csv line 4, class: "Cash" must be given once for 2026-06-30',
    ],
    [
      'a period that is no month',
      csv('A,H1 2026,Cash,100'),
      'f.csv line 2, period: "H1 2026" must be a month such as Jan 2024; a day does as well, or a column with the date',
    ],
    [
      'a period as sources write it',
      csv('A,Jun-26,Cash,100'),
      'f.csv line 2, period: "Jun-26" must be a month such as Jan 2024; with --periods sbp "Jun-26" becomes Jun 2026; a day does as well, or a column with the date',
    ],
    [
      'a value without a period',
      csv('A,,Cash,100'),
      'f.csv line 2, period: "" must be given, or a date, if there is a value',
    ],
    [
      'no period at all',
      'fund,class,value\nA,Cash,100',
      'f.csv line 2, period: "" must be given, or a date, if there is a value',
    ],
    [
      'a value without a class',
      csv('A,Jun 2026,,100'),
      'f.csv line 2, class: "" must be given if there is a value',
    ],
    [
      'a value that is none, without a class',
      csv('A,Jun 2026,,all'),
      `f.csv line 2, value: "all" must be a number; if "all" stands for no value, name it in the mapping's blanks`,
    ],
    [
      'two labels for one day',
      `fund,period,date,class,value\nA,Jun 2026,2026-06-30,Cash,50\nA,June,2026-06-30,Bills,50`,
      'f.csv line 3, period: "June" must be "Jun 2026", as before for 2026-06-30',
    ],
    [
      'two frequencies',
      `${HEADER},frequency\nA,Jun 2026,Cash,50,monthly\nA,Jun 2026,Bills,50,weekly`,
      'f.csv line 3, frequency: "weekly" must be the same in every row of a fund; before, it is monthly',
    ],
    [
      'one fund in two spellings',
      csv('Ab,Jun 2026,Cash,50', 'AB,Jun 2026,Bills,50'),
      'f.csv line 3, fund_id: "AB" must be given once; f.csv line 2 has "Ab" in its place',
    ],
    [
      'a row that is cut short',
      csv('A,Jun 2026,Cash'),
      'f.csv line 2: "A, Jun 2026, Cash" must be a row of 4 cells, as the header has; it has 3',
    ],
  ])('with %s is rejected with one problem', async (_, content, message) => {
    expect(await loadInvalid(content)).toEqual([message]);
  });

  test.each([
    '2026-07-08T09:00:00',
    '20260708T0900+05',
    '2026-W28-3T09,5',
    '2026-07-08T14:00:00+05:00',
  ])('keeps %s as it is given for created and modified, from rows and from JSON', async (given) => {
    const header = `${HEADER},created,modified`;
    const { records } = await load(
      `${header}\n${JUNE.map((line) => `${line},"${given}","${given}"`).join('\n')}\n`,
    );
    expect(records).toMatchObject([{ created: given, modified: given }]);
    const { records: reloaded } = await load(JSON.stringify([{ ...records[0], fund_id: 'C' }]));
    expect(reloaded).toMatchObject([{}, { fund_id: 'C', created: given, modified: given }]);
  });

  test.each(['2026-07-08', '8 July 2026', '2026-02-30T09:00:00Z', '2026-07-08 09:00:00'])(
    'rejects %s for created, which is no ISO 8601 date and time',
    async (given) => {
      const [line] = await loadInvalid(`${HEADER},created\n${JUNE[0]},${given}\n`);
      expect(line).toBe(
        `f.csv line 2, created: "${given}" must be an ISO 8601 date and time such as 2026-06-30T12:00:00Z or 20260630T1200`,
      );
    },
  );

  test('warns of a period that does not add up to 100', async () => {
    const { report } = await load(csv('A,Jun 2026,Cash,50', 'A,Jun 2026,Bills,40'));
    expect(report.warnings).toMatchObject([{ rule: 'rows-off-100', count: 1 }]);
    expect(report.warnings[0]?.first[0]?.text).toStartWith('the rows of "Jun 2026" add up to 90');
  });
});
