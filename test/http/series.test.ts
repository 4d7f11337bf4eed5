import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { readFixture } from '../support/fixtures.ts';
import { createFilledStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const service = useTestServer(createFilledStore);

const series = catalogue.filter(({ shape }) => shape === 'series');

describe.each(series.map((dataset) => [dataset.name, dataset] as const))('%s', (_, dataset) => {
  const [path] = dataset.paths;

  test('responds with every record, newest period first', async () => {
    const { field = '', kind } = dataset.period ?? {};
    const ordinal = (record: object) => kind?.toOrdinal(Reflect.get(record, field)) ?? 0;
    const newestFirst = readFixture(dataset).toSorted((a, b) => ordinal(b) - ordinal(a));
    const data = newestFirst.map((record) => serializeRecord(dataset, record)).join(',');
    const message = dataset.hasMessage ? '"message":"",' : '';
    expect(await (await service.request(path)).text()).toBe(
      `{"status":"ok",${message}"data":[${data}]}`,
    );
  });

  test.each(['limit=1', 'year=2024', 'x', '=', '=x', 'fund_id=1', 'limit=1&limit=2'])(
    'rejects any query parameter: ?%s',
    async (query) => {
      const response = await service.request(`${path}?${query}`);
      expect(response.status).toBe(400);
      const [name = ''] = query.split(/[=&]/);
      expect(await errorMessage(response)).toBe(
        `unknown parameter "${name}"; allowed: as_of, format`,
      );
    },
  );
});
