import { expect, test } from 'bun:test';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { declareIn } from '../support/declared-rates.ts';
import { createMessage, postMessage } from '../support/mcp-client.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const SALES: Declaration = {
  name: 'sales',
  title: 'Sales',
  period: { kind: 'year', field: 'year' },
  dimensions: [
    { field: 'area', title: 'Area', codes: { 'Korea, Rep.': 'South', 'The "North"': 'North' } },
  ],
  measures: [{ field: 'total', title: 'Total', unit: 'PKR', kind: 'flow' }],
};
const RECORDS = ['Korea, Rep.', 'The "North"'].map((area) => ({ year: '2025', area, total: 1 }));

const service = useTestServer(async () => {
  const store = await createFilledStore();
  await declareIn(store, SALES);
  await store.publish(createDeclaredDataset(SALES), RECORDS);
  return store;
});

test('a tool of MCP reads each value of a list as it is, and gives the address that does', async () => {
  const area = ['Korea, Rep.', 'The "North"'];
  const params = { name: 'get_series', arguments: { dataset: 'sales', dimensions: { area } } };
  const { body, headers } = createMessage('tools/call', params);
  const response = await postMessage(service.address, body, headers);
  const { structuredContent } = JSON.parse(await response.text()).result;
  expect(structuredContent.data).toEqual(RECORDS);
  const { pathname, search } = new URL(structuredContent.address);
  expect((await service.getJson(pathname + search)).data).toEqual(RECORDS);
});

test('a choice of OpenBB Workspace reads its records', async () => {
  const widgets = JSON.parse(await (await service.request('/widgets.json')).text());
  const { endpoint, params } = widgets.openbb_datasets_sales;
  const { options } = params.find(({ paramName }: { paramName: string }) => paramName === 'area');
  const values = options.map(({ value }: { value: string }) => value).join();
  const target = `/${endpoint}?area=${encodeURIComponent(values)}`;
  expect((await service.getJson(target)).data).toEqual(RECORDS);
});
