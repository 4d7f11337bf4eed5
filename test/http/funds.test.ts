import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { readFixture } from '../support/fixtures.ts';
import { createFilledStore, createStore } from '../support/store.ts';
import { errorMessage, startTestServer } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const PATH = '/3.0/funds/allocation';
const [fund = {}] = readFixture(fundAllocation);
const id = String(fund.fund_id);

const service = useTestServer(createFilledStore);

describe('fund allocation', () => {
  test.each([id, id.toLowerCase(), id.toUpperCase()])(
    'finds %s, ignoring letter case',
    async (fundId) => {
      expect(await service.getJson(`${PATH}?fund_id=${fundId}`)).toEqual({
        status: 'ok',
        message: '',
        data: fund,
      });
    },
  );

  test.each(['', '?', '?fund_id=', '?fund_id'])(
    'responds 200 with status error when fund_id is missing or empty: "%s"',
    async (query) => {
      const response = await service.request(PATH + query);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('{"status":"error","message":"no fund_id provided"}');
    },
  );

  test.each([id.slice(0, -1), `${id}0`, 'x', '%', "' OR 1=1 --", `${id} `])(
    'responds 200 with no_record_found when no fund matches: "%s"',
    async (fundId) => {
      const response = await service.request(`${PATH}?fund_id=${encodeURIComponent(fundId)}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('{"status":"error","message":"no_record_found"}');
      expect(response.headers.get('tenor-revision')).not.toBeNull();
    },
  );

  test.each([
    ['?fund_id=a&fund_id=b', 'fund_id'],
    ['?fund_id=%zz', 'fund_id'],
    ['?fund=a', 'fund'],
    ['?limit=5', 'limit'],
  ])('rejects %s, naming %s', async (query, parameter) => {
    const response = await service.request(PATH + query);
    expect(response.status).toBe(400);
    expect(await errorMessage(response)).toContain(`"${parameter}"`);
  });

  test('lists periods newest first, each value with its period, in whatever order they were published', async () => {
    const store = await createStore();
    const backwards = {
      ...fundAllocation.example,
      periods: fundAllocation.example.periods.toReversed(),
      rows: fundAllocation.example.rows.map(({ label, values }) => ({
        values: values.toReversed(),
        label,
      })),
    };
    await store.publish(fundAllocation, [backwards]);
    const other = await startTestServer(store);
    const body = await (await other.request(`${PATH}?fund_id=${backwards.fund_id}`)).text();
    await other.stop();
    expect(body).toBe(JSON.stringify({ status: 'ok', message: '', data: fundAllocation.example }));
  });

  test.each([
    ['a row with a value too few', { rows: [{ label: 'Cash', values: [1] }] }, 'rows'],
    ['a date given twice', { periods: [PERIOD('a'), PERIOD('b')], rows: [] }, 'periods'],
  ])('publishing rejects %s', async (_, part, field) => {
    const store = await createStore();
    const publishing = store.publish(fundAllocation, [{ ...fundAllocation.example, ...part }]);
    await expect(publishing).rejects.toMatchObject({ problems: [{ record: 1, field }] });
    await store.remove();
  });
});

function PERIOD(label: string) {
  return { label, date: '2026-06-30' };
}
