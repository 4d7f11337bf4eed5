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

test('what a form cannot hold is refused in JSON, with what is wrong, and other forms have it', async () => {
  const refused = await service.request(path, { accept: XLSX });
  expect(refused.status).toBe(406);
  expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(refused.headers.has('etag')).toBe(false);
  expect(refused.headers.get('vary')).toContain('Accept');
  expect(await errorMessage(refused)).toMatch(
    /cannot be written as xlsx, because it has a text of 32768/,
  );
  expect((await service.request(path, { accept: 'text/csv' })).status).toBe(200);
});
