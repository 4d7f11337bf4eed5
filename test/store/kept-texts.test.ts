import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { singleServerDialect } from '../../src/store/postgres/dialect.ts';
import type { SecurityLookup } from '../../src/store/sql/quote-filters.ts';
import { type QuotePageSelection, quotesStatement } from '../../src/store/sql/quote-statements.ts';
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts';

const DIALECTS = [sqliteDialect, singleServerDialect];
const LOOKUPS: SecurityLookup[] = ['symbol_key', 'isin_key', 'symbol_of_isin'];
const SECURITIES = [{}, { security: 'A' }, { security: 'B'.repeat(101) }];
const TYPES = [{}, { type: 'bond' }];
const DAYS = [
  {},
  { notAfter: '2026-01-09' },
  { dateRange: ['2026-01-05', '2026-01-05'] },
  { dateRange: ['2026-01-05', '2026-01-09'] },
  { dateRange: ['2026-01-05', '2026-01-09'], afterDate: '2026-01-07' },
  { afterKey: ['2026-01-07', 'C'] },
];
const ORDERS = [{}, { isOldestFirst: true }, { asNdjson: true }];

/** Every combination of what a statement about current quotes may depend on. */
function listSelections(): QuotePageSelection[] {
  const base = { kind: 'quotes', dataset: quotes, limit: 7 };
  return SECURITIES.flatMap((security) =>
    TYPES.flatMap((type) =>
      DAYS.flatMap((days) =>
        ORDERS.map((order) => ({ ...base, ...security, ...type, ...days, ...order })),
      ),
    ),
  ) as QuotePageSelection[];
}

test('a statement whose text is kept is the one that is built anew, whatever was asked before', () => {
  const options = DIALECTS.flatMap((dialect) => LOOKUPS.map((lookup) => ({ dialect, lookup })));
  const cases = options.flatMap((option) =>
    listSelections().map((selection) => [selection, option] as const),
  );
  for (const [selection, option] of cases) quotesStatement(selection, option);
  for (const [index, [selection, option]] of cases.entries()) {
    // Nothing is kept of a dataset of another name.
    const dataset = { ...quotes, name: `other${index}` };
    const anew = quotesStatement({ ...selection, dataset }, option);
    const sql = anew.sql.replaceAll(dataset.name, quotes.name);
    expect(quotesStatement(selection, option)).toEqual({ sql, values: anew.values });
  }
});
