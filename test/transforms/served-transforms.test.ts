import { expect, test } from 'bun:test';
import { issueLink } from '../../src/tokens/issue-token.ts';
import { createKiborStore, declareIn, KIBOR, kibor } from '../support/declared-rates.ts';
import { findLink } from '../support/follow-links.ts';
import { createStore } from '../support/store.ts';
import { errorMessage, startTestServer } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const server = useTestServer(createKiborStore);
const TARGET = '/datasets/kibor?frequency=month&units=pch&limit=1';
const IMMUTABLE = 'private, max-age=31536000, immutable';

test('a transform as of a revision may be computed better by a later release: it is not immutable', async () => {
  const { headers } = await server.request('/datasets/kibor?as_of=2');
  expect(headers.get('Cache-Control')).toBe(IMMUTABLE);
  for (const target of [`${TARGET}&as_of=2`, '/datasets/kibor?units=log&as_of=2&format=csv']) {
    const response = await server.request(target);
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
    expect(response.headers.get('Tenor-Revision')).toBe('2');
    const etag = response.headers.get('ETag') ?? '';
    const repeated = await server.request(target, { 'If-None-Match': etag });
    expect([repeated.status, await repeated.text()]).toEqual([304, '']);
  }
});

test('transforms need the scope of their dataset', async () => {
  const ask = async (scopes: readonly string[]) => {
    const secret = await issueSecret(server.store, scopes);
    return (await server.request(TARGET, { authorization: `Bearer ${secret}` })).status;
  };
  expect(await ask(['datasets'])).toBe(200);
  expect(await ask(['quotes', 'alternate'])).toBe(403);
  expect((await server.request(`${TARGET}&units=x`, { authorization: '' })).status).toBe(401);
});

test('a link gives the bytes of its transform', async () => {
  const target = '/datasets/kibor?units=chg&tenor=6M&format=csv';
  const tokens = server.store.tokens();
  const terms = { name: 'desk', scopes: ['datasets'], rate: null, expiresAt: null };
  const { secret } = await issueLink(tokens, { ...terms, target });
  tokens.close();
  const linked = await server.request(`/links/${secret}`, { authorization: '' });
  const direct = await server.request(target);
  expect(linked.headers.get('Tenor-Units')).toBe('"percentage points", "percentage points"');
  expect(await linked.bytes()).toEqual(await direct.bytes());
});

test('a cursor goes on with the transform that it came from, and with no other', async () => {
  const { headers } = await server.request('/datasets/kibor?units=chg&limit=3');
  const next = findLink(headers, 'next') ?? '';
  expect(await server.getJson(next)).toMatchObject({
    data: [{ tenor: '6M', bid: -1 }, { tenor: '1M', bid: null }, { tenor: '6M' }],
  });
  for (const [name, other] of [
    ['units=chg', 'units=pch'],
    ['units=chg', 'units=chg&frequency=month'],
    ['units=chg&', ''],
  ] as const) {
    const response = await server.request(next.replace(name, other));
    expect([response.status, await errorMessage(response)]).toEqual([
      400,
      expect.stringContaining('cursor'),
    ]);
  }
});

test('the month of the newest day is incomplete until a later day has a record', async () => {
  const toRecord = (date: string) => ({ date, tenor: '1M', bid: 10, offer: 11 });
  await using other = await startTestServer(await createStore());
  await declareIn(other.store, KIBOR);
  await other.store.publish(kibor, ['2026-05-30', '2026-05-31'].map(toRecord));
  const target = '/datasets/kibor?frequency=month&to=2026-05-31';
  const counts = { observed: 2, expected: 2 };
  expect((await other.getJson(target)).data).toMatchObject([{ ...counts, bid: null }]);
  await other.store.publish(kibor, [toRecord('2026-06-01')]);
  expect((await other.getJson(target)).data).toMatchObject([{ ...counts, bid: 10 }]);
});
