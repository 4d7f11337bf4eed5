import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import {
  foldAsciiCase,
  getStorageTable,
  type StorageTable,
} from '../../src/schema/storage-table.ts';
import { getSummaryTables, type SummaryTables } from '../../src/schema/summary-tables.ts';
import type {
  CorrectionFilter,
  QuoteSelection,
  VintageFilter,
} from '../../src/store/open-store.ts';
import { findCorrections } from '../../src/store/sql/corrections.ts';
import {
  boundaryRecordStatement,
  symbolsStatement,
} from '../../src/store/sql/discovery-statements.ts';
import { findRevisionAt } from '../../src/store/sql/ledger.ts';
import { findNetChanges } from '../../src/store/sql/net-changes.ts';
import {
  type QuerySteps,
  queryRows,
  type SqlStatement,
  type SqlValue,
} from '../../src/store/sql/query-steps.ts';
import {
  type QuotePageSelection,
  quoteCountStatement,
  quotesStatement,
} from '../../src/store/sql/quote-statements.ts';
import { readQuotesOfSecurities } from '../../src/store/sql/read-quotes-of-securities.ts';
import { symbolStatement } from '../../src/store/sql/resolve-securities.ts';
import { findRevisionChanges } from '../../src/store/sql/revision-changes.ts';
import {
  allRecordsStatement,
  asOfStatement,
  type LocatedRecords,
  recordsStatement,
} from '../../src/store/sql/select-records.ts';
import { findVintages } from '../../src/store/sql/vintages.ts';
import { sqliteDialect as dialect } from '../../src/store/sqlite/dialect.ts';
import { createStore } from '../support/store.ts';

let store: Awaited<ReturnType<typeof createStore>>;
let database: Database;
beforeAll(async () => {
  store = await createStore();
  database = new Database(store.path, { readonly: true });
});
afterAll(async () => {
  database.close();
  await store.remove();
});

const base: QuoteSelection = { kind: 'quotes', dataset: quotes, limit: 100 };
const dateRange = ['2026-01-01', '2026-01-31'] as const;
const key = [dateRange[1], 'x'] as const;
const asOf: LocatedRecords = { revision: 3, tables: 'both', newestDay: null };
/** What a look at which of some texts are symbols finds. */
const ARE_SYMBOLS = [{ key: 'X' }, { key: 'Y' }];
const datasets = catalogue.map((dataset) => [dataset.name, dataset] as const);

const LOOKUPS = ['symbol_key', 'isin_key', 'symbol_of_isin'] as const;
/** The index by symbol has the records, so that no table row is read. */
const INDEX_BY_LOOKUP = {
  symbol_key: /COVERING INDEX \w+_by_symbol/,
  isin_key: /INDEX \w+_by_isin/,
  symbol_of_isin: /COVERING INDEX \w+_by_symbol/,
};

describe('a query for current quotes', () => {
  test.each<[string, QuotePageSelection]>([
    ['the newest day', base],
    ['a date range', { ...base, dateRange }],
    ['a type', { ...base, type: 'bond' }],
    ['a type in a date range', { ...base, type: 'bond', dateRange }],
    ['a security', { ...base, security: 'x' }],
    ['a security in a date range', { ...base, security: 'x', dateRange }],
    ['a security and type in a date range', { ...base, security: 'x', type: 'bond', dateRange }],
    ['the next page of a day', { ...base, afterKey: key }],
    ['the next page of a day of a type', { ...base, type: 'bond', afterKey: key }],
    ['the next page of a day of a security', { ...base, security: 'x', afterKey: key }],
    ['earlier days', { ...base, dateRange, afterDate: key[0] }],
    ['earlier days of a type', { ...base, type: 'bond', dateRange, afterDate: key[0] }],
    ['a date range, oldest first', { ...base, dateRange, isOldestFirst: true }],
    [
      'a type in a date range, oldest first',
      { ...base, type: 'bond', dateRange, isOldestFirst: true },
    ],
    [
      'a security in a date range, oldest first',
      { ...base, security: 'x', dateRange, isOldestFirst: true },
    ],
    [
      'later days of a security',
      { ...base, security: 'x', dateRange, afterDate: key[0], isOldestFirst: true },
    ],
  ])('by %s uses an index and does not sort', (_, selection) => {
    for (const lookup of LOOKUPS) {
      const plan = explain(quotesStatement(selection, { dialect, lookup }));
      const scans = plan.filter((step) => step.includes('quotes_now'));
      expect(scans.length).toBeGreaterThan(0);
      // The newest day of all is the first entry of the primary key, found by a scan of one row.
      for (const step of scans) expect(step).toMatch(/^(SEARCH|SCAN quotes_now$)/);
      if (selection.afterKey && !selection.security)
        for (const step of scans) expect(step).toContain('symbol>?');
      expectNoSort(plan);
      if (selection.security) {
        for (const step of scans) expect(step).toMatch(INDEX_BY_LOOKUP[lookup]);
      }
    }
  });
});

test('a query of the typed view by date and symbol uses the primary key', () => {
  expect(
    explain({ sql: "SELECT * FROM quotes WHERE date = '2026-01-05' AND symbol = 'x'", values: [] }),
  ).toEqual(['SEARCH quotes_now USING PRIMARY KEY (date=? AND symbol=?)']);
});

describe('a query as of an earlier revision', () => {
  const past: QuoteSelection = { ...base, asOf: 3 };
  const notAfter = dateRange[1];

  test.each<[string, QuoteSelection]>([
    ['the newest day', { ...past, dateRange: [notAfter, notAfter] }],
    ['a date range', { ...past, dateRange }],
    ['a type', { ...past, type: 'bond', notAfter }],
    ['a type in a date range', { ...past, type: 'bond', dateRange }],
    ['a security', { ...past, security: 'x', notAfter }],
    ['a security and type', { ...past, security: 'x', type: 'bond', notAfter }],
    ['a security in a date range', { ...past, security: 'x', dateRange }],
    ['a security and type in a date range', { ...past, security: 'x', type: 'bond', dateRange }],
  ])('for quotes by %s uses indexes of both tables and does not sort', (_, selection) => {
    for (const lookup of LOOKUPS) {
      const plan = explain(quotesStatement(selection, { dialect, lookup, asOf }));
      for (const table of ['quotes_now', 'quotes_past']) {
        const scans = plan.filter((step) => step.includes(table));
        expect(scans.length).toBeGreaterThan(0);
        for (const step of scans) {
          expect(step).toStartWith(`SEARCH ${table} USING`);
          // Days bound every scan, so that later publications are not read.
          expect(step).toContain('date');
          if (selection.security) {
            expect(step).toMatch(INDEX_BY_LOOKUP[lookup]);
          } else if (selection.type) {
            expect(step).toContain('_by_type');
          }
        }
      }
      expectNoSort(plan);
    }
  });

  test.each<[string, Partial<QuoteSelection>]>([
    ['the newest quotes', { notAfter }],
    ['a date range', { dateRange }],
    ['a type in a date range, oldest first', { dateRange, type: 'bond', isOldestFirst: true }],
    ['the next page of a date range', { dateRange, after: key }],
  ])('for %s of several securities uses the index of each and does not sort', (_, filter) => {
    for (const [security, index] of [
      ['x', INDEX_BY_LOOKUP.symbol_key],
      ['ZZ0000000017', INDEX_BY_LOOKUP.isin_key],
    ] as const) {
      const securities = [security, `${security.slice(0, -1)}0`, `${security.slice(0, -1)}1`];
      const selection = { ...past, ...filter, securities };
      const steps = readQuotesOfSecurities(selection, securities, { dialect, asOf });
      steps.next();
      const areSymbols = index === INDEX_BY_LOOKUP.symbol_key;
      const found = areSymbols ? securities.map((text) => ({ key: foldAsciiCase(text) })) : [];
      const plan = explain(steps.next(found).value as SqlStatement);
      for (const table of ['quotes_now', 'quotes_past']) {
        const scans = plan.filter((step) => step.includes(table));
        expect(scans.length).toBeGreaterThanOrEqual(securities.length);
        for (const step of scans) {
          expect(step).toMatch(index);
          expect(step).toContain('date');
        }
      }
      expectNoSort(plan);
    }
  });

  test('for one day reads no history if an index shows that none of it ended later', () => {
    const day: QuoteSelection = { ...past, dateRange: [notAfter, notAfter] };
    const plan = explain(quotesStatement(day, { dialect, asOf }));
    expect(plan.filter((step) => step.includes('quotes_past'))).toEqual([
      'SEARCH quotes_past USING PRIMARY KEY (date=?)',
      'SEARCH quotes_past USING COVERING INDEX quotes_past_by_date (date=? AND until>?)',
    ]);
  });

  test('for whether a symbol exists uses an index', () => {
    const plan = explain(symbolStatement(getStorageTable(quotes), 'x', { asOf }, dialect));
    const scans = plan.filter((step) => step.includes('quotes_'));
    expect(scans).toHaveLength(2);
    for (const step of scans) {
      expect(step).toMatch(/^SEARCH .* USING COVERING INDEX .*_by_symbol \(symbol_key=\?\)$/);
    }
    expectNoSort(plan);
  });

  test('for a fund uses the primary key', () => {
    const plan = explain(
      recordsStatement(getStorageTable(fundAllocation), { identifiers: ['x'] }, asOf),
    );
    const scans = plan.filter((step) => step.includes('records_'));
    expect(scans).toHaveLength(2);
    for (const step of scans)
      expect(step).toMatch(/^SEARCH .* USING PRIMARY KEY \(dataset=\? AND key1=\?/);
  });

  test.each(datasets)('for all of %s reads by primary key and does not sort', (_, dataset) => {
    const table = getStorageTable(dataset);
    const statements = [allRecordsStatement(table, asOf)];
    if (dataset.shape === 'series') statements.push(recordsStatement(table, {}, asOf));
    for (const plan of statements.map(explain)) {
      for (const name of [table.currentTable, table.historyTable])
        expect(plan).toContain(
          table.fixed.length === 0
            ? `SCAN ${name}`
            : `SEARCH ${name} USING PRIMARY KEY (dataset=?)`,
        );
      expectNoSort(plan);
    }
  });

  test.each(datasets)('for which tables have records of %s uses indexes', (_, dataset) => {
    const { currentTable, historyTable, fixed } = getStorageTable(dataset);
    const plan = explain(asOfStatement(getStorageTable(dataset), dataset.name, 3));
    expect(plan).toContain(
      `SEARCH ${currentTable} USING COVERING INDEX ${currentTable}_by_since (${whichDataset(fixed)}since<?)`,
    );
    expect(plan.join('\n')).toContain('revisions_by_dataset (dataset=? AND revision<?)');
    // Of a scan only the first entry is read.
    const scans = plan.filter((step) => step.startsWith('SCAN') && !/CONSTANT ROW/.test(step));
    for (const step of scans) expect(step).toContain(historyTable);
    expectNoSort(plan);
  });

  test('for the revision of an instant is searches only', () => {
    expect(explainSteps(findRevisionAt('2026-01-01T00:00:00.000Z'))).toEqual([
      expect.stringMatching(/^SEARCH revisions USING INDEX revisions_by_instant/),
      expect.stringContaining('SCALAR SUBQUERY'),
      expect.stringMatching(/^SEARCH revisions USING COVERING INDEX revisions_by_instant/),
      // Where no revision is that old.
      expect.stringMatching(/^SEARCH revisions USING COVERING INDEX revisions_by_instant/),
    ]);
  });
});

describe('a query for changes', () => {
  test.each(datasets)('of a revision of %s uses indexes and does not sort', (_, dataset) => {
    const plan = explainSteps(
      findRevisionChanges(getStorageTable(dataset), 3, { limit: 100 }, dialect),
    );
    const { historyTable, fixed } = getStorageTable(dataset);
    const search = `${historyTable}_by_until (${whichDataset(fixed)}until=?)`;
    expect(plan).toContain(`SEARCH old USING COVERING INDEX ${search}`);
    // The keys that were found are then passed once.
    const passes = ['CO-ROUTINE old', 'SCAN old'];
    const scans = plan.filter((step) => /\b(old|new|own)\b/.test(step) && !passes.includes(step));
    expect(scans.length).toBeGreaterThanOrEqual(7);
    for (const step of scans) expect(step).toMatch(/^SEARCH (old|new|own) USING/);
    expectNoSort(plan);
  });

  test.each(datasets)('between revisions of %s looks each record up by its key', (_, dataset) => {
    const counts = { newest: 9, published: 5, superseded: 5, supersededLater: 5 };
    const filter = { since: 1, until: 5, limit: 100 };
    const plan = explainSteps(findNetChanges(dataset, filter, dialect), [
      { ...counts, current: 1_000_000, history: 1_000_000 },
    ]);
    const lookups = plan.filter((step) => /\bversion\b/.test(step));
    expect(lookups).toHaveLength(3);
    const [first] = getStorageTable(dataset).key;
    for (const step of lookups) expect(step).toContain(`${first?.column}=?`);
  });

  const explainCorrections = (
    dataset: Dataset,
    filter: Partial<CorrectionFilter>,
    rows: object[] = [],
  ) => explainSteps(findCorrections(dataset, { limit: 100, ...filter }, undefined, dialect), rows);

  test.each(datasets)('that corrected %s uses only indexes and does not sort', (_, dataset) => {
    const { historyTable, fixed } = getStorageTable(dataset);
    const plan = explainCorrections(dataset, {});
    const search = `${historyTable}_by_until (${whichDataset(fixed)}until<?)`;
    expect(plan).toContain(`SEARCH old USING COVERING INDEX ${search}`);
    const lookups = plan.filter((step) => /\bown\b/.test(step));
    expect(lookups).toHaveLength(3);
    for (const step of lookups)
      expect(step).toMatch(/^SEARCH own USING (PRIMARY KEY|COVERING INDEX \w+_by_series)/);
    expectNoSort(plan);
  });

  test('that corrected one security or fund uses its own index', () => {
    const scans = (plan: readonly string[]) => plan.filter((step) => /^\S+ old /.test(step));
    const filter = { securities: ['x'], from: dateRange[0] };
    const [bySymbol] = scans(explainCorrections(quotes, filter, ARE_SYMBOLS));
    const [byIsin] = scans(explainCorrections(quotes, filter));
    const index = 'SEARCH old USING COVERING INDEX quotes_past';
    expect(bySymbol).toBe(`${index}_by_symbol (symbol_key=? AND date>?)`);
    expect(byIsin).toBe(`${index}_by_isin (isin_key=? AND date>?)`);
    const [byFund] = scans(explainCorrections(fundAllocation, { identifiers: ['x'] }));
    expect(byFund).toBe('SEARCH old USING PRIMARY KEY (dataset=? AND key1=? AND key2=?)');
    const several = { securities: ['x', 'y'] };
    expect(scans(explainCorrections(quotes, several, ARE_SYMBOLS))).toEqual([
      `${index}_by_symbol (symbol_key=?)`,
    ]);
    expect(scans(explainCorrections(quotes, several))).toEqual([`${index}_by_isin (isin_key=?)`]);
  });
});

describe('a discovery query', () => {
  const asOfDay: LocatedRecords = { ...asOf, newestDay: dateRange[1] };

  test.each<[string, LocatedRecords | undefined]>([
    ['current', undefined],
    ['earlier', asOfDay],
  ])('for %s securities searches the records of each by the covering index', (_, resolved) => {
    const { securities } = getSummaryTables(quotes) as SummaryTables;
    const plan = explain(symbolsStatement(getStorageTable(quotes), securities, dialect, resolved));
    const scans = plan.filter((step) => /^(SCAN|SEARCH) quotes_(now|past)( |$)/.test(step));
    expect(scans).toHaveLength(resolved ? 4 : 2);
    for (const step of scans)
      expect(step).toMatch(/^SEARCH quotes_(now|past) USING COVERING INDEX \w+_by_symbol/);
  });

  test.each<[string, Partial<QuoteSelection>]>([
    ['all', { dateRange }],
    ['a type', { type: 'bond', dateRange }],
    ['the newest day', {}],
  ])('for the number of quotes of %s sums up days', (_, filter) => {
    for (const resolved of [undefined, asOfDay]) {
      const plan = explain(
        quoteCountStatement({ ...base, ...filter }, { dialect, asOf: resolved }),
      );
      expect(plan.join('\n')).toMatch(/SEARCH quotes_days USING PRIMARY KEY \(date/);
      // But for the newest day itself.
      if (filter.dateRange) expect(plan.join('\n')).not.toMatch(/quotes_(now|past)/);
    }
  });

  test.each(['first', 'last'] as const)('for the %s day reads the primary key', (boundary) => {
    const plan = explain(boundaryRecordStatement(getStorageTable(quotes), boundary, asOfDay));
    expect(plan.join('\n')).toMatch(/quotes_now USING PRIMARY KEY/);
    expectNoSort(plan);
  });
});

describe('a page of vintages', () => {
  const explainVintages = (filter: VintageFilter, rows: object[] = []) =>
    explainSteps(findVintages(filter, undefined, dialect), rows);
  const expectSortedByRecord = (plan: readonly string[]) => {
    for (const step of plan.filter((each) => each.includes('TEMP B-TREE')))
      expect(step).toBe('USE TEMP B-TREE FOR LAST TERM OF ORDER BY');
  };

  test.each<[string, Partial<QuoteSelection>, RegExp, object[]]>([
    ['all', {}, /USING PRIMARY KEY \(date<\?/, []],
    ['days', { dateRange }, /USING PRIMARY KEY \(date>\? AND date<\?/, []],
    ['a type', { type: 'bond' }, /_by_type \(type=\? AND date<\?/, []],
    ['a symbol', { security: 'x' }, /COVERING INDEX \w+_by_symbol \(symbol_key=\?/, ARE_SYMBOLS],
    ['several', { securities: ['x', 'y'] }, /_by_symbol \(symbol_key=\?/, ARE_SYMBOLS],
    ['an ISIN', { security: 'x' }, /_by_(isin|symbol) \((isin|symbol)_key=\?/, []],
  ])('of quotes by %s is found by an index', (_, selected, index, rows) => {
    const selection = { ...base, ...selected };
    expectSortedByRecord(explainVintages({ selection }, rows));
    const plan = explainVintages({ selection, after: ['2026-01-20', 'x', 3] }, rows);
    expectSortedByRecord(plan);
    for (const table of ['quotes_now', 'quotes_past']) {
      const searches = plan.filter((step) => step.includes(table));
      expect(searches.length).toBeGreaterThan(0);
      for (const step of searches) expect(step).toMatch(index);
    }
    // Each of the first states is looked up among those of its record alone.
    const firstPlan = explainVintages({ selection, isFirstOnly: true }, rows);
    expectSortedByRecord(firstPlan);
    const lookups = firstPlan.filter((step) => step.includes('earlier'));
    expect(lookups.length).toBeGreaterThan(0);
    for (const step of lookups)
      expect(step).toMatch(
        /^SEARCH earlier USING .*(date=\? AND symbol=\?|symbol_key=\? AND date=\?)/,
      );
  });

  test.each(datasets)('of %s comes in the order of the primary key', (_, dataset) => {
    const { shape } = dataset;
    const kind = shape === 'series' ? 'observations' : shape === 'quotes' ? shape : 'identifiers';
    const selection = { kind, dataset, limit: 100 } as VintageFilter['selection'];
    expectSortedByRecord(explainVintages({ selection }));
  });
});

/** How a search begins in tables that several datasets share. */
function whichDataset(fixed: StorageTable['fixed']): string {
  return fixed.map(({ name }) => `${name}=? AND `).join('');
}

function expectNoSort(plan: readonly string[]): void {
  expect(plan.join('\n')).not.toMatch(/TEMP B-TREE|MATERIALIZE/);
}

function explain(statement: SqlStatement): string[] {
  return explainSteps(queryRows(statement));
}

/** The plans of all statements of the steps, each of which returns these rows. */
function explainSteps(steps: QuerySteps<unknown>, result: object[] = []): string[] {
  const details: string[] = [];
  for (let step = steps.next(); !step.done; step = steps.next(result)) {
    const { sql, values = [] } = step.value;
    const rows = database.query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${sql}`);
    details.push(...rows.all(...values).map(({ detail }) => detail));
  }
  return details;
}
