import { expect, test } from 'bun:test';
import { sortRows } from '../../../src/explorer/components/sort-rows.ts';

test('rows are sorted by a column in both directions, those without a value at the end', () => {
  const rows = [{ ytm: 11 }, { ytm: undefined }, { ytm: 12 }];
  const columns = [{ name: 'ytm', sortValue: (row: (typeof rows)[number]) => row.ytm }];
  const sort = (text?: string) => sortRows(rows, columns, text).map(({ ytm }) => ytm);
  expect(sort('ytm')).toEqual([11, 12, undefined]);
  expect(sort('-ytm')).toEqual([12, 11, undefined]);
  expect(sort('other')).toEqual([11, undefined, 12]);
});
