import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { StoreDamagedError } from '../../src/store/errors.ts';
import { toStoreError } from '../../src/store/postgres/errors.ts';

test.each([
  ['XX001', 'invalid page in block 7 of relation base/16384/16445'],
  ['XX002', 'index "quotes_now_by_symbol" contains unexpected zero page at block 3'],
  [
    '58P01',
    'could not open file "base/17968/16445.1" (target block 9670856): previous segment is only 3867 blocks',
  ],
  ['XX000', 'invalid memory alloc request size 18446744073709551613'],
])('a PostgreSQL error with the state %s counts as damage', (errno, message) => {
  const options = { code: 'ERR_POSTGRES_SERVER_ERROR', errno, severity: 'ERROR' };
  const cause = new SQL.PostgresError(message, options as never);
  expect(toStoreError(cause)).toBeInstanceOf(StoreDamagedError);
});
