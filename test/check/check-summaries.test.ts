import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createSummaryChecker } from '../../src/check/check-summaries.ts';
import type { StoredRow, StoreInspector } from '../../src/store/open-store.ts';

test('a row whose columns are damaged to other types is compared like others', async () => {
  const inspector = { summaryRows: async () => [] } as unknown as StoreInspector;
  const checker = createSummaryChecker(inspector, quotes);
  const columns = ['2026-06-30', 'a', 7, null, 'bond'] as unknown as StoredRow['columns'];
  checker.add({ columns, json: '', since: 1, until: null });
  const faults: string[] = [];
  await checker.finish((line) => faults.push(line));
  expect(faults).toEqual([
    expect.stringContaining('lacks symbol_key 7, symbol a, isin_key null, since 1'),
    expect.stringContaining('lacks date 2026-06-30, type bond, revision 1, difference 1'),
  ]);
});
