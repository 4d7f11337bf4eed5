import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { readFixture } from '../support/fixtures.ts';
import { getRaw } from '../support/raw-http.ts';
import { createStore, fillStore } from '../support/store.ts';
import { errorMessage, startTestServer, TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const PATH = '/3.0/funds/allocation';
const [fund = {}] = readFixture(fundAllocation);
const id = String(fund.fund_id);

const AUTHORIZATION = `Authorization: Bearer ${TOKEN}`;
const OTHER_FAULTS = [
  ['an unknown parameter', 'limit=5', 'unknown parameter "limit"; allowed: fund_id, as_of, format'],
  ['an empty name', '=x', 'unknown parameter ""; allowed: fund_id, as_of, format'],
  [
    'another letter case',
    'FUND_ID=x',
    'unknown parameter "FUND_ID"; allowed: fund_id, as_of, format',
  ],
  ['a badly encoded name', '%ff=1', 'parameter "%ff" must be percent-encoded UTF-8 without NUL'],
  ['a badly encoded value', 'x=%zz', 'parameter "x" must be percent-encoded UTF-8 without NUL'],
  ['a NUL', 'x=%00', 'parameter "x" must be percent-encoded UTF-8 without NUL'],
] as const;

describe('fund allocation', () => {
  const service = useTestServer(async () => fillStore(await createStore()));

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
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('tenor-revision')).not.toBeNull();
    },
  );

  test.each(OTHER_FAULTS)(
    'reports a missing or unknown fund before the fault of %s, which is reported if the fund exists',
    async (_, fault, message) => {
      const ask = async (...segments: string[]) => {
        const target = `${PATH}?${segments.join('&')}`;
        const { status, body } = await getRaw(service.address, target, AUTHORIZATION);
        return [status, JSON.parse(body).message];
      };
      expect(await ask(fault)).toEqual([200, 'no fund_id provided']);
      for (const empty of ['fund_id', 'fund_id=']) {
        expect(await ask(empty, fault)).toEqual([200, 'no fund_id provided']);
        expect(await ask(fault, empty)).toEqual([200, 'no fund_id provided']);
      }
      expect(await ask('fund_id=x', fault)).toEqual([200, 'no_record_found']);
      expect(await ask(fault, 'fund_id=x')).toEqual([200, 'no_record_found']);
      expect(await ask(`fund_id=${id}`, fault)).toEqual([400, message]);
      expect(await ask(fault, `fund_id=${id}`)).toEqual([400, message]);
    },
  );

  test.each(['%zz', '%ff', '%00', 'a%00b', '%'])(
    'finds no fund by an identifier that cannot be decoded: %s',
    async (text) => {
      const { status, body } = await getRaw(
        service.address,
        `${PATH}?fund_id=${text}`,
        AUTHORIZATION,
      );
      expect([status, JSON.parse(body).message]).toEqual([200, 'no_record_found']);
    },
  );

  test('of several fund_id the first decides, and a fund that exists is reported as given twice', async () => {
    const ask = async (query: string) => {
      const response = await service.request(PATH + query);
      return [response.status, await errorMessage(response)];
    };
    const repeated = [400, 'parameter "fund_id" is given more than once; give it once'];
    expect(await ask('?fund_id=&fund_id=x')).toEqual([200, 'no fund_id provided']);
    expect(await ask(`?fund_id=x&fund_id=${id}`)).toEqual([200, 'no_record_found']);
    expect(await ask(`?fund_id=${id}&fund_id=x`)).toEqual(repeated);
    expect(await ask(`?fund_id=${id}&fund_id=${id}`)).toEqual(repeated);
    expect(await ask(`?fund_id=${id}&fund_id=`)).toEqual(repeated);
  });

  test.each(['application/json', 'text/csv'])(
    'reports a missing or unknown fund before an invalid Accept-Datetime, asked for %s',
    async (accept) => {
      const ask = async (query: string, datetime: string) => {
        const response = await service.request(PATH + query, {
          accept,
          'accept-datetime': datetime,
        });
        return [response.status, response.status === 200 && (await response.text())];
      };
      await service.request(`${PATH}?fund_id=${id}`, { accept });
      for (const query of ['', '?fund_id=', '?x=1'])
        expect(await ask(query, 'yesterday')).toEqual([200, expect.stringContaining('no fund_id')]);
      for (const query of ['?fund_id=x', '?fund_id=x&x=1'])
        expect(await ask(query, 'yesterday')).toEqual([
          200,
          expect.stringContaining('no_record_found'),
        ]);
      expect(await ask(`?fund_id=${id}`, 'yesterday')).toEqual([400, false]);
      expect(await ask(`?fund_id=${id}&x=1`, 'yesterday')).toEqual([400, false]);
    },
  );

  test('looks for the fund as of Accept-Datetime before it reports another parameter', async () => {
    const ask = async (datetime: string) => {
      const response = await service.request(`${PATH}?fund_id=${id}&x=1`, {
        'accept-datetime': datetime,
      });
      return [response.status, await errorMessage(response)];
    };
    expect(await ask('2001-01-01T00:00:00Z')).toEqual([200, 'no_record_found']);
    expect(await ask(new Date().toISOString())).toEqual([400, expect.stringContaining('"x"')]);
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
    await using store = await createStore();
    const publishing = store.publish(fundAllocation, [{ ...fundAllocation.example, ...part }]);
    await expect(publishing).rejects.toMatchObject({ problems: [{ record: 1, field }] });
  });
});

function PERIOD(label: string) {
  return { label, date: '2026-06-30' };
}
