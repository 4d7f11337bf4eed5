import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { GuardError } from '../../src/publish/errors.ts';
import { listApplicableRules } from '../../src/publish/quality/applicable-rules.ts';
import { retireRecords } from '../../src/publish/retire-records.ts';
import {
  createLoadWorkspace,
  useLoadWorkspace,
  type WorkspaceLoadOptions,
} from '../support/load-workspace.ts';

const DECLARATION: Declaration = {
  name: 'deposits',
  title: 'Deposits',
  period: { kind: 'month', field: 'month' },
  dimensions: [
    { field: 'bank', title: 'Bank' },
    { field: 'sector', title: 'Sector', codes: { P: 'private', G: 'public' } },
  ],
  measures: [
    { field: 'retail', title: 'Retail', unit: 'PKR million', kind: 'stock', required: true },
    { field: 'other', title: 'Other', unit: 'PKR million', kind: 'stock' },
    { field: 'total', title: 'Total', unit: 'PKR million', kind: 'stock' },
  ],
  checks: [
    { sum: ['retail', 'other'], equals: 'total', tolerance: 1 },
    { field: 'retail', min: 0 },
    { field: 'retail', max: 1e6 },
  ],
};
const deposits = createDeclaredDataset({ ...DECLARATION, coverage: 'open' });
const stable = createDeclaredDataset(DECLARATION);

const MONTHS = ['Jan 2025', 'Feb 2025', 'Mar 2025', 'Apr 2025', 'May 2025', 'Jun 2025'];
const BANKS = ['ABL', 'HBL', 'MCB', 'NBP', 'UBL', 'JSB'];

const rows = (months: readonly string[], banks: readonly string[], change = 0) =>
  months.flatMap((month) =>
    banks.map((bank, index) => {
      const retail = (index + 1) * 1000 + Number(month.slice(-1)) + change;
      return `${month},${bank},P,${retail},50,${retail + 50}`;
    }),
  );
const csv = (...lines: readonly string[]) =>
  ['month,bank,sector,retail,other,total', ...lines, ''].join('\n');

describe('a load of a declared dataset', () => {
  const workspace = useLoadWorkspace();
  const load = (lines: readonly string[], options?: WorkspaceLoadOptions) => {
    workspace.writeFile('d.csv', csv(...lines));
    return workspace.load(deposits, 'd.csv', options);
  };
  const findWarnings = async (lines: readonly string[]) =>
    (await load(lines)).report.warnings.flatMap(({ rule, first }) =>
      first.map(({ at, text }) => `${at ?? ''} ${rule}: ${text}`),
    );
  const findProblems = (lines: readonly string[]) => {
    workspace.writeFile('d.csv', csv(...lines));
    return workspace.loadProblems(deposits, 'd.csv', { today: '2025-07-15' });
  };

  test('limits corrections of the records before its last two periods', async () => {
    await load(rows(MONTHS, BANKS));
    const { counts } = await load(rows(MONTHS.slice(4), BANKS, 1));
    expect(counts.corrected).toBe(12);
    const many = load([...rows(MONTHS.slice(2, 5), BANKS, 2), ...rows(['Jul 2025'], BANKS)]);
    await expect(many).rejects.toThrow(
      '12 of 12 loaded records of deposits before May 2025 would correct published ones, more than 50 %',
    );
    // Nine are few, and half is not more than half.
    expect((await load(rows(MONTHS.slice(0, 3), BANKS.slice(3), 2))).counts.corrected).toBe(9);
    const half = [
      ...rows(MONTHS.slice(0, 2), BANKS, 3),
      ...rows(MONTHS.slice(2, 4), BANKS.slice(0, 3)),
    ];
    expect((await load(half, { canCorrectMany: true })).counts.corrected).toBe(12);
  });

  test('limits retirements by --replace, and looks for gaps in what is left', async () => {
    await load(rows(MONTHS, BANKS));
    const most = rows(MONTHS.slice(1), BANKS);
    const rejection = await load(most, { replace: true }).catch((cause) => cause);
    expect(rejection).toBeInstanceOf(GuardError);
    expect(rejection.message).toContain('--replace would retire 6 of 36 records of deposits');
    const others = rows(['Jan 2025', 'Apr 2025'], BANKS);
    const { report } = await load(others, { replace: true, canRetireMany: true });
    expect(report.warnings).toMatchObject([
      {
        rule: 'period-gap',
        first: [{ text: '2 missing from Jan 2025 to Apr 2025: Feb 2025, Mar 2025' }],
      },
    ]);
  });

  test('looks for gaps among all periods, once for each', async () => {
    await load(rows(['Jan 2025', 'Feb 2025'], BANKS));
    expect(await findWarnings(rows(['Apr 2025'], BANKS, 1))).toEqual([
      ' period-gap: 1 missing from Feb 2025 to Apr 2025: Mar 2025',
    ]);
    expect(await findWarnings(rows(['Mar 2025'], ['ABL']))).toEqual([]);
  });

  test('names both rows of a period and dimension values', async () => {
    const lines = ['Jan 2025,ABL,P,1,,', 'Jan 2025,ABL,G,1,,', 'January 2025,ABL,P,2,,'];
    expect(await findProblems(lines)).toEqual([
      'd.csv line 4, month, bank, sector: "Jan 2025 ABL P" must be given once; d.csv line 2 has the same',
    ]);
  });

  test('warns of unknown codes, bounds and sums', async () => {
    expect(await findWarnings(['Jan 2025,ABL,X,-3,4,9', 'Jan 2025,ABL,P,1000001,,'])).toEqual([
      '2 parts-off-total: retail + other = 1, total says 9; off by 8, tolerance 1',
      '2 implausible-figure: retail -3 is not between 0 and 1000000',
      '3 implausible-figure: retail 1000001 is not between 0 and 1000000',
      '2 unknown-code: sector X is not one of P, G',
    ]);
  });

  test('compares figures with those of the period before, of the same dimension values', async () => {
    await load([
      'Jan 2025,ABL,P,1200,300,1500',
      'Jan 2025,ABL,G,12000,3000,15000',
      'Jan 2025,HBL,P,100,200,300',
      // So little of the whole that nobody asks where it went.
      'Jan 2025,HBL,G,1,2,3',
    ]);
    const next = [
      'Feb 2025,ABL,P,12000,3000,15000',
      'Feb 2025,ABL,G,12000,3000,15000',
      'Feb 2025,HBL,P,0,0,0',
      'Feb 2025,HBL,G,0,0,0',
    ];
    const expected = [
      '2 scale-jump: ABL P: total 15000 in Feb 2025 was 1500 in Jan 2025; a factor of 10, bound 3',
      '4 all-zero: HBL P: every figure of Feb 2025 is 0',
    ];
    expect((await findWarnings(next)).toSorted()).toEqual(expected);
    expect(await findWarnings(['Mar 2025,ABL,P,3100,11900,15000'])).toEqual([
      '2 columns-swapped: ABL P: retail and other are 3100 and 11900 in Mar 2025, and were 12000 and 3000 in Feb 2025: they may be swapped',
    ]);
    // Still none, or none any more, is no news; nor is a change of sign.
    expect(await findWarnings(['Mar 2025,HBL,P,0,0,0', 'Mar 2025,ABL,G,12100,,'])).toEqual([]);
    const repeated = [
      'Apr 2025,ABL,P,4123.45,10934.51,15057.96',
      'May 2025,ABL,P,4123.45,10934.51,15057.96',
    ];
    expect(await findWarnings(repeated)).toEqual([
      '3 figures-repeated: ABL P: every figure of May 2025 is that of Apr 2025',
    ]);
  });
});

describe('the series of a declared dataset', () => {
  const workspace = useLoadWorkspace();
  const load = (lines: readonly string[], options?: WorkspaceLoadOptions) => {
    workspace.writeFile('d.csv', csv(...lines));
    return workspace.load(stable, 'd.csv', options);
  };
  const findWarnings = async (lines: readonly string[], options?: WorkspaceLoadOptions) =>
    (await load(lines, options)).report.warnings.flatMap(({ rule, first }) =>
      first.map(({ text }) => `${rule}: ${text}`),
    );

  test('are those of the period before, unless a period is published in parts', async () => {
    await load(rows(MONTHS.slice(0, 2), BANKS));
    expect(await findWarnings(rows(['Mar 2025'], BANKS.slice(1)))).toEqual([
      'series-missing: ABL P has no figure of Mar 2025, unlike Feb 2025: 5 of 6 series are there',
    ]);
    expect(await findWarnings(rows(['Mar 2025'], BANKS.slice(0, 1)))).toEqual([]);
    const half = rows(['Apr 2025'], BANKS.slice(3));
    expect(load(half)).rejects.toThrow(
      'Apr 2025 of deposits has 3 of the 6 series of the period before; --partial publishes it',
    );
    expect(await findWarnings(half, { isPartial: true })).toHaveLength(3);
  });

  test('have up to eight dimensions, whose values have 2,000 bytes together', async () => {
    const names = [...'abcdefgh'];
    const wide = createDeclaredDataset({
      ...DECLARATION,
      name: 'wide',
      dimensions: names.map((field) => ({ field, title: field })),
      measures: [{ field: 'value', title: 'Value', unit: 'units', kind: 'stock' }],
      checks: [],
      chart: ['value'],
    });
    // Random text is not compressed by an index.
    const random = (length: number) => randomBytes(length).toString('base64').slice(0, length);
    const rows = ['Jan 2025', 'Feb 2025'].flatMap((month) =>
      Array.from({ length: 3 }, (_, index) => [
        month,
        ...names.slice(0, 5).map(() => random(200)),
        ...['é'.repeat(200), random(200), `h${index}${random(398)}`.slice(0, 198), index],
      ]),
    );
    const write = (lines: readonly (readonly unknown[])[]) =>
      workspace.writeFile(
        'w.csv',
        [['month', ...names, 'value'], ...lines].map((cells) => `${cells}\n`).join(''),
      );
    // 1,000 + 400 + 200 + 198 bytes.
    write(rows);
    expect((await workspace.load(wide, 'w.csv')).counts.added).toBe(6);
    const stored = await workspace.readRecords(wide);
    expect(stored).toHaveLength(6);
    const reader = workspace.store.reader();
    const last = rows[4]?.[8] as string;
    const dimensions = [...names.slice(1).map(() => undefined), [last]];
    const read = await reader.read({ kind: 'observations', dataset: wide, dimensions, limit: 9 });
    expect(JSON.parse(read.records)).toMatchObject({ month: 'Feb 2025', h: last, value: 1 });
    const first = await reader.read({ kind: 'observations', dataset: wide, limit: 2 });
    const after = first.lastKey;
    if (!after) throw new Error('there is no second page');
    const next = await reader.read({ kind: 'observations', dataset: wide, limit: 9, after });
    reader.close();
    expect([first.count, next.count]).toEqual([2, 4]);
    write([['Mar 2025', ...names.map(() => 'é'.repeat(126)), 1]]);
    expect(await workspace.loadProblems(wide, 'w.csv')).toEqual([
      expect.stringContaining('at most 2000 bytes together, not 2016'),
    ]);
  });

  test('have figures that are compared however many there are', async () => {
    const lines = (month: string, change: number) =>
      Array.from({ length: 10_001 }, (_, index) => {
        const retail = 900 + (index % 40) + change;
        return `${month},B${index},P,${retail},50,${retail + 50}`;
      });
    await load([...lines('Jan 2025', 0), ...lines('Feb 2025', 1)]);
    const [first = '', ...others] = lines('Mar 2025', 2);
    const wrong = first.replace('902,50,952', '481002,50,481052');
    expect(await findWarnings([wrong, ...others])).toEqual([
      'scale-jump: B0 P: total 481052 in Mar 2025 was 951 in Feb 2025; a factor of 506, bound 3',
    ]);
  });

  const line = (month: string, bank: string, retail: number) =>
    `${month},${bank},P,${retail},0,${retail}`;

  test('move unusually, unless they hardly matter in the sum of all', async () => {
    const months = [...MONTHS, 'Jul 2025', 'Aug 2025', 'Sep 2025', 'Oct 2025', 'Nov 2025'];
    const banks = (month: string, index: number) => [
      ...BANKS.map((bank, size) => line(month, bank, 1000 * (size + 1) + (index % 3))),
      line(month, 'Tiny', 8 + (index % 3) / 10),
    ];
    await load(months.flatMap(banks));
    const newest = (bank: string, retail: number) =>
      banks('Dec 2025', 0).map((each) =>
        each.startsWith(`Dec 2025,${bank},`) ? line('Dec 2025', bank, retail) : each,
      );
    expect(await findWarnings(newest('Tiny', 14), { isDryRun: true })).toEqual([]);
    expect(await findWarnings(newest('HBL', 3500), { isDryRun: true })).toContainEqual(
      expect.stringContaining('unusual-change: HBL P: retail 3500 in Dec 2025 was 2001'),
    );
  });

  test('seem to have changed places by chance if many of them moved', async () => {
    const banks = Array.from({ length: 24 }, (_, index) => `B${index}`);
    const sizes = banks.map((_, index) => [8000, 12_000][index] ?? 1000 + 500 * index);
    const steady = (month: string) =>
      banks.map((bank, index) => line(month, bank, sizes[index] ?? 0));
    await load([...steady('Jan 2025'), ...steady('Feb 2025')]);
    const crossed = [line('Mar 2025', 'B0', 12_800), line('Mar 2025', 'B1', 7600)];
    const [, , ...others] = steady('Mar 2025');
    expect(await findWarnings([...crossed, ...others], { isDryRun: true })).toContainEqual(
      expect.stringMatching(/^columns-swapped: retail: B0 P and B1 P are 12800 and 7600/),
    );
    const restless = others.map((each, index) =>
      index < 8 ? line('Mar 2025', `B${index + 2}`, 1.5 * (sizes[index + 2] ?? 0)) : each,
    );
    expect(await findWarnings([...crossed, ...restless], { isDryRun: true })).toEqual([]);
  });

  test('have earlier periods that no load overwrites unnoticed', async () => {
    await load(rows(MONTHS, BANKS));
    expect(await findWarnings(rows(['Feb 2025'], BANKS, 700))).toContain(
      'period-overwritten: 12 of 18 figures of Feb 2025, which is published, change: is it another period?',
    );
    const banks = Array.from({ length: 12 }, (_, index) => `B${index}`);
    const many = createDeclaredDataset({ ...DECLARATION, name: 'many' });
    const loadMany = (lines: readonly string[]) => {
      workspace.writeFile('d.csv', csv(...lines));
      return workspace.load(many, 'd.csv');
    };
    await loadMany(rows(MONTHS, banks));
    const unchanged = rows(['Jan 2025', 'Mar 2025'], banks);
    await expect(loadMany([...rows(['Feb 2025'], banks, 700), ...unchanged])).rejects.toThrow(
      '12 of 12 published records of many in Feb 2025 would be corrected',
    );
    const older = rows(['Jan 2025'], banks);
    expect((await loadMany(older.slice(0, 9))).counts.unchanged).toBe(9);
  });

  test('have values that are no other spelling of a known one', async () => {
    const banks = ['ABL', 'HBL', "Côte d'Ivoire", '007'];
    await load(rows(MONTHS.slice(0, 2), banks));
    const spelled = ['ABL', 'HBL', 'Abl', 'H BL', 'CÃ´te d’Ivoire', "C?te d'Ivoire", '7', 'Total'];
    const found = await findWarnings(rows(['Mar 2025'], [...banks, ...spelled.slice(2)], 1));
    expect(found.map((text) => text.split(',')[0])).toEqual([
      'code-variant: bank "Abl" differs from "ABL" only in letter case',
      'code-variant: bank "H BL" differs from "HBL" only in letter case',
      'code-variant: bank "CÃ´te d’Ivoire" differs from "Côte d\'Ivoire" only in letter case',
      'code-variant: bank "C?te d\'Ivoire" differs from "Côte d\'Ivoire" only in letter case',
      'code-variant: bank "7" differs from "007" only in letter case',
      'code-total: bank "Total" is the name of a total',
    ]);
  });
});

describe('what changed in a load', () => {
  const workspace = useLoadWorkspace();
  const declare = (declaration: Declaration, added: readonly string[] = []) =>
    createDeclaredDataset(declaration, {
      revision: 0,
      publishedAt: '',
      addedMeasures: added.map((field) => ({ field, revision: 0 })),
    });
  const load = (dataset: Dataset, text: string) => {
    workspace.writeFile('d.csv', text);
    return workspace.load(dataset, 'd.csv');
  };

  test('is nothing if a measure was added and is not known', async () => {
    const { checks: _, measures, ...rest } = DECLARATION;
    const first = declare({ ...rest, measures: measures.slice(0, 1) });
    const now = declare({ ...rest, measures }, ['other', 'total']);
    await load(first, 'month,bank,sector,retail\nJan 2025,ABL,P,1\nJan 2025,HBL,P,2\n');
    const { counts } = await load(now, csv('Jan 2025,ABL,P,1,,', 'Jan 2025,HBL,P,2,,5'));
    expect(counts).toMatchObject({ corrected: 1, unchanged: 1 });
    expect(await workspace.readRecords(now)).toEqual([
      { month: 'Jan 2025', bank: 'ABL', sector: 'P', retail: 1, other: null, total: null },
      { month: 'Jan 2025', bank: 'HBL', sector: 'P', retail: 2, other: null, total: 5 },
    ]);
  });

  test('is no correction of figures if they become final', async () => {
    const marked = declare({ ...DECLARATION, status: true });
    const final = csv(...rows(MONTHS, BANKS));
    await load(marked, final.replaceAll('2025', '2025 (P)'));
    const { counts } = await load(marked, final);
    expect(counts).toMatchObject({ corrected: 36 });
    await expect(load(marked, csv(...rows(MONTHS, BANKS, 1)))).rejects.toThrow(
      '24 of 24 loaded records',
    );
  });
});

describe('a quarter of fiscal years', () => {
  const workspace = useLoadWorkspace();
  const fiscal = createDeclaredDataset({
    ...DECLARATION,
    period: { kind: 'quarter', field: 'at', yearStart: 7 },
    dimensions: [],
  });

  test('is not written as 2025-Q3, which could be the quarter of the calendar', async () => {
    workspace.writeFile('a.csv', 'at,retail\n2025-Q3,1\n');
    const requirement =
      'a quarter such as Q3 FY2024; with --periods sbp "2025-Q3" becomes Q3 FY2025';
    expect(await workspace.loadProblems(fiscal, 'a.csv')).toEqual([
      `a.csv line 2, at: "2025-Q3" must be ${requirement}`,
    ]);
  });

  test('is no key of a record to retire as 2025-Q3', async () => {
    workspace.writeFile('a.csv', 'at,retail\nQ3 FY2025,1\n');
    await workspace.load(fiscal, 'a.csv');
    const publisher = workspace.store.publisher();
    const options = { dataset: fiscal, keys: ['2025-Q3'], author: 'a' };
    expect(() => retireRecords(publisher, options)).toThrow('a quarter such as Q3 FY2024');
    publisher.close();
  });
});

describe('a period in the future', () => {
  const workspace = useLoadWorkspace();

  test.each([
    ['day', 1, '2026-02-16', '2026-02-17'],
    ['week', 1, '2026-W08', '2026-W09'],
    ['month', 1, 'Feb 2026', 'Mar 2026'],
    ['quarter', 1, 'Q1 2026', 'Q2 2026'],
    ['quarter', 7, 'Q3 FY2026', 'Q4 FY2026'],
    ['year', 1, '2026', '2027'],
    ['year', 7, 'FY2026', 'FY2027'],
  ] as const)(
    'is refused: a %s, of years that begin in month %p',
    async (kind, yearStart, last, future) => {
      const hasYears = kind === 'quarter' || kind === 'year';
      const dataset = createDeclaredDataset({
        ...DECLARATION,
        period: { kind, field: 'at', ...(hasYears && { yearStart }) },
        dimensions: [],
      });
      const today = '2026-02-15';
      workspace.writeFile('a.csv', `at,retail\n${last},1\n`);
      expect((await workspace.load(dataset, 'a.csv', { today })).counts.added).toBe(1);
      workspace.writeFile('a.csv', `at,retail\n${last},1\n${future},1\n`);
      expect(await workspace.loadProblems(dataset, 'a.csv', { today })).toEqual([
        `a.csv line 3, at: "${future}" must be a period that has started by 2026-02-16, at most ${last}; --future allow publishes it`,
      ]);
      const { counts } = await workspace.load(dataset, 'a.csv', { today, allowsFuture: true });
      expect(counts.added).toBe(1);
    },
  );
});

test('a large load beside a few records of another series leaves all indexes', async () => {
  const workspace = await createLoadWorkspace();
  workspace.writeFile('d.csv', csv('Jan 2025,ABL,P,1,,'));
  await workspace.load(createDeclaredDataset({ ...DECLARATION, name: 'others' }), 'd.csv');
  const many = Array.from({ length: 3_000 }, (_, index) => `Jan 2025,B${index},P,1,,`);
  workspace.writeFile('d.csv', csv(...many));
  expect((await workspace.load(deposits, 'd.csv')).counts.added).toBe(3_000);
  const inspector = workspace.store.inspector();
  const structure = await Array.fromAsync(inspector.structureFaults());
  expect(structure.flatMap(({ faults }) => faults)).toEqual([]);
  inspector.close();
  await workspace.close();
});

describe('tenor check', () => {
  const workspace = useLoadWorkspace();
  const findWarnings = async (declaration: Declaration) => {
    const inspector = workspace.store.inspector();
    const declared = [{ declaration, revision: 0, publishedAt: '', addedMeasures: [] }];
    const declarations = async () => ({ since: 0, declarations: declared, retired: [] });
    const { warnings, faults } = await checkDatabase({ ...inspector, declarations }, []);
    inspector.close();
    expect(faults).toEqual([]);
    return warnings.flatMap(({ first }) => first.map(({ text }) => text)).toSorted();
  };

  test('compares periods of the same dimension values', async () => {
    const lines = [
      'Jan 2025,ABL,P,1200,300,1500',
      'Jan 2025,HBL,P,12,3,15',
      'Mar 2025,ABL,P,1300,300,1600',
      'Mar 2025,HBL,P,1200,300,1500',
    ];
    workspace.writeFile('d.csv', csv(...lines));
    await workspace.load(deposits, 'd.csv');
    expect(await findWarnings(DECLARATION)).toEqual([
      '1 missing from Jan 2025 to Mar 2025: Feb 2025',
      'HBL P: total 1500 in Mar 2025 was 15 in Jan 2025; a factor of 100, bound 6',
    ]);
  });

  test.each([
    ['flow', 1, []],
    ['stock', 1, ['retail 9 in 2025-01-07 was 1 in 2025-01-06; a factor of 9, bound 3']],
    ['stock', 0, ['retail 9 in 2025-01-07 was 0 in 2025-01-06; beyond any factor, bound 5']],
  ] as const)(
    'of days compares a measure that is no flow: %s from %d',
    async (kind, from, expected) => {
      const declaration = {
        ...DECLARATION,
        period: { kind: 'day', field: 'day' },
        dimensions: [],
        measures: [{ field: 'retail', title: 'Retail', unit: 'PKR', kind }],
        checks: [],
      } as const;
      workspace.writeFile('d.csv', `day,retail\n2025-01-06,${from}\n2025-01-07,9\n2025-01-08,9\n`);
      await workspace.load(createDeclaredDataset(declaration), 'd.csv');
      expect(await findWarnings(declaration)).toEqual([...expected]);
    },
  );
});

test('the rules of a declared dataset follow from its periods, codes and checks', () => {
  const rules = (kind: 'day' | 'month', measure: 'flow' | 'rate') =>
    listApplicableRules(
      createDeclaredDataset({
        ...DECLARATION,
        period: { kind, field: 'at' },
        measures: DECLARATION.measures.map((each) => ({ ...each, kind: measure })),
      }),
    );
  expect(rules('month', 'flow')).toContain('figures-repeated');
  expect(rules('day', 'rate')).toContain('unknown-code');
});

describe('codesStrict', () => {
  const workspace = useLoadWorkspace();

  test('makes an unknown code a problem that names the codes', async () => {
    const [bank, sector] = DECLARATION.dimensions ?? [];
    const dimensions = [bank, { ...sector, codesStrict: true }];
    workspace.writeFile('d.csv', csv('Jan 2025,ABL,X,1,,'));
    const strict = createDeclaredDataset({ ...DECLARATION, dimensions } as Declaration);
    expect(await workspace.loadProblems(strict, 'd.csv')).toEqual([
      'd.csv line 2, sector: "X" must be one of P, G',
    ]);
    expect(listApplicableRules(strict)).not.toContain('unknown-code');
  });

  test('warn of a measure without a column once for each file: published figures become null', async () => {
    const lines = ['month,bank,sector,retail,other', 'Jan 2025,ABL,P,1,2', 'Jan 2025,HBL,P,1,2'];
    workspace.writeFile('some.csv', `${lines.join('\n')}\n`);
    const first = await workspace.load(deposits, 'some.csv', { isDryRun: true });
    expect(first.report.warnings).toEqual([]);
    workspace.writeFile('all.csv', csv('Jan 2025,ABL,P,1,2,3', 'Jan 2025,HBL,P,1,2,3'));
    expect((await workspace.load(deposits, 'all.csv')).report.warnings).toEqual([]);
    const { report, counts } = await workspace.load(deposits, 'some.csv');
    expect(counts.corrected).toBe(2);
    expect(report.warnings).toMatchObject([
      {
        rule: 'measure-missing',
        count: 1,
        first: [{ text: 'some.csv has no column total: its records have null there' }],
      },
    ]);
  });
});
