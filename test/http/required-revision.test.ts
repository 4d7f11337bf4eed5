import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../support/test-server.ts';

const QUOTE = '/2.0/bnb/quote';

// The first who asks for a server waits until it has started.
setDefaultTimeout(120_000);

describe(`a request with Tenor-Revision`, () => {
  let service: TestServer;
  beforeEach(async () => {
    service = await startTestServer(await createStore());
    await service.store.publish(quotes, [quote({ lastPrice: 1 })]);
    expect(await service.getJson(QUOTE)).toMatchObject({ data: [{ lastPrice: 1 }] });
  });
  afterEach(() => service.stop());

  const request = (revision: string, target = QUOTE) =>
    service.request(target, { 'tenor-revision': revision });

  test('gets that revision or a later one at once, also if an older response is cached', async () => {
    await service.request(QUOTE);
    await service.store.publish(quotes, [quote({ lastPrice: 2 })]);
    const response = await request('2');
    expect(response.headers.get('tenor-revision')).toBe('2');
    expect(await response.json()).toMatchObject({ data: [{ lastPrice: 2 }] });
    for (const revision of ['0', '1', '2', '0000000002'])
      expect((await request(revision)).headers.get('tenor-revision')).toBe('2');
  });

  test.each([QUOTE, '/catalogue', '/revisions', '/exports/quotes.csv'])(
    'of %s waits for a revision that is published within a second',
    async (target) => {
      const waiting = request('2', target);
      // A later request is answered, so that this one has arrived.
      await service.request(QUOTE);
      await service.store.publish(quotes, [quote({ lastPrice: 2 })]);
      const response = await waiting;
      expect(response.status).toBe(200);
      expect(response.headers.get('tenor-revision')).toBe('2');
      await response.text();
    },
  );

  test('is not needed after a response as of a revision that was published just now', async () => {
    await service.store.publish(quotes, [quote({ lastPrice: 2 })]);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const read = async (target: string) =>
      (await fetch(`${service.address}${target}`, { headers })).headers.get('tenor-revision');
    expect(await read(`${QUOTE}?as_of=2`)).toBe('2');
    expect(await read(QUOTE)).toBe('2');
  });

  test('gets 503 with Retry-After if the revision does not come', async () => {
    const response = await request('3');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toEqual({
      status: 'error',
      message: 'temporarily_unavailable',
    });
  });

  test.each(['-1', '1.5', '1e3', 'x', '1, 2', '12345678901'])(
    'gets 400 if the revision is %p',
    async (revision) => {
      const response = await request(revision);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        status: 'error',
        message: 'header "Tenor-Revision" must be the number of a revision, in plain digits',
      });
    },
  );
});
