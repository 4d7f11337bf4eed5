import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  branchlessBankingAgents as agents,
  atmTransactionsQuarterlyValue as atm,
  onlineBankingAnnualVolume as online,
} from '../../src/catalogue/datasets/series/index.ts';
import { text } from '../../src/catalogue/model/field-builders.ts';
import { readChanges } from '../../src/operations/changes/changes-route.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { useLoadWorkspace, type WorkspaceLoadOptions } from '../support/load-workspace.ts';
import { createStore } from '../support/store.ts';
import { HEADER, RECORD } from './file-loader.ts';

const { closing } = closeAfterEach();
const toCsv = (...lines: readonly string[]) => [HEADER, ...lines].join('\n');

describe('a file of a series', () => {
  const workspace = useLoadWorkspace();

  /** Loads one file, and returns the statuses that `/changes` tells, by period. */
  const loadStatuses = async (
    content: string,
    { name = 'a.csv', dataset = online, ...options }: WorkspaceLoadOptions & LoadedFile = {},
  ) => {
    workspace.writeFile(name, content);
    const { report } = await workspace.load(dataset, name, options);
    const reader = closing(workspace.store.reader());
    const { texts } = await readChanges(reader, dataset, { since: 0, until: 1, limit: 100 });
    const lines = texts.map((text) => JSON.parse(text));
    const statuses = Object.fromEntries(
      lines.map(({ record, status }) => [record[dataset.period?.field ?? ''], status ?? 'A']),
    );
    return { report, statuses, records: lines.map(({ record }) => record) };
  };
  interface LoadedFile {
    readonly name?: string;
    readonly dataset?: typeof online | typeof atm | typeof agents;
  }

  test.each([
    ['2024 (P)', 'P'],
    ['2024 (p)', 'P'],
    ['2024P', 'P'],
    ['2024 p', 'P'],
    ['2024 (Provisional)', 'P'],
    ['2024 [Prov.]', 'P'],
    ['2024 preliminary', 'P'],
    ['2024E', 'E'],
    ['2024 est.', 'E'],
    ['2024 (Estimate)', 'E'],
    ['2024F', 'F'],
    ['2024 (Projection)', 'F'],
    ['2024 (b)', 'B'],
    ['2024 (Break)', 'B'],
    ['2024 (U)', 'U'],
    // The code list has no status of what is revised.
    ['2024 (R)', 'A'],
    ['2024 (Revised)', 'A'],
    ['2024A', 'A'],
  ])('has in the label %s the status %s', async (label, status) => {
    const { statuses, records, report } = await loadStatuses(
      toCsv(`${label},61.3,82.6,55.2,199.1`),
    );
    expect(statuses).toEqual({ 2024: status });
    expect(records).toEqual([RECORD]);
    expect(report.warnings).toEqual([]);
    expect(report.statuses).toEqual(status === 'A' ? undefined : { [status]: 1 });
  });

  test.each([
    ['61.3 e', 'E'],
    ['61.3 E', 'E'],
    ['61.3(p)', 'P'],
    ['61.3 (Provisional)', 'P'],
    ['61.30 forecast', 'F'],
    ['61.3 (b)', 'B'],
    ['61.3 r', 'A'],
  ])('has beside the figure %s the status %s', async (figure, status) => {
    const { statuses, records, report } = await loadStatuses(
      toCsv(`2024,${figure},82.6,55.2,199.1`),
    );
    expect(statuses).toEqual({ 2024: status });
    expect(records).toEqual([RECORD]);
    expect(report.warnings).toEqual([]);
  });

  test('keeps marks of quarters, of converted labels and of grouped figures', async () => {
    const header = 'period;cash_withdrawl;intra_bank;inter_bank;utility_bills;cash_deposits;total';
    const figures = '1.000,5;1;1;1;1;1.004,5';
    const lines = [`Q2-FY24 (P);${figures}`, `Jul-Sep 23;${figures} P`, `Q3 2024 (R);${figures}`];
    const { statuses } = await loadStatuses([header, ...lines].join('\n'), {
      dataset: atm,
      mapping: { periods: 'sbp', decimal: ',' },
    });
    expect(statuses).toEqual({ 'Q3 2024': 'A', 'Q2 2024': 'P', 'Q1 2024': 'P' });
  });

  test('gives a record with several marks the least final of their statuses', async () => {
    const { statuses, report } = await loadStatuses(
      toCsv(
        '2022 (R),61.3,82.6 (b),55.2,199.1',
        '2023 (P),61.3 e,82.6,55.2 p,199.1',
        '2024 (P) (F),61.3 e,82.6,55.2,199.1',
      ),
    );
    expect(statuses).toEqual({ 2022: 'B', 2023: 'E', 2024: 'F' });
    expect(report.statuses).toEqual({ B: 1, E: 1, F: 1 });
  });

  test('is warned of by each mark that is not known, which changes nothing', async () => {
    const { statuses, records, report } = await loadStatuses(
      toCsv('2023 (Unaudited) *,61.3,82.6,55.2,199.1', '2024 (P),61.3 (x),82.6†,55.2,199.1'),
    );
    expect(statuses).toEqual({ 2023: 'A', 2024: 'P' });
    expect(records[0]).toEqual(RECORD);
    const [group, ...others] = report.warnings.filter(({ rule }) => rule !== 'figures-repeated');
    expect(others).toEqual([]);
    expect(group).toMatchObject({ rule: 'unknown-mark', count: 4 });
    expect(group?.first.map(({ at, field, text }) => `${at} ${field}: ${text}`)).toEqual([
      '2 year: the mark "(Unaudited)" of "2023" is not known',
      '2 year: the mark "*" of "2023" is not known',
      '3 cash_wtl: the mark "(x)" of "61.3" is not known',
      '3 cash_deposit: the mark "†" of "82.6" is not known',
    ]);
  });

  test.each([
    ['2024 (Jul)', '61.3'],
    ['2024 (Jul-Mar)', '61.3'],
    ['2024 (1)', '61.3'],
    ['2024 B', '61.3'],
    // Thousands, billions, basis points, half a number, a currency.
    ['2024', '61.3 (k)'],
    ['2024', '61.3 b'],
    ['2024', '61.3 bp'],
    ['2024', '61.3E'],
    ['2024', '61.3 (USD)'],
    ['2024', '(P)'],
    ['(P)', '61.3'],
  ])('is rejected if it may be no mark: %s, %s', async (label, figure) => {
    workspace.writeFile('a.csv', toCsv(`${label},${figure},82.6,55.2,199.1`));
    expect(await workspace.loadProblems(online, 'a.csv')).toHaveLength(1);
  });

  test.each([
    [
      'a column',
      'a.csv',
      (status: string) => `${HEADER},Status\n2024,61.3,82.6,55.2,199.1,${status}`,
    ],
    ['a member', 'a.json', (status: string) => JSON.stringify([{ ...RECORD, status }])],
    ['a member', 'a.ndjson', (status: string) => JSON.stringify({ ...RECORD, status })],
  ])('may give the status in %s of %s', async (_, name, build) => {
    expect((await loadStatuses(build('q'), { name })).statuses).toEqual({ 2024: 'Q' });
  });

  test.each([
    ['', 'A', 0],
    ['Provisional', 'P', 0],
    ['(e)', 'E', 0],
    ['ready', 'A', 1],
  ])('has with %p in its column of statuses the status %s', async (cell, status, warnings) => {
    const content = `${HEADER},flag\n2024,61.3,82.6,55.2,199.1,${cell}`;
    const { statuses, report } = await loadStatuses(content, {
      mapping: { columns: { flag: 'status' } },
    });
    expect(statuses).toEqual({ 2024: status });
    expect(report.warnings.map(({ rule }) => rule)).toEqual(warnings > 0 ? ['unknown-mark'] : []);
  });

  test('may have marks in the columns of a list, in its rows, and in columns that are summed', async () => {
    const fields = { 'provinces.punjab': { sum: ['Punjab', 'East'] } };
    const wide = 'period,total,Punjab,East,provinces.sindh\nJun 2026,10,6 p,1,3 (e)';
    const inColumns = await loadStatuses(wide, { dataset: agents, mapping: { fields } });
    expect(inColumns.statuses).toEqual({ 'Jun 2026': 'E' });
    expect(inColumns.records).toMatchObject([{ provinces: [{ value: 3 }, { value: 7 }] }]);

    const summed = wide.replace(' (e)', '').replace('Jun', 'May');
    const inSum = await loadStatuses(summed, { dataset: agents, mapping: { fields } });
    expect(inSum.report.statuses).toEqual({ P: 1 });

    const long =
      'period,total,provinces:key,provinces:value\nApr 2026 (P),10,punjab,7\nApr 2026,10,sindh,3 *';
    const { report } = await loadStatuses(long, { dataset: agents });
    expect(report.records).toBe(1);
    expect(report.statuses).toEqual({ P: 1 });
    expect(report.warnings[0]).toMatchObject({ rule: 'unknown-mark', first: [{ at: 3 }] });
  });

  test('has no status in changes if a record has a field of that name', async () => {
    await loadStatuses(toCsv('2024 (P),61.3,82.6,55.2,199.1'));
    const withField = { ...online, fields: { ...online.fields, status: text('Any') } };
    const reader = closing(workspace.store.reader());
    const { texts } = await readChanges(reader, withField, { since: 0, until: 1, limit: 1 });
    expect(texts).toEqual([JSON.stringify({ change: 'added', record: RECORD })]);
  });

  test('is no file of quotes, in which a mark is invalid', async () => {
    workspace.writeFile('a.json', JSON.stringify([{ ...quotes.example, lastPrice: '99.5 e' }]));
    expect(await workspace.loadProblems(quotes, 'a.json')).toHaveLength(1);
  });
});

// A server of PostgreSQL takes a while to start on a machine that is busy.
setDefaultTimeout(120_000);

describe('a change of status alone', () => {
  const workspace = useLoadWorkspace(createStore);
  const years = Array.from({ length: 14 }, (_, index) => 2005 + index);
  const load = (mark: string, options: WorkspaceLoadOptions = {}, figure = '61.3') => {
    const lines = years.map((year) => `${year}${mark},${figure},82.6,55.2,199.1`);
    workspace.writeFile('a.csv', toCsv(...lines));
    return workspace.load(online, 'a.csv', options);
  };

  test('is a correction that no guard counts, also in a dry run and with --replace', async () => {
    await load(' (P)');
    const dryRun = await load('', { isDryRun: true });
    expect(dryRun).toMatchObject({ counts: { corrected: 14 }, revision: undefined });
    const { counts } = await load('', { replace: true });
    expect(counts).toMatchObject({ corrected: 14, retired: 0, unchanged: 0 });
  });

  test('does not hide that figures change', async () => {
    await load(' (P)');
    await expect(load('', {}, '61.4')).rejects.toThrow('12 of 12 loaded records');
  });

  test('is undone by a revert', async () => {
    await load(' (P)');
    await load('');
    const publisher = closing(workspace.store.publisher());
    await revertRevision(publisher, [online], { revision: 2, author: 'a' });
    expect((await load(' (P)')).revision).toBeUndefined();
  });
});
