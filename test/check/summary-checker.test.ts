import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { SummaryChecker } from '../../src/check/summary-checker.ts';
import type { StoredRow } from '../../src/store/open-store.ts';

test('a row whose columns are damaged to other types is compared like others', async () => {
  const faults: string[] = [];
  const checker = new SummaryChecker(
    quotes,
    async () => [],
    (line) => faults.push(line),
  );
  const columns = ['2026-06-30', 'a', 7, null, 'bond'] as unknown as StoredRow['columns'];
  checker.add({ columns, json: '', since: 1, until: null });
  await checker.compareSecurities();
  await checker.compareDays();
  expect(faults).toEqual([
    expect.stringContaining('lacks symbol_key 7, symbol a, isin_key null, since 1'),
    expect.stringContaining('lacks date 2026-06-30, type bond, revision 1, difference 1'),
  ]);
});
