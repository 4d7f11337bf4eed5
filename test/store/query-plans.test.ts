import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import type { QuoteSelection } from '../../src/store/open-store.ts';
import { findCorrections } from '../../src/store/sql/corrections.ts';
import {
  boundaryRecordStatement,
  securitiesStatement,
} from '../../src/store/sql/discovery-statements.ts';
import { findRevisionAt } from '../../src/store/sql/ledger.ts';
import type { QuerySteps, SqlStatement, SqlValue } from '../../src/store/sql/query-steps.ts';
import { queryRows } from '../../src/store/sql/query-steps.ts';
import type { QuotePageSelection } from '../../src/store/sql/record-statements.ts';
import {
  allRecordsStatement,
  asOfStatement,
  fundStatement,
  quotesStatement,
  seriesStatement,
  symbolExistsStatement,
} from '../../src/store/sql/record-statements.ts';
import { findRevisionChanges } from '../../src/store/sql/revision-changes.ts';
import type { ResolvedAsOf } from '../../src/store/sql/select-records.ts';
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts';
import { createStore } from '../support/store.ts';

const base: QuoteSelection = { kind: 'quotes', dataset: quotes, limit: 100 };
const days = ['2026-01-01', '2026-01-31'] as const;
const beyond = { date: '2026-01-20', symbol: 'x' };

test.each<[string, QuotePageSelection]>([
  ['the newest day', base],
  ['a range', { ...base, dateRange: days }],
  ['a type', { ...base, type: 'bond' }],
  ['a type in a range', { ...base, type: 'bond', dateRange: days }],
  ['a security', { ...base, security: 'x' }],
  ['a security in a range', { ...base, security: 'x', dateRange: days }],
  ['a security and type in a range', { ...base, security: 'x', type: 'bond', dateRange: days }],
  ['the rest of a day', { ...base, afterPosition: beyond }],
  ['the rest of a day of a type', { ...base, type: 'bond', afterPosition: beyond }],
  ['the rest of a day of a security', { ...base, security: 'x', afterPosition: beyond }],
  ['the days before one', { ...base, dateRange: days, beforeDate: beyond.date }],
  [
    'the days before one of a type',
    { ...base, type: 'bond', dateRange: days, beforeDate: beyond.date },
  ],
])('%s is found by index, in order, without sorting', async (_, selection) => {
  const store = await createStore();
  using database = new Database(store.path, { readonly: true });
  for (const by of ['symbol_key', 'isin_key'] as const) {
    const { sql, values } = quotesStatement(getStorageTable(quotes), selection, sqliteDialect, by);
    const steps = database
      .query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail);
    const walks = steps.filter((step) => step.includes('quotes_now'));
    expect(walks.length).toBeGreaterThan(0);
    // The newest day of all is the first entry of the primary key, which is reached by a scan of one.
    for (const step of walks) expect(step).toMatch(/^(SEARCH|SCAN quotes_now$)/);
    if (selection.afterPosition && !selection.security)
      for (const step of walks) expect(step).toContain('symbol>?');
    expect(steps.join('\n')).not.toContain('TEMP B-TREE');
    if (selection.security) {
      const index = by === 'symbol_key' ? 'by_symbol' : 'by_isin';
      for (const step of walks) expect(step).toContain(index);
    }
  }
  await store.remove();
});

describe('the past', () => {
  const past: QuoteSelection = { ...base, asOf: 3 };
  const asOf: ResolvedAsOf = { revision: 3, tables: 'both', newestDay: null };
  const until = days[1];

  test.each<[string, QuoteSelection]>([
    ['the newest day', { ...past, dateRange: [until, until] }],
    ['a range', { ...past, dateRange: days }],
    ['a type', { ...past, type: 'bond', notAfter: until }],
    ['a type in a range', { ...past, type: 'bond', dateRange: days }],
    ['a security', { ...past, security: 'x', notAfter: until }],
    ['a security and type', { ...past, security: 'x', type: 'bond', notAfter: until }],
    ['a security in a range', { ...past, security: 'x', dateRange: days }],
    ['a security and type in a range', { ...past, security: 'x', type: 'bond', dateRange: days }],
  ])('%s is found by index in both halves, in order, without sorting', async (_, selection) => {
    for (const by of ['symbol_key', 'isin_key'] as const) {
      const steps = await planOf(
        quotesStatement(getStorageTable(quotes), selection, sqliteDialect, by, asOf),
      );
      for (const half of ['quotes_now', 'quotes_past']) {
        const walks = steps.filter((step) => step.includes(half));
        expect(walks.length).toBeGreaterThan(0);
        for (const step of walks) {
          expect(step).toStartWith(`SEARCH ${half} USING`);
          // Days bound every walk: what was published since is passed by.
          expect(step).toContain('date');
          if (selection.security) {
            expect(step).toContain(by === 'symbol_key' ? '_by_symbol' : '_by_isin');
          } else if (selection.type) {
            expect(step).toContain('_by_type');
          }
        }
      }
      expect(steps.join('\n')).not.toContain('TEMP B-TREE');
    }
  });

  test('whether a symbol was there is found by index', async () => {
    const steps = await planOf(symbolExistsStatement(getStorageTable(quotes), 'x', asOf));
    const walks = steps.filter((step) => step.includes('quotes_'));
    expect(walks).toHaveLength(2);
    for (const step of walks) {
      expect(step).toMatch(/^SEARCH .* USING COVERING INDEX .*_by_symbol \(symbol_key=\?\)$/);
    }
    expect(steps.join('\n')).not.toContain('TEMP B-TREE');
  });

  test('a fund is found by its key', async () => {
    const steps = await planOf(fundStatement(getStorageTable(fundAllocation), 'x', asOf));
    const walks = steps.filter((step) => step.includes('fund_allocation_'));
    expect(walks).toHaveLength(2);
    for (const step of walks) expect(step).toMatch(/^SEARCH .* USING PRIMARY KEY \(fund_key=\?/);
  });

  test.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    'all of %s comes in the order of the primary keys, without sorting',
    async (_, dataset) => {
      const table = getStorageTable(dataset);
      const whole = dataset.shape === 'series' ? [seriesStatement(table, ',', asOf)] : [];
      for (const statement of [...whole, allRecordsStatement(table, asOf)]) {
        const steps = await planOf(statement);
        expect(steps).toContain(`SCAN ${table.currentTable}`);
        expect(steps).toContain(`SCAN ${table.historyTable}`);
        expect(steps.join('\n')).not.toContain('TEMP B-TREE');
      }
    },
  );

  test.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    'what is to be known of %s before is found by index',
    async (_, dataset) => {
      const { currentTable, historyTable } = getStorageTable(dataset);
      const steps = await planOf(asOfStatement(getStorageTable(dataset), dataset.name, 3));
      expect(steps).toContain(
        `SEARCH ${currentTable} USING COVERING INDEX ${currentTable}_by_since (since<?)`,
      );
      expect(steps.join('\n')).toContain('revisions_by_dataset (dataset=? AND revision<?)');
      // Of these, the first entry is all that is looked at.
      const scans = steps.filter((step) => step.startsWith('SCAN') && !/CONSTANT ROW/.test(step));
      for (const step of scans) expect(step).toContain(historyTable);
      expect(steps.join('\n')).not.toContain('TEMP B-TREE');
    },
  );

  test('the revision of an instant is one search', async () => {
    expect(await plansOf(findRevisionAt('2026-01-01T00:00:00.000Z'))).toEqual([
      expect.stringMatching(/^SEARCH revisions USING INDEX revisions_by_instant/),
    ]);
  });

  test.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    'what a revision did to %s is found by index, in order, without sorting',
    async (_, dataset) => {
      const steps = await plansOf(findRevisionChanges(getStorageTable(dataset), 3, { limit: 100 }));
      const walks = steps.filter((step) => /\b(old|new)\b/.test(step));
      expect(walks.length).toBeGreaterThanOrEqual(7);
      for (const step of walks) expect(step).toMatch(/^SEARCH (old|new) USING/);
      expect(steps.join('\n')).not.toMatch(/TEMP B-TREE|MATERIALIZE/);
    },
  );

  test.each(catalogue.map((dataset) => [dataset.name, dataset] as const))(
    'what was corrected of %s is found by indexes alone, the last revision first, without sorting',
    async (_, dataset) => {
      const { historyTable: past } = getStorageTable(dataset);
      const work = findCorrections(dataset, { limit: 100 }, undefined, sqliteDialect);
      const steps = await plansOf(work);
      expect(steps).toContain(`SEARCH old USING COVERING INDEX ${past}_by_until (until<?)`);
      const looks = steps.filter((step) => /\bown\b/.test(step));
      expect(looks).toHaveLength(3);
      for (const step of looks) expect(step).toMatch(/^SEARCH own USING PRIMARY KEY/);
      expect(steps.join('\n')).not.toMatch(/TEMP B-TREE|MATERIALIZE/);
    },
  );

  test('what was corrected of one security or fund is found among its own records', async () => {
    const of = (which: object, dataset: Dataset) =>
      plansOf(findCorrections(dataset, { limit: 100, ...which }, undefined, sqliteDialect));
    const walks = (steps: readonly string[]) => steps.filter((step) => /^\S+ old /.test(step));
    const [bySymbol, byIsin] = walks(await of({ security: 'x', from: days[0] }, quotes));
    const index = 'SEARCH old USING COVERING INDEX quotes_past';
    expect(bySymbol).toBe(`${index}_by_symbol (symbol_key=? AND date>?)`);
    expect(byIsin).toBe(`${index}_by_isin (isin_key=? AND date>?)`);
    const [byFund] = walks(await of({ fund: 'x' }, fundAllocation));
    expect(byFund).toBe('SEARCH old USING PRIMARY KEY (fund_key=?)');
  });
});

describe('discovery', () => {
  const asOf: ResolvedAsOf = { revision: 3, tables: 'both', newestDay: days[1] };

  test.each([
    ['now', undefined],
    ['then', asOf],
  ] as const)('%s, securities are found key by key, never record by record', async (_, moment) => {
    const steps = await planOf(securitiesStatement(getStorageTable(quotes), moment));
    const walks = steps.filter((step) => /^(SCAN|SEARCH) quotes_(now|past)( |$)/.test(step));
    expect(walks.length).toBeGreaterThan(4);
    for (const step of walks) expect(step).toMatch(/^SEARCH|_by_spelling$/);
  });

  test.each(['first', 'last'] as const)('the %s day is an end of the primary key', async (end) => {
    const steps = await planOf(boundaryRecordStatement(getStorageTable(quotes), end, asOf));
    expect(steps.join('\n')).toMatch(/quotes_now USING PRIMARY KEY/);
    expect(steps.join('\n')).not.toContain('TEMP B-TREE');
  });
});

function planOf({ sql, values }: SqlStatement): Promise<string[]> {
  return plansOf(queryRows(sql, values));
}

/** How every statement that the work takes is run; each of them gives no rows. */
async function plansOf(work: QuerySteps<unknown>): Promise<string[]> {
  const store = await createStore();
  using database = new Database(store.path, { readonly: true });
  const details: string[] = [];
  for (let step = work.next(); !step.done; step = work.next([])) {
    const { sql, values } = step.value;
    const asked = database.query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${sql}`);
    details.push(...asked.all(...values).map(({ detail }) => detail));
  }
  await store.remove();
  return details;
}
