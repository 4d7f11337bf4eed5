import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { TermsTracker } from '../../src/publish/load/terms-tracker.ts';
import { buildWorkbook } from '../inspect/build-workbook.ts';
import { type LoadWorkspace, useLoadWorkspace } from '../support/load-workspace.ts';

const [FIRST, SECOND, THIRD] = ['ZZ0000000016', 'ZZ0000000024', 'ZZ0000000032'] as const;
const HEADER =
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume';

/** Functions that load files of securities and of quotes. */
function createLoaders(workspace: LoadWorkspace) {
  const loadQuotes = (columns: string, ...lines: string[]) => {
    const rows = lines.map((line) => {
      const [date, symbol, isin, terms = ''] = line.split(' ');
      return `${date},${symbol},${isin},bond,2031-01-22,0,0,95,0,0,0,${terms}`;
    });
    workspace.writeFile('q.csv', [`${HEADER},${columns}`, ...rows, ''].join('\n'));
    return workspace.load(quotes, 'q.csv');
  };
  return {
    loadQuotes,
    load: (text: string, options = {}) => {
      workspace.writeFile('terms.csv', text);
      return workspace.load(securities, 'terms.csv', options);
    },
    loadProblems: (text: string) => {
      workspace.writeFile('terms.csv', text);
      return workspace.loadProblems(securities, 'terms.csv');
    },
    readNames: async () =>
      (await workspace.readRecords(securities)).map(({ symbol, isin, name }) => [
        symbol,
        isin,
        name,
      ]),
    listNames: async (asOf?: number) => {
      const reader = workspace.store.reader();
      const { entries } = await reader.securities(quotes, asOf);
      reader.close();
      return entries.map(({ symbol, name, couponRate }) => [symbol, name, couponRate]);
    },
  };
}

describe(`a file of securities without symbols`, () => {
  const workspace = useLoadWorkspace();
  const { load, loadQuotes, readNames, listNames } = createLoaders(workspace);

  test('is of the symbols quoted last with its ISINs, else of those of securities, else of the ISINs', async () => {
    await loadQuotes(
      'couponRate',
      `2026-06-29 OLD ${FIRST} 10`,
      `2026-06-30 NEW ${FIRST.toLowerCase()} 10`,
    );
    await load(`symbol,isin\nX,${SECOND}\n`);
    const file = `ISIN,Name\n${FIRST.toLowerCase()},first\n${SECOND},second\n${THIRD},third\n`;
    expect((await load(file)).counts).toEqual({
      added: 1,
      corrected: 2,
      retired: 0,
      unchanged: 0,
    });
    const first = ['NEW', FIRST, 'first'];
    const others = [
      ['X', SECOND, 'second'],
      [THIRD, THIRD, 'third'],
    ];
    expect(await readNames()).toEqual([first, ['OLD', FIRST, null], ...others]);
    expect(await workspace.readRecords(securities)).toContainEqual(
      expect.objectContaining({ symbol: 'NEW', couponRate: 10 }),
    );
    expect((await load(file)).revision).toBeUndefined();
    expect((await load(file, { replace: true, canRetireMany: true })).counts).toMatchObject({
      added: 0,
      retired: 1,
    });
    expect(await readNames()).toEqual([first, ...others]);
  });

  test('describes the symbols that are quoted with its ISINs later', async () => {
    const file = `isin,name,couponRate\n${FIRST},first,10\n`;
    await load(file);
    expect(await listNames()).toEqual([[FIRST, 'first', 10]]);
    // The yield follows from the terms, which are the same in the file of quotes.
    const loaded = await loadQuotes('couponRate', `2026-06-29 BOND ${FIRST} 10`);
    expect(loaded.termsRevision).toBeUndefined();
    await loadQuotes('pricing', `2026-06-30 BOND ${FIRST.toLowerCase()}`);
    expect(await listNames()).toEqual([['BOND', 'first', 10]]);
    expect(await listNames(1)).toEqual([[FIRST, 'first', 10]]);
    expect((await load(file)).revision).toBeUndefined();

    const changed = await loadQuotes('couponRate', `2026-07-01 BOND ${FIRST} 11`);
    expect(changed.termsRevision).toMatchObject({ added: 1 });
    expect(await listNames()).toEqual([['BOND', 'first', 11]]);
    // From now on the symbol has a record of its own, which a blank cell clears.
    await load(`isin,name\n${FIRST},\n`);
    expect(await listNames()).toEqual([['BOND', null, 11]]);
    const inspector = workspace.store.inspector();
    expect((await checkDatabase(inspector, catalogue)).faults).toEqual([]);
    inspector.close();
  });
});

describe('a row of a file of securities', () => {
  const workspace = useLoadWorkspace();
  const { load, loadQuotes, loadProblems, readNames, listNames } = createLoaders(workspace);

  test('starts the record of its symbol with what is known of the ISIN', async () => {
    await load(`isin,name,couponRate\n${FIRST},first,10\n`);
    await loadQuotes('pricing', `2026-06-30 BOND ${FIRST}`);
    await load('symbol,issuer\nbond,me\n');
    expect(await workspace.readRecords(securities)).toContainEqual(
      expect.objectContaining({ symbol: 'bond', name: 'first', issuer: 'me', couponRate: 10 }),
    );
    expect(await listNames()).toEqual([['BOND', 'first', 10]]);
  });

  test('is rejected if it names no security, or not which of several', async () => {
    await loadQuotes('couponRate', `2026-06-30 A ${FIRST} 10`, `2026-06-30 B ${FIRST} 10`);
    const file = `symbol,isin,couponRate\n,,5\n,${FIRST},-1\n,NONE,5\n,ZZ0000000017,5\nC,,5\n`;
    expect(await loadProblems(file)).toEqual([
      'terms.csv line 2, symbol or isin: missing; must be given',
      `terms.csv line 3, isin: "${FIRST}" must be given with a symbol, because A and B have this ISIN`,
      'terms.csv line 3, couponRate: -1 must be a finite number of percent, 0 or more',
      'terms.csv line 4, isin: "NONE" must be an ISIN with the right check digit, because there is no symbol',
      'terms.csv line 5, isin: "ZZ0000000017" must be an ISIN with the right check digit, because there is no symbol',
    ]);
    expect(await loadProblems('name,issuer\nfirst,me\n')).toEqual([
      'terms.csv has, in line 1, a header without a column for symbol or isin; its columns are name, issuer; --map "COLUMN=FIELD" names one',
    ]);
    workspace.writeFile('terms.ndjson', '{"name":"first"}\n');
    expect(await workspace.loadProblems(securities, 'terms.ndjson')).toEqual([
      'terms.ndjson record 1 (line 1), symbol or isin: missing; must be given',
    ]);
  });

  test('is rejected if another row has its record by symbol or ISIN', async () => {
    await loadQuotes('couponRate', `2026-06-30 BOND ${FIRST} 10`);
    const lower = SECOND.toLowerCase();
    const file = `symbol,isin\n,${FIRST}\nbond,\n,${SECOND}\n,${lower}\n`;
    expect(await loadProblems(file)).toEqual([
      'terms.csv line 3, symbol: "bond" must be given once; terms.csv line 2 has "BOND" in its place',
      `terms.csv line 5, symbol: "${SECOND}" must be given once; terms.csv line 4 has the same`,
    ]);
    // Symbols that are new, after and before the row without one.
    expect(await loadProblems(`symbol,isin\nX,${SECOND}\n,${lower}\n`)).toEqual([
      'terms.csv line 3, symbol: "X" must be given once; terms.csv line 2 has the same',
    ]);
    expect(await loadProblems(`symbol,isin\n,${SECOND}\nX,${lower}\n`)).toEqual([
      `terms.csv line 3, isin: "${SECOND}" must be given once; an earlier row has it without a symbol`,
    ]);
    // Rows with symbols may share an ISIN, as those of an export do.
    const shared = await load(`symbol,isin\n${SECOND},${SECOND}\nX,${SECOND}\n`);
    expect(shared.counts).toMatchObject({ added: 2 });
  });

  test('is no note below the data of a spreadsheet if it has an ISIN', async () => {
    for (const header of [
      ['symbol', 'isin', 'name', 'issuer'],
      ['name', 'isin', 'issuer', 'pricing'],
    ]) {
      const toRow = (record: Record<string, string>) => header.map((name) => record[name] ?? '');
      const content = await buildWorkbook({
        Data: [
          header,
          toRow({ isin: FIRST, name: 'first' }),
          toRow({ isin: SECOND }),
          ['Source: the bank'],
        ],
      });
      workspace.writeFile('terms.xlsx', content);
      const { report } = await workspace.load(securities, 'terms.xlsx', { replace: true });
      expect(report.skipped).toEqual(['terms.xlsx: notes below the data, from row 4 on']);
      expect(await readNames()).toEqual([
        [FIRST, FIRST, 'first'],
        [SECOND, SECOND, null],
      ]);
    }
  });
});

test('the terms of an ISIN complete those of a symbol, and replace none of them', async () => {
  const record = { ...securities.example, pricing: null, couponRate: null, couponFrequency: null };
  const own = { ...record, symbol: 'BOND', isin: FIRST, issueDate: '2026-01-22' };
  const ofIsin = { ...record, symbol: FIRST, isin: FIRST, issueDate: '2020-01-22', couponRate: 10 };
  const stored = new Map([own, ofIsin].map((security) => [security.symbol, security]));
  const tracker = new TermsTracker(stored, async () => []);
  const draft = { symbol: 'BOND', isin: FIRST, type: 'bond' };
  await tracker.findByIsin([{ position: 1, record: draft, problems: [] }]);
  expect(tracker.get('bond')).toEqual({
    issueDate: '2026-01-22',
    couponRate: 10,
    floating: false,
    settlementDays: 1,
    calendar: 'ZED',
  });
});
