import { beforeAll, describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { declareKibor } from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';
import { getRaw } from '../support/raw-http.ts';
import { createStore, fillStore } from '../support/store.ts';
import { TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const PATH = '/3.0/funds/allocation';
const [fund = {}] = readFixture(fundAllocation);
const KNOWN = `fund_id=${fund.fund_id}`;
const UNKNOWN = 'fund_id=x';

const MISSING_BODY = '{"status":"error","message":"no fund_id provided"}';
const UNKNOWN_BODY = '{"status":"error","message":"no_record_found"}';

/** A cursor that names revision 1, signed by nobody. */
const CURSOR = Buffer.from(`${'\0'.repeat(16)}["x",1,0]`).toString('base64url');

/** What is wrong with a query, and the status of a fund that exists. */
const FAULTS: readonly (readonly [fault: string, query: string, status: number])[] = [
  ['an unknown parameter', 'who=x', 400],
  ['a parameter of other operations that names a revision', 'until=1', 400],
  ['a cursor, which names a revision', `cursor=${CURSOR}`, 400],
  ['a repeated parameter', 'format=csv&format=csv', 400],
  ['an as_of that is repeated', 'as_of=99&as_of=1', 400],
  ['an empty format', 'format=', 400],
  ['an empty as_of', 'as_of=', 400],
  ['an unknown parameter with a broken encoding', 'who=%ed%a0%80', 400],
  ['a format with a broken encoding', 'format=%ed%a0%80', 400],
  ['an as_of with a broken encoding', 'as_of=%ed%a0%80', 400],
  ['a NUL', 'who=%00', 400],
  ['an as_of with a NUL', 'as_of=1%00', 400],
  ['an unknown format', 'format=html', 400],
  ['an invalid as_of', 'as_of=yesterday', 400],
  ['an as_of beyond the newest revision', 'as_of=999', 400],
];

/** The same for headers. */
const HEADER_FAULTS: readonly (readonly [header: string, status: number])[] = [
  ['Accept-Datetime: yesterday', 400],
  ['Tenor-Revision: newest', 400],
];

describe('a missing or unknown fund', () => {
  let declaredAt = 0;
  const service = useTestServer(async () => {
    const store = await fillStore(await createStore());
    // From here on, the catalogue is another than that of the first revisions.
    declaredAt = await declareKibor(store);
    return store;
  });
  const get = async (query: string, ...headers: string[]) => {
    const {
      status,
      body,
      headers: sent,
    } = await getRaw(
      service.address,
      `${PATH}?${query}`,
      `Authorization: Bearer ${TOKEN}`,
      ...headers,
    );
    return { status, body, revision: sent.get('tenor-revision') };
  };
  const expectFundErrors = async (others: string, ...headers: string[]) => {
    for (const empty of [others, `fund_id=&${others}`, `${others}&fund_id`])
      expect(await get(empty, ...headers)).toMatchObject({ status: 200, body: MISSING_BODY });
    for (const unknown of [`${UNKNOWN}&${others}`, `${others}&${UNKNOWN}`])
      expect(await get(unknown, ...headers)).toMatchObject({ status: 200, body: UNKNOWN_BODY });
  };
  beforeAll(async () => {
    expect((await get(KNOWN)).status).toBe(200);
    expect(declaredAt).toBeGreaterThan(3);
  });

  test.each(FAULTS)('comes before %s: %s', async (_, query, status) => {
    for (const asOf of ['', '&as_of=1', '&as_of=1990-01-01', `&as_of=${declaredAt}`])
      await expectFundErrors(`${query}${asOf}`);
    await expectFundErrors(`as_of=1&${query}`);
    await expectFundErrors(query, 'Accept-Datetime: Thu, 01 Jan 1998 00:00:00 GMT');
    expect((await get(`${KNOWN}&${query}`)).status).toBe(status);
    expect((await get(`${query}&${KNOWN}`)).status).toBe(status);
  });

  test.each(HEADER_FAULTS)('comes before the header %s', async (header, status) => {
    for (const query of ['', 'who=x', 'as_of=', 'who=x&as_of=1', 'format=csv'])
      await expectFundErrors(query, header);
    expect((await get(KNOWN, header)).status).toBe(status);
  });

  test('is told if no revision is as old as the request is as of', async () => {
    await expectFundErrors('as_of=1990-01-01');
    await expectFundErrors('', 'Accept-Datetime: Thu, 01 Jan 1998 00:00:00 GMT');
    expect(await get(`${KNOWN}&as_of=1990-01-01`)).toMatchObject({
      status: 200,
      body: UNKNOWN_BODY,
    });
  });

  test('is one that there was not yet as of the request, whatever else is wrong with it', async () => {
    const asOfFirst = { status: 200, body: UNKNOWN_BODY, revision: '1' };
    for (const fault of ['', '&who=x', '&format=', '&cursor=x'])
      expect(await get(`${KNOWN}&as_of=1${fault}`)).toEqual(asOfFirst);
    expect((await get(`${KNOWN}&as_of=${declaredAt}&who=x`)).status).toBe(400);
  });

  test('waits for a revision that the client has seen elsewhere: it may have the fund', async () => {
    const header = `Tenor-Revision: ${declaredAt + 100}`;
    const unavailable = { status: 503, body: expect.stringContaining('temporarily_unavailable') };
    expect(await get('', header)).toMatchObject({ status: 200, body: MISSING_BODY });
    expect(await get('who=x&as_of=1', header)).toMatchObject({ status: 200, body: MISSING_BODY });
    // Both may be in the cache without the header.
    for (const query of [UNKNOWN, KNOWN, `${UNKNOWN}&who=x`, `${KNOWN}&as_of=${declaredAt}`]) {
      await get(query);
      expect(await get(query, header)).toMatchObject(unavailable);
    }
  }, 20_000);

  test('is not remembered for a request without the header that deferred its error', async () => {
    for (let count = 0; count < 3; count++)
      expect((await get(KNOWN, 'Tenor-Revision: newest')).status).toBe(400);
    expect((await get(KNOWN)).body).toStartWith('{"status":"ok"');
    // It is not there as of the first revision, whatever the header.
    for (const header of ['Tenor-Revision: newest', 'Tenor-Revision: 1'])
      expect(await get(`${KNOWN}&as_of=1`, header)).toMatchObject({ body: UNKNOWN_BODY });
  });
});
