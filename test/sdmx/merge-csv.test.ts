import { describe, expect, test } from 'bun:test';
import { branchlessBankingAgents } from '../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { packLoad } from '../../src/publish/desk/candidate-files.ts';
import { findStale } from '../../src/publish/desk/find-stale.ts';
import { ReleaseDesk } from '../../src/publish/desk/release-desk.ts';
import { loadFiles } from '../../src/publish/load/load-files.ts';
import { declareIn } from '../support/declared-rates.ts';
import { useLoadWorkspace, type WorkspaceLoadOptions } from '../support/load-workspace.ts';
import { encodeRow, publishAt } from '../support/publish-at.ts';
import { ENGINES } from '../support/store.ts';

const TRADE: Declaration = {
  name: 'trade',
  title: 'Trade',
  period: { kind: 'month', field: 'month' },
  dimensions: [{ field: 'country', title: 'Country' }],
  measures: [
    { field: 'total', title: 'Total', unit: 'PKR', kind: 'flow', required: true },
    { field: 'exports', title: 'Exports', unit: 'PKR', kind: 'flow' },
    { field: 'imports', title: 'Imports', unit: 'PKR', kind: 'flow' },
  ],
  checks: [{ sum: ['exports', 'imports'], equals: 'total' }],
  status: true,
};
const trade = createDeclaredDataset(TRADE);
const rates = createDeclaredDataset({
  name: 'rates',
  title: 'Rates',
  period: { kind: 'month', field: 'month' },
  dimensions: [{ field: 'tenor', title: 'Tenor' }],
  measures: [{ field: 'rate', title: 'Rate', unit: 'percent', kind: 'rate' }],
  coverage: 'open',
});

const record = (month: string, country: string, figures: readonly unknown[], status = 'P') => {
  const [total, exports, imports] = figures;
  return { month, country, total, exports, imports, status };
};
/** Newest first. */
const RECORDS = [
  record('Feb 2026', 'CN', [7, 3, 4]),
  record('Feb 2026', 'US', [-2, -2, 0], 'A'),
  record('Jan 2026', 'CN', [5, 2, 3]),
  record('Jan 2026', 'US', [0, null, null]),
];

const HEADER = 'STRUCTURE,STRUCTURE_ID,ACTION,COUNTRY,MEASURE,TIME_PERIOD,OBS_VALUE';
const row = (action: string, key: string, value: number | string = '', status?: string) => {
  const [month = '', country = '', measure = ''] = key
    .split(' ')
    .map((part) => part.replace('*', ''));
  const cells = ['dataflow', 'X:TRADE(1.0)', action, country, measure, month, value];
  return [...cells, ...(status === undefined ? [] : [status])].join();
};
const file = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;
const fileWithStatus = (...rows: string[]) => `${[`${HEADER},OBS_STATUS`, ...rows].join('\n')}\n`;

const ANY_NUMBER = { canRetireMany: true, isPartial: true } as const;

describe.each(ENGINES)('changes in SDMX-CSV on $name', ({ createStore }) => {
  const workspace = useLoadWorkspace(createStore);
  const load = async (text: string, dataset: Dataset = trade, options?: WorkspaceLoadOptions) => {
    workspace.writeFile('d.csv', text);
    return workspace.load(dataset, 'd.csv', { ...ANY_NUMBER, ...options });
  };
  const publish = (records: readonly AnyRecord[] = RECORDS, dataset: Dataset = trade) =>
    publishAt(workspace.store, 0, dataset, { records });
  const warnings = ({ report }: Awaited<ReturnType<typeof load>>, rule: string) =>
    report.warnings
      .filter((group) => group.rule === rule)
      .map(({ count, first }) => [count, first[0]?.text]);

  const change = (key: string, changes: AnyRecord) =>
    RECORDS.map((each) =>
      `${each.month} ${each.country}` === key ? { ...each, ...changes } : each,
    );
  const without = (test: (record: (typeof RECORDS)[number]) => boolean) =>
    RECORDS.filter((each) => !test(each));

  test.each([
    ...['I', 'A', 'M', ''].flatMap((action): [string, string, readonly AnyRecord[]][] => [
      [
        `${action}: a measure alone keeps the others and the status`,
        file(row(action, '2026-02 CN imports', 0)),
        change('Feb 2026 CN', { imports: 0 }),
      ],
      [
        `${action}: a status keeps figures that are given as they are`,
        fileWithStatus(
          ...['total', 'exports', 'imports'].map((measure, index) =>
            row(action, `2026-01 CN ${measure}`, [5, 2, 3][index], 'A'),
          ),
        ),
        change('Jan 2026 CN', { status: 'A' }),
      ],
      [
        `${action}: NaN is no figure`,
        file(row(action, '2026-02 CN exports', 'NaN')),
        change('Feb 2026 CN', { exports: null }),
      ],
      [
        `${action}: what is new has no other figures`,
        file(row(action, '2026-03 CN total', -1), row(action, '2026-02 US imports', 1)),
        [record('Mar 2026', 'CN', [-1, null, null], 'A'), ...change('Feb 2026 US', { imports: 1 })],
      ],
      [
        `${action}: two rows of two measures of one key, apart from each other`,
        file(
          row(action, '2026-02 CN imports', 1),
          row(action, '2026-01 US exports', 2),
          row(action, '2026-02 CN exports', 8),
        ),
        change('Feb 2026 CN', { imports: 1, exports: 8 }).with(
          3,
          record('Jan 2026', 'US', [0, 2, null]),
        ),
      ],
    ]),
    ...['I', 'A', ''].map((action): [string, string, readonly AnyRecord[]] => [
      `${action}: a blank is no figure`,
      file(row(action, '2026-02 CN exports')),
      change('Feb 2026 CN', { exports: null }),
    ]),
    [
      'M: blanks change nothing, and make no record',
      fileWithStatus(row('M', '2026-02 CN exports', '', ''), row('M', '2026-04 CN total', '', 'P')),
      RECORDS,
    ],
    [
      'M: a status without a figure is that of the figure that there is',
      fileWithStatus(row('M', '2026-02 US exports', '', 'E')),
      change('Feb 2026 US', { status: 'E' }),
    ],
    [
      'statuses without figures, for which there is no column',
      'DATAFLOW,COUNTRY,MEASURE,TIME_PERIOD,OBS_STATUS\nTRADE,US,total,2026-01,E\n',
      change('Jan 2026 US', { status: 'E' }),
    ],
    [
      'D: a measure in a file that has no column for figures; R of none makes no record',
      'DATAFLOW,ACTION,COUNTRY,MEASURE,TIME_PERIOD\nTRADE,D,CN,exports,2026-02\nTRADE,R,CN,total,2026-04\n',
      change('Feb 2026 CN', { exports: null }),
    ],
    [
      'R: the record has what the rows name alone',
      file(row('R', '2026-02 CN total', 7), row('R', '2026-02 CN imports', 7)),
      change('Feb 2026 CN', { exports: null, imports: 7, status: 'A' }),
    ],
    [
      'R after M: what came before is replaced as well; M after R is added',
      file(
        row('M', '2026-02 CN exports', 1),
        row('R', '2026-02 CN total', 7),
        row('M', '2026-02 CN imports', 7),
      ),
      change('Feb 2026 CN', { exports: null, imports: 7, status: 'A' }),
    ],
    [
      'D: a measure is blanked',
      file(row('D', '2026-02 CN exports')),
      change('Feb 2026 CN', { exports: null }),
    ],
    [
      'D: a record',
      file(row('D', '2026-02 CN *')),
      without(({ month, country }) => month === 'Feb 2026' && country === 'CN'),
    ],
    [
      'D: a record by its measures one by one',
      file(...['total', 'exports', 'imports'].map((measure) => row('D', `2026-02 CN ${measure}`))),
      without(({ month, country }) => month === 'Feb 2026' && country === 'CN'),
    ],
    [
      'D: a record by the only figure that it has',
      file(row('D', '2026-01 US total')),
      without(({ month, country }) => month === 'Jan 2026' && country === 'US'),
    ],
    [
      'D: what is not there',
      file(row('D', '2020-01 CN *'), row('D', '2020-01 CN total'), row('D', '* FR *')),
      RECORDS,
    ],
    [
      'D: all of a period',
      file(row('D', '2026-01 * *')),
      without(({ month }) => month === 'Jan 2026'),
    ],
    ['D: all of a country', file(row('D', '* US *')), without(({ country }) => country === 'US')],
    ['D: everything', file(row('D', '* * *')), []],
    [
      'D: a measure of all periods of a country',
      file(row('D', '* CN exports')),
      RECORDS.map((each) => (each.country === 'CN' ? { ...each, exports: null } : each)),
    ],
    [
      'D, then M: the record begins anew',
      file(row('D', '* CN *'), row('M', '2026-02 CN total', 1)),
      [
        record('Feb 2026', 'CN', [1, null, null], 'A'),
        ...without(({ country }) => country === 'CN'),
      ],
    ],
    [
      'M, then D: the record is gone',
      file(row('M', '2026-02 CN total', 1), row('M', '2026-05 CN total', 1), row('D', '* CN *')),
      without(({ country }) => country === 'CN'),
    ],
    [
      'M, then D, of one measure',
      file(
        row('M', '2026-02 CN exports', 1),
        row('D', '2026-02 CN exports'),
        row('M', '2026-02 CN imports', 9),
      ),
      change('Feb 2026 CN', { exports: null, imports: 9 }),
    ],
    [
      'D, then M, of one measure',
      file(row('D', '2026-02 * exports'), row('M', '2026-02 CN exports', 1)),
      change('Feb 2026 CN', { exports: 1 }).map((each) =>
        each.month === 'Feb 2026' && each.country === 'US' ? { ...each, exports: null } : each,
      ),
    ],
  ] as [string, string, readonly AnyRecord[]][])('%s', async (_, text, expected) => {
    await publish();
    await load(text);
    expect(await workspace.readRecords(trade)).toEqual([...expected]);
    // The records are as they shall be.
    if (!/,M,.*\n.*,D,/s.test(text)) expect((await load(text)).revision).toBeUndefined();
  });

  test('each of more records than a statement looks for keeps its own other figures', async () => {
    const records = Array.from({ length: 250 }, (_, index) =>
      record('Feb 2026', `C${String(index).padStart(3, '0')}`, [index, index, 0]),
    );
    await publish(records);
    const rows = records.map(({ country }, index) =>
      row('M', `2026-02 ${country} imports`, -1 - index),
    );
    await load(file(...rows));
    expect(await workspace.readRecords(trade)).toEqual(
      records.map((each, index) => ({ ...each, imports: -1 - index })),
    );
  });

  test('a record from before its dataset had another measure has none of it', async () => {
    const [total] = TRADE.measures;
    const { checks: _, ...declaration } = TRADE;
    const earlier = createDeclaredDataset({ ...declaration, measures: total ? [total] : [] });
    await publish([{ month: 'Feb 2026', country: 'CN', total: 7, status: 'P' }], earlier);
    await load(file(row('M', '2026-02 CN exports', 0)));
    expect(await workspace.readRecords(trade)).toEqual([record('Feb 2026', 'CN', [7, 0, null])]);
    await load(file(row('D', '2026-02 CN exports')));
    expect(await workspace.readRecords(trade)).toEqual([record('Feb 2026', 'CN', [7, null, null])]);
  });

  test('a deletion of a required measure, of a record that has others, is a problem of what would be left', async () => {
    await publish();
    workspace.writeFile('d.csv', file(row('D', '2026-02 CN total')));
    const problems = await workspace.loadProblems(trade, 'd.csv');
    expect(problems).toEqual([expect.stringContaining('total: null must be a finite number')]);
    workspace.writeFile('d.csv', file(row('M', '2026-05 CN exports', 1)));
    expect(await workspace.loadProblems(trade, 'd.csv')).toEqual([
      expect.stringContaining('line 2, total: missing; must be a finite number'),
    ]);
  });

  test('the checks of a delta are those of the record that it makes', async () => {
    await publish();
    const fit = await load(
      file(row('M', '2026-02 CN imports', 5), row('M', '2026-02 CN total', 8)),
    );
    expect(warnings(fit, 'parts-off-total')).toEqual([]);
    const off = await load(file(row('M', '2026-02 CN imports', 9)));
    expect(warnings(off, 'parts-off-total')).toEqual([[1, expect.stringContaining('12')]]);
    expect(warnings(off, 'measure-missing')).toEqual([]);
  });

  test('of several statuses of one record the weakest stays, and a warning counts such records', async () => {
    await publish();
    const some = await load(
      fileWithStatus(
        row('M', '2026-02 CN imports', 4, 'A'),
        row('M', '2026-02 US exports', -2, 'P'),
        row('M', '2026-02 US imports', 0, 'e'),
        row('M', '2026-01 CN total', 5, 'A'),
      ),
    );
    const statuses = (await workspace.readRecords(trade)).map(({ status }) => status);
    expect(statuses).toEqual(['P', 'E', 'P', 'P']);
    expect(warnings(some, 'statuses-differ')).toEqual([
      [3, 'figures of one record have the statuses A, P: it gets P'],
    ]);
    const all = ['total', 'exports', 'imports'].map((measure, index) =>
      row('M', `2026-02 CN ${measure}`, [7, 3, 4][index], 'A'),
    );
    expect(warnings(await load(fileWithStatus(...all)), 'statuses-differ')).toEqual([]);
    expect((await workspace.readRecords(trade))[0]?.status).toBe('A');
  });

  test('a record with one measure is merged in the order of the file as well', async () => {
    const rate = (month: string, tenor: string, value: number | null) => ({
      ...{ month, tenor, rate: value },
    });
    const old = encodeRow(rates, rate('Jan 2026', '1M', 1), 'P');
    await publishAt(workspace.store, 0, rates, { rows: [[old]] });
    const lines = (...rows: string[]) =>
      `DATAFLOW,ACTION,TENOR,TIME_PERIOD,OBS_VALUE\n${rows.map((each) => `RATES,${each}\n`).join('')}`;
    await load(lines('I,1M,2026-01,2', 'I,6M,2026-01,3'), rates);
    const stored = await workspace.store.query(
      "SELECT status, record FROM observations_now WHERE dataset = 'rates' ORDER BY dimension1",
    );
    expect(stored).toEqual([
      { status: 'P', record: JSON.stringify(rate('Jan 2026', '1M', 2)) },
      { status: 'A', record: JSON.stringify(rate('Jan 2026', '6M', 3)) },
    ]);
    await load(lines('I,1M,2026-01,NaN'), rates);
    const [blank] = await workspace.store.query(
      "SELECT status, record FROM observations_now WHERE dataset = 'rates' AND dimension1 = '1M'",
    );
    expect(blank).toEqual({ status: 'P', record: JSON.stringify(rate('Jan 2026', '1M', null)) });
    await load(lines('I,1M,2026-02,0', 'D,1M,,', 'I,1M,2026-03,-4'), rates);
    expect(await workspace.readRecords(rates)).toEqual([
      rate('Mar 2026', '1M', -4),
      rate('Jan 2026', '6M', 3),
    ]);
    workspace.writeFile('d.csv', lines('I,1M,2026-03,1', 'I,1M,2026-03,2'));
    expect(await workspace.loadProblems(rates, 'd.csv')).toHaveLength(1);
  });

  test('a part of a list is merged with the others, in their order', async () => {
    const agents = (total: number, provinces: Readonly<Record<string, number>>) => ({
      ...{ period: 'Jan 2026', total },
      provinces: Object.entries(provinces).map(([key, value]) => ({ key, value })),
    });
    await publish([agents(9, { sindh: 1, kpk: 2, punjab: 3 })], branchlessBankingAgents);
    const lines = (...rows: string[]) =>
      `DATAFLOW,ACTION,MEASURE,TIME_PERIOD,OBS_VALUE\n${rows.map((each) => `BRANCHLESS_BANKING_AGENTS,${each}\n`).join('')}`;
    const loadAgents = async (...rows: string[]) => {
      await load(lines(...rows), branchlessBankingAgents);
      return workspace.readRecords(branchlessBankingAgents);
    };
    expect(await loadAgents('M,provinces_kpk,2026-01,0', 'M,provinces_ajk,2026-01,4')).toEqual([
      agents(9, { sindh: 1, kpk: 0, punjab: 3, ajk: 4 }),
    ]);
    expect(await loadAgents('D,provinces_kpk,2026-01,', 'I,provinces_sindh,2026-01,')).toEqual([
      agents(9, { punjab: 3, ajk: 4 }),
    ]);
    expect(await loadAgents('M,provinces_punjab,2026-01,', 'M,total,2026-01,8')).toEqual([
      agents(8, { punjab: 3, ajk: 4 }),
    ]);
    expect(await loadAgents('R,total,2026-01,8', 'R,provinces_kpk,2026-01,5')).toEqual([
      agents(8, { kpk: 5 }),
    ]);
  });

  test('a dry run, and the load after it, are each merged with what is published when they run', async () => {
    await publish();
    const text = file(row('M', '2026-02 CN imports', 5));
    const checked = await load(text, trade, { isDryRun: true });
    expect(checked.counts.corrected).toBe(1);
    expect(await workspace.readRecords(trade)).toEqual(RECORDS);
    await publish(change('Feb 2026 CN', { exports: 30, status: 'A' }));
    await load(text, trade, { checked, at: new Date(Date.now() + 1_000) });
    expect((await workspace.readRecords(trade))[0]).toEqual(
      record('Feb 2026', 'CN', [7, 30, 5], 'A'),
    );
  });

  test('two loads of two measures at one time keep the figures of each other', async () => {
    await publish();
    const texts = [row('M', '2026-02 CN imports', 5), row('M', '2026-02 CN exports', 6)].map(
      (each) => file(each),
    );
    const loads = texts.map(async (text, index) => {
      const name = `${index}.csv`;
      const publisher = workspace.store.publisher();
      const files = [{ path: workspace.writeFile(name, text), name }];
      await loadFiles(publisher, { dataset: trade, files, mapping: {}, author: 'test' });
      publisher.close();
    });
    await Promise.all(loads);
    expect((await workspace.readRecords(trade))[0]).toEqual(record('Feb 2026', 'CN', [7, 6, 5]));
  });

  test('a candidate is stale when another revision changes other figures of its records, and merged anew', async () => {
    await declareIn(workspace.store, TRADE);
    await publish();
    const path = workspace.writeFile(
      'c.csv',
      file(row('M', '2026-02 CN imports', 5), row('D', '* US exports')),
    );
    const [publisher, candidates] = [workspace.store.publisher(), workspace.store.candidates()];
    const desk = new ReleaseDesk(publisher, candidates);
    const input = { kind: 'load', dataset: trade.name, options: { mapping: {} } } as const;
    const packed = await packLoad(input, [{ path, name: 'c.csv' }], undefined);
    const stage = () =>
      desk.stage({ ...packed, author: 'ann', bundle: undefined, due: undefined, note: undefined });
    const reader = workspace.store.reader();
    await stage();
    await publish([record('Jan 2026', 'CN', [9, 9, 0])]);
    expect(await findStale(candidates, reader)).toEqual([]);
    await publish(change('Feb 2026 CN', { exports: 2 }).slice(0, 1));
    expect(await findStale(candidates, reader)).toMatchObject([{ id: 1 }]);
    await desk.withdraw(1);
    await stage();
    // Another record that it deletes a figure of.
    await publish([record('Dec 2025', 'US', [1, 1, 0])]);
    await expect(desk.publish([2])).rejects.toThrow('would change other records');
    await desk.withdraw(2);
    await stage();
    await desk.publish([3]);
    expect(await workspace.readRecords(trade)).toEqual([
      record('Feb 2026', 'CN', [7, 2, 5]),
      record('Feb 2026', 'US', [-2, null, 0], 'A'),
      record('Jan 2026', 'CN', [9, 9, 0]),
      record('Jan 2026', 'US', [0, null, null]),
      record('Dec 2025', 'US', [1, null, 0]),
    ]);
    for (const each of [publisher, candidates, reader]) each.close();
  });

  test('--replace takes the file for all that there is, so that nothing is kept', async () => {
    await publish();
    await load(file(row('I', '2026-02 CN total', 7)), trade, { replace: true });
    expect(await workspace.readRecords(trade)).toEqual([
      record('Feb 2026', 'CN', [7, null, null], 'A'),
    ]);
  });

  test('a deletion by wildcards counts what it deletes, and a delta what it changes, for the guards', async () => {
    await publish();
    workspace.writeFile('d.csv', file(row('D', '* CN *')));
    await expect(workspace.load(trade, 'd.csv')).rejects.toThrow(
      'ACTION D would retire 2 of 4 records of trade, more than 10 %',
    );
    // The newest period has all series, whatever the delta has of it.
    await publish([
      ...RECORDS,
      record('Mar 2026', 'CN', [1, 1, 0]),
      record('Mar 2026', 'US', [1, 1, 0]),
    ]);
    workspace.writeFile(
      'd.csv',
      file(row('M', '2026-03 CN imports', 2), row('M', '2026-03 FR total', 1)),
    );
    const { counts } = await workspace.load(trade, 'd.csv');
    expect(counts).toEqual({ added: 1, corrected: 1, retired: 0, unchanged: 0 });
    workspace.writeFile('d.csv', file(row('M', '2026-04 CN total', 2)));
    await expect(workspace.load(trade, 'd.csv')).rejects.toThrow(
      'Apr 2026 of trade has 1 of the 3 series of the period before',
    );
  });
});
