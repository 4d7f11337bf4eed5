import { expect, test } from 'bun:test';
import { createLookupTable } from '../../src/shared/lookup-table.ts';
import { INHERITED_NAMES } from '../support/inherited-names.ts';

test.each(INHERITED_NAMES)('a lookup table has its own names, and not %s', (name) => {
  const table: Readonly<Record<string, number>> = createLookupTable({ one: 1 });
  expect([table.one, table[name]]).toEqual([1, undefined]);
  expect(Object.keys(table)).toEqual(['one']);
});
