import { expect, test } from 'bun:test';
import { createShownRequest } from '../../../src/explorer/security/quote-fields.ts';

test('a table as shown is requested by its columns and its order', () => {
  const request = { path: '/2.0/bnb/quote', parameters: { date: '2026-06-30' } };
  const columns = [{ name: 'symbol' }, { name: 'ytm' }];
  const create = (sort: string) =>
    createShownRequest(request, columns, sort, { compare: '2026-05-29' });
  expect(create('-ytm')).toEqual({
    path: '/2.0/bnb/quote',
    parameters: {
      date: '2026-06-30',
      compare: '2026-05-29',
      fields: 'symbol,ytm',
      order: '-ytm',
    },
  });
  expect(create('-volume').parameters?.order).toBeUndefined();
});
