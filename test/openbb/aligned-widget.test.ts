import { expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { createAlignedWidget } from '../../src/openbb/aligned-widget.ts';

test('columns whose names differ only in a dot and an underscore stay apart', () => {
  const { toRows } = createAlignedWidget(catalogue);
  const record = { period: '2024', 'rates.bid(bank=a.b)': 1, 'rates.bid(bank=a_b)': 2 };
  expect(toRows?.(record, {})).toEqual([
    { period: '2024', 'rates_bid(bank=a_b)': 1, 'rates_bid(bank=a_b)_': 2 },
  ]);
});
