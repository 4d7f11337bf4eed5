import { expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { createStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const path = `/3.0/funds/allocation?fund_id=${fundAllocation.example.fund_id}`;

const service = useTestServer(async () => {
  const store = await createStore();
  // A cell of a spreadsheet holds 32,767 characters.
  const record = { ...fundAllocation.example, frequency: 'x'.repeat(32_768) };
  await store.publish(fundAllocation, [record]);
  return store;
});

test('a format that cannot hold the data responds 406 in JSON, with the reason', async () => {
  const response = await service.request(path, { accept: XLSX });
  expect(response.status).toBe(406);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.has('etag')).toBe(false);
  expect(response.headers.get('vary')).toContain('Accept');
  expect(await errorMessage(response)).toMatch(
    /cannot be written as xlsx, because it has a text of 32768/,
  );
  expect((await service.request(path, { accept: 'text/csv' })).status).toBe(200);
});
