import { expect, test } from 'bun:test';
import { createShownRequest } from '../../../src/explorer/export/create-shown-request.ts';

test('a table as shown is requested by its columns and its order, as the service calls them', () => {
  const request = { path: '/2.0/bnb/quote', parameters: { date: '2026-06-30' } };
  const columns = [{ name: 'symbol' }, { name: 'years', field: 'maturityYears' }];
  expect(createShownRequest(request, columns, '-years', { compare: '2026-05-29' })).toEqual({
    path: '/2.0/bnb/quote',
    parameters: {
      date: '2026-06-30',
      compare: '2026-05-29',
      fields: 'symbol,maturityYears',
      order: '-maturityYears',
    },
  });
});
