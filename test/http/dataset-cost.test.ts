import { expect, test } from 'bun:test';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { OperationRequest } from '../../src/http/pipeline/route.ts';
import { RequestTarget } from '../../src/http/request/parse-query.ts';
import { createDatasetRoutes } from '../../src/operations/records/record-routes.ts';
import { KIBOR } from '../support/declared-rates.ts';

const bank = { field: 'bank', title: 'Bank' };
const [{ parse, cost } = {} as never] = createDatasetRoutes(
  createDeclaredDataset({ ...KIBOR, dimensions: [...(KIBOR.dimensions ?? []), bank] }),
);

test.each([
  ['', 1],
  ['tenor=6M&bank=A', 1],
  ['tenor=6M', 10],
  ['bank=A,B', 10],
  [`tenor=1M,6M&bank=${'A,'.repeat(49)}B`, 10],
])('a request for %p costs %p until it is known what it found', (query, expected) => {
  const request = {
    target: new RequestTarget(`/datasets/kibor?${query}`),
    includesTotal: false,
  };
  const planned = parse(request as unknown as OperationRequest);
  expect(cost({ ...planned, available: 50 } as never)).toBe(expected);
  // By its limit, if it is not known how many records there are.
  expect(cost(planned as never)).toBe(100);
});
