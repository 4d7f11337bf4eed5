import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { fixtureOf } from '../support/fixtures.ts';
import { filledStore } from '../support/store.ts';
import { messageOf, serviceOver, type TestService } from '../support/test-server.ts';

let service: TestService;
beforeAll(async () => {
  service = await serviceOver(await filledStore());
});
afterAll(() => service.stop());

const series = catalogue.filter(({ shape }) => shape === 'series');

describe.each(series.map((dataset) => [dataset.name, dataset] as const))('%s', (_, dataset) => {
  const [path] = dataset.paths;

  test('answers every record, newest period first', async () => {
    const { field = '', kind } = dataset.period ?? {};
    const place = (record: object) => kind?.toOrdinal(Reflect.get(record, field)) ?? 0;
    const newestFirst = fixtureOf(dataset).toSorted((a, b) => place(b) - place(a));
    const data = newestFirst.map((record) => serializeRecord(dataset, record)).join(',');
    const message = dataset.hasMessage ? '"message":"",' : '';
    expect(await (await service.ask(path)).text()).toBe(
      `{"status":"ok",${message}"data":[${data}]}`,
    );
  });

  test.each(['limit=1', 'year=2024', 'x', '=', '&', 'fund_id=1', 'limit=1&limit=2'])(
    'refuses any query parameter: ?%s',
    async (query) => {
      const response = await service.ask(`${path}?${query}`);
      expect(response.status).toBe(400);
      const [name = ''] = query.split(/[=&]/);
      expect(await messageOf(response)).toBe(`unknown parameter "${name}"; none is taken here`);
    },
  );
});
