import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/quotes.ts';
import { tableOf } from '../../src/derive/table.ts';
import type { Quotes } from '../../src/store/index.ts';
import { someQuotes } from '../../src/store/statements.ts';
import { emptyStore } from '../support/store.ts';

const base: Quotes = { find: 'quotes', dataset: quotes, limit: 100 };
const days = ['2026-01-01', '2026-01-31'] as const;

test.each<[string, Quotes]>([
  ['the newest day', base],
  ['a range', { ...base, between: days }],
  ['a type', { ...base, type: 'bond' }],
  ['a type in a range', { ...base, type: 'bond', between: days }],
  ['a security', { ...base, security: 'x' }],
  ['a security in a range', { ...base, security: 'x', between: days }],
  ['a security and type in a range', { ...base, security: 'x', type: 'bond', between: days }],
])('%s is found by index, in order, without sorting', (_, selection) => {
  const store = emptyStore();
  using database = new Database(store.path, { readonly: true });
  for (const by of ['symbol_key', 'isin_key'] as const) {
    const { sql, values } = someQuotes(tableOf(quotes), selection, by);
    const steps = database
      .query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail);
    const walks = steps.filter((step) => step.includes('quotes_now'));
    expect(walks.length).toBeGreaterThan(0);
    // The newest day of all is the first entry of the primary key, which is reached by a scan of one.
    for (const step of walks) expect(step).toMatch(/^(SEARCH|SCAN quotes_now$)/);
    expect(steps.join('\n')).not.toContain('TEMP B-TREE');
    if (selection.security) {
      const index = by === 'symbol_key' ? 'by_symbol' : 'by_isin';
      for (const step of walks) expect(step).toContain(index);
    }
  }
  store.remove();
});
