import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createFilledStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let service: TestServer;
let strict: TestServer;
beforeAll(async () => {
  service = await startTestServer(await createFilledStore());
  strict = await startTestServer(await createFilledStore(), {
    rateLimit: { count: 1, windowMs: 3_600_000 },
  });
  await strict.request('/2.0/bnb/quote');
});
afterAll(() => Promise.all([service.stop(), strict.stop()]));

const BAD_INSTANT = { 'accept-datetime': 'yesterday' };

const cases: readonly [status: number, message: RegExp, ask: () => Promise<Response>][] = [
  [200, /^no fund_id provided$/, () => service.request('/3.0/funds/allocation')],
  [200, /^no_record_found$/, () => service.request('/3.0/funds/allocation?fund_id=x')],
  [400, /^unknown parameter "x"/, () => service.request('/2.0/bnb/quote?x=1')],
  [400, /^header "Accept-Datetime" must be /, () => service.request('/2.0/bnb/quote', BAD_INSTANT)],
  [401, /^unauthorized_request$/, () => service.request('/2.0/bnb/quote', { authorization: '' })],
  [404, /^not_found$/, () => service.request('/nowhere')],
  [404, /^not_found$/, () => service.request('/revisions/99999')],
  [405, /^invalid_method$/, () => service.request('/2.0/bnb/quote', {}, 'DELETE')],
  [429, /^too_many_requests$/, () => strict.request('/2.0/bnb/quote')],
];

test.each(cases)(
  'an error body has exactly status and message: %d %s',
  async (status, message, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const text = await response.text();
    const body = JSON.parse(text);
    expect(Object.keys(body)).toEqual(['status', 'message']);
    expect(body.status).toBe('error');
    expect(body.message).toMatch(message);
    expect(text).toBe(JSON.stringify(body));
  },
);
