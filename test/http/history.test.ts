import { describe, expect, spyOn, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { asOfParameter } from '../../src/catalogue/model/parameter.ts';
import { DESCRIBED_BY, findLink } from '../support/follow-links.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { getRaw, sendRaw } from '../support/raw-http.ts';
import { createStore } from '../support/store.ts';
import { errorMessage, startTestServer, TOKEN } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const QUOTE = '/2.0/bnb/quote';
const FUND = '/3.0/funds/allocation?fund_id=';
const AUTHORIZED = `Authorization: Bearer ${TOKEN}`;

const asOf = (instant: string) => ({ 'accept-datetime': instant });

describe('Accept-Datetime', () => {
  let fundsOnly: string;
  const instants = [
    '2026-03-01T10:00:00.000Z',
    '2026-03-01T10:00:00.250Z',
    '2026-03-01T10:00:00.750Z',
    '2026-03-02T00:00:00.000Z',
  ];
  const service = useTestServer(async () => {
    const store = await createStore();
    for (const [index, instant] of instants.entries()) {
      await publishAt(store, instant, quotes, { records: [quote({ lastPrice: index + 1 })] });
    }
    fundsOnly = await issueSecret(store, ['funds']);
    return store;
  });

  const revisionAt = async (instant: string) => {
    const response = await service.request(QUOTE, asOf(instant));
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { lastPrice: number }[] };
    const revision = Number(response.headers.get('tenor-revision'));
    expect(data[0]?.lastPrice ?? 0).toBe(revision);
    return revision;
  };

  test.each([
    ['Sun, 01 Mar 2026 09:59:59 GMT', 0],
    ['Sun, 01 Mar 2026 10:00:00 GMT', 3],
    ['Sun, 01 Mar 2026 10:00:01 GMT', 3],
    ['Sun, 01 Mar 2026 23:59:59 GMT', 3],
    ['Mon, 02 Mar 2026 00:00:00 GMT', 4],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 4],
    ['Mon, 01 Jan 0001 00:00:00 GMT', 0],
    ['2026-03-01T09:59:59Z', 0],
    ['2026-03-01T09:59:59.999Z', 0],
    ['2026-03-01T10:00:00Z', 3],
    ['2026-03-01T10:00:00.0Z', 1],
    ['2026-03-01T10:00:00.249Z', 1],
    ['2026-03-01T10:00:00.25Z', 2],
    ['2026-03-01T10:00:00.749999Z', 2],
    ['2026-03-01T10:00:00.75Z', 3],
    ['2026-03-01T15:00:00.25+05:00', 2],
    ['2026-03-01T04:30:00.1-05:30', 1],
    ['2026-03-02T05:00:00+05:00', 4],
    ['2026-03-02T04:59:59+05:00', 3],
    ['0001-01-01T00:00:00+14:00', 0],
    ['9999-12-31T23:59:59-12:00', 4],
  ])('%s selects revision %d', async (instant, revision) => {
    expect(await revisionAt(instant)).toBe(revision);
  });

  test('the present second is answered the same by two servers, before and after it is over', async () => {
    await using store = await createStore();
    await store.publish(quotes, [quote({ lastPrice: 1 })]);
    const shared = { ...store, remove: async () => {} };
    const servers = [await startTestServer(shared), await startTestServer(shared)];
    // Early in a second, so that the publication is in it too.
    while (Date.now() % 1_000 > 300) await Bun.sleep(5);
    const second = new Date().toUTCString();
    const ask = () =>
      Promise.all(
        servers.map(async ({ request }) => {
          const { headers } = await request(QUOTE, asOf(second));
          return headers.get('tenor-revision');
        }),
      );
    const asked = ask();
    const published = await store.publish(quotes, [quote({ lastPrice: 2 })]);
    const isInSecond = new Date(published?.publishedAt ?? '').toUTCString() === second;
    const expected = Array(2).fill(isInSecond ? '2' : '1');
    expect(await asked).toEqual(expected);
    await store.publish(quotes, [quote({ lastPrice: 3 })]);
    expect(await ask()).toEqual(expected);
    for (const server of servers) await server.stop();
  });

  test('the response has Memento-Datetime and a link to its time gate', async () => {
    const target = `${QUOTE}?symbol=ZZ12TB031226&limit=5`;
    const { headers } = await service.request(target, asOf('2026-03-01T10:00:00.900Z'));
    expect(headers.get('memento-datetime')).toBe('Sun, 01 Mar 2026 10:00:00 GMT');
    expect(headers.get('link')).toBe(`${DESCRIBED_BY}, <${target}>; rel="original timegate"`);
    expect(headers.get('vary')).toContain('Accept-Datetime');
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  test('sending back a Memento-Datetime selects that revision, or a later one of its second', async () => {
    for (const [index, instant] of instants.entries()) {
      const first = await service.request(QUOTE, asOf(instant));
      const memento = first.headers.get('memento-datetime') ?? '';
      const again = await service.request(QUOTE, asOf(memento));
      expect(again.headers.get('memento-datetime')).toBe(memento);
      expect(Number(again.headers.get('tenor-revision'))).toBe(index < 3 ? 3 : 4);
    }
  });

  test('before the first revision there are no records, and Memento-Datetime is the instant itself', async () => {
    // Two instants: the response to one is not cached for the other.
    for (const instant of ['Sat, 28 Feb 2026 00:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      for (const target of [QUOTE, `${QUOTE}?from=2000-01-01`, `${QUOTE}?symbol=ZZ12TB031226`]) {
        const response = await service.request(target, asOf(instant));
        expect(response.status).toBe(200);
        expect(response.headers.get('tenor-revision')).toBe('0');
        expect(response.headers.get('memento-datetime')).toBe(instant);
        expect(findLink(response.headers, 'original timegate')).toBe(target);
        expect(await response.text()).toBe('{"status":"ok","data":[]}');
      }
      const fund = await service.request(`${FUND}x`, asOf(instant));
      expect(fund.status).toBe(200);
      expect(fund.headers.get('memento-datetime')).toBe(instant);
      expect(await fund.text()).toBe('{"status":"error","message":"no_record_found"}');
    }
  });

  test('a new revision does not change the response as of an earlier instant', async () => {
    const store = await createStore();
    await publishAt(store, '2026-01-01T00:00:00Z', quotes, { records: [quote({ volume: 1 })] });
    await using live = await startTestServer(store);
    const before = await (await live.request(QUOTE, asOf('2026-01-01T00:00:00Z'))).text();
    await publishAt(store, '2026-01-02T00:00:00Z', quotes, { records: [quote({ volume: 2 })] });
    const newest = await live.request(QUOTE, asOf('2026-01-02T00:00:00Z'));
    expect(newest.headers.get('tenor-revision')).toBe('2');
    const past = await live.request(QUOTE, asOf('2026-01-01T00:00:00Z'));
    expect(past.headers.get('tenor-revision')).toBe('1');
    expect(await past.text()).toBe(before);
  });

  test('as_of, which names the view and is a parameter, is parsed once', async () => {
    using parse = spyOn(asOfParameter, 'parse');
    expect((await service.request(`${QUOTE}?as_of=2026-03-01T10:00:00.250Z`)).status).toBe(200);
    expect(parse).toHaveBeenCalledTimes(1);
  });

  test('responses as of an instant and current ones are cached separately', async () => {
    const present = async () => {
      const { headers } = await service.request(QUOTE);
      const names = ['memento-datetime', 'link', 'tenor-revision'];
      return names.map((name) => headers.get(name));
    };
    expect(await present()).toEqual([null, DESCRIBED_BY, '4']);
    expect(await revisionAt('2026-03-01T10:00:00.250Z')).toBe(2);
    expect(await present()).toEqual([null, DESCRIBED_BY, '4']);
    expect(await revisionAt('2026-03-01T10:00:00.250Z')).toBe(2);
  });

  const message = [
    'header "Accept-Datetime" must be an HTTP date such as "Sun, 15 Nov 2026 04:30:00 GMT",',
    'with the right weekday, or an ISO 8601 instant with Z or an offset such as',
    '2026-11-15T04:30:00.250Z',
  ].join(' ');

  test.each([
    '',
    'now',
    '0',
    '1772359200',
    'Invalid Date',
    'Mon, 01 Mar 2026 10:00:00 GMT',
    'sun, 01 Mar 2026 10:00:00 GMT',
    'Sun, 01 mar 2026 10:00:00 GMT',
    'Sun, 01 Mar 2026 10:00:00 gmt',
    'Sun, 1 Mar 2026 10:00:00 GMT',
    'Sun, 01 Mar 2026 10:00 GMT',
    'Sun, 01 Mar 2026 10:00:00 UTC',
    'Sun, 01 Mar 2026 10:00:00 +0000',
    'Sun, 01 Mar 2026 24:00:00 GMT',
    'Sun, 01 Mar 2026 10:60:00 GMT',
    'Sun, 01 Mar 2026 10:00:60 GMT',
    'Mon, 30 Feb 2026 10:00:00 GMT',
    'Sun, 01  Mar 2026 10:00:00 GMT',
    'Sunday, 01-Mar-26 10:00:00 GMT',
    'Sun Mar  1 10:00:00 2026',
    'Sun, 01 Mar 2026 10:00:00 GMT, Sun, 01 Mar 2026 10:00:00 GMT',
    '2026-03-01',
    '2026-03-01T10:00Z',
    '2026-03-01T10:00:00',
    '2026-03-01T10:00:00z',
    '2026-03-01t10:00:00Z',
    '2026-03-01 10:00:00Z',
    '2026-03-01T10:00:00.Z',
    '2026-03-01T10:00:00+0500',
    '2026-03-01T10:00:00+24:00',
    '2026-03-01T10:00:00+05:60',
    '2026-02-29T10:00:00Z',
    '2026-03-01T24:00:00Z',
    '+002026-03-01T10:00:00Z',
    '2026-W09-7T10:00:00Z',
    '"2026-03-01T10:00:00Z"',
    "2026-03-01T10:00:00Z' OR 1=1",
  ])('rejects %j, naming the header and what is allowed', async (instant) => {
    const { status, headers, body } = await getRaw(
      service.address,
      QUOTE,
      AUTHORIZED,
      `Accept-Datetime: ${instant}`,
    );
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({ status: 'error', message });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('memento-datetime')).toBe(false);
  });

  test('two headers are rejected', async () => {
    const line = 'Accept-Datetime: 2026-03-01T10:00:00Z';
    expect((await getRaw(service.address, QUOTE, AUTHORIZED, line)).status).toBe(200);
    expect((await getRaw(service.address, QUOTE, AUTHORIZED, line, line)).status).toBe(400);
  });

  test('is checked after path, method, token, scope and parameters', async () => {
    const bad = asOf('never');
    expect((await service.request('/nowhere', bad)).status).toBe(404);
    expect((await service.request(QUOTE, bad, 'POST')).status).toBe(405);
    expect((await service.request(QUOTE, { ...bad, authorization: '' })).status).toBe(401);
    const other = { ...bad, authorization: `Bearer ${fundsOnly}` };
    expect((await service.request(QUOTE, other)).status).toBe(403);
    expect(await errorMessage(await service.request(`${QUOTE}?x=1`, bad))).toContain('"x"');
    expect(await errorMessage(await service.request(QUOTE, bad))).toContain('"Accept-Datetime"');
    const noFund = await service.request(FUND, bad);
    expect(await errorMessage(noFund)).toBe('no fund_id provided');
  });

  test.each(['?symbol=%3C%22%3E', '?symbol=<">', '?symbol=é', '?symbol=a;rel=x,b', '?symbol={|}'])(
    'characters of the target are escaped in Link: %s',
    async (query) => {
      const lines = [`GET ${QUOTE}${query} HTTP/1.1`, 'Host: x', 'Connection: close'];
      const head = [...lines, AUTHORIZED, 'Accept-Datetime: 2026-03-01T10:00:00Z'];
      const { status, headers } = await sendRaw(service.address, `${head.join('\r\n')}\r\n\r\n`);
      expect(status).toBe(200);
      const link = headers.get('link')?.replace(`${DESCRIBED_BY}, `, '') ?? '';
      const target = /^<([!-~]*)>; rel="original timegate"$/.exec(link)?.[1];
      expect(target).toStartWith(`${QUOTE}?symbol=`);
      expect(target).not.toMatch(/[<>"]/);
    },
  );
});
