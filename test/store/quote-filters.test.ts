import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { QUOTE_PARAMETERS } from '../../src/catalogue/quote-parameters.ts';
import type { QuoteFilters } from '../../src/store/open-store.ts';
import { hasFilters, QUOTE_FILTERS, type QuoteFilter } from '../../src/store/sql/quote-filters.ts';
import { quote } from '../support/quote-fixture.ts';
import { ENGINES } from '../support/store.ts';

/** A value of each filter that the bond alone meets. */
const OF_BOND: { readonly [Name in keyof QuoteFilters]-?: NonNullable<QuoteFilters[Name]> } = {
  security: 'bond',
  securities: ['BOND', 'NONE'],
  type: 'bond',
  types: ['bond'],
};
const NAMES = Object.keys(OF_BOND) as (keyof QuoteFilters)[];

describe.each(ENGINES)('on $name', ({ createStore }) => {
  test.each(NAMES)('quotes by %s are read, counted and traced back alike', async (name) => {
    await using store = await createStore();
    const bond = quote({ symbol: 'BOND', type: 'bond', date: '2026-01-05' });
    const bill = quote({ symbol: 'BILL', type: 'tbill', date: '2026-01-06' });
    await store.publish(quotes, [bond, bill]);
    await store.publish(quotes, [{ ...bill, date: '2026-01-07' }]);
    const reader = store.reader();
    const filters: QuoteFilters = { [name]: OF_BOND[name] };
    const selection = { kind: 'quotes', dataset: quotes, limit: 9, ...filters } as const;
    expect(hasFilters(selection)).toBe(true);
    const days = { dateRange: ['2026-01-01', '2026-01-31'] } as const;
    // The newest day of the first revision has no bond.
    for (const page of [selection, { ...selection, asOf: 1 }, { ...selection, ...days }]) {
      const { records, total } = await reader.read({ ...page, includeTotal: true });
      expect([total, JSON.parse(`[${records}]`)]).toEqual([1, [bond]]);
    }
    const { entries } = await reader.vintages({ selection });
    expect(entries.map(({ record }) => JSON.parse(record))).toEqual([bond]);
    reader.close();
  });
});

describe('the tables of parameters and filters of quotes', () => {
  test('a parameter or filter that lacks a row, and one that lacks an answer, do not compile', () => {
    const { symbol, ...parameters } = QUOTE_PARAMETERS;
    // @ts-expect-error it is not said what symbol is for
    const parameterTable: Record<keyof typeof quotes.parameters, object> = parameters;
    const { type, ...filters } = QUOTE_FILTERS;
    // @ts-expect-error nothing is said of the type
    const filterTable: typeof QUOTE_FILTERS = filters;
    const { isInSummary, ...others } = type;
    // @ts-expect-error it is not said whether the summary of days has it
    const filter: QuoteFilter<string> = others;
    expect({ ...parameterTable, symbol }).toEqual(QUOTE_PARAMETERS);
    expect({ ...filterTable, type: { ...filter, isInSummary } }).toEqual(QUOTE_FILTERS);
  });
});
