import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { findLink } from '../support/follow-links.ts';
import { getRaw, sendRaw } from '../support/raw-http.ts';
import { createFilledStore, FILLED_DATASETS } from '../support/store.ts';
import { TOKEN } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const QUOTE = '/2.0/bnb/quote';
const operations = [
  ...catalogue.flatMap((dataset) => dataset.paths),
  ...['/catalogue', '/2.0/bnb/securities', '/3.0/funds', '/exports/quotes.csv'],
  ...['/revisions', '/revisions/1', '/corrections/quotes', '/changes/quotes'],
];

const REQUIRED_QUERIES: Readonly<Record<string, string>> = {
  '/3.0/funds/allocation': 'fund_id=x',
  '/changes/quotes': 'since=0',
};

const secrets = { quotesOnly: '', expired: '', revoked: '' };
const service = useTestServer(async () => {
  const store = await createFilledStore();
  secrets.quotesOnly = await issueSecret(store, ['quotes']);
  secrets.expired = await issueSecret(store, ['quotes'], { expiresAt: '2020-01-01T00:00:00.000Z' });
  const tokens = store.tokens();
  const terms = { name: 't', scopes: ['quotes'], rate: null, expiresAt: null };
  const revoked = await issueToken(tokens, terms);
  secrets.revoked = revoked.secret;
  await tokens.update(revoked.token.id, { revokedAt: new Date().toISOString() });
  tokens.close();
  return store;
});

describe('tokens', () => {
  test.each([
    'Bearer wrong',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Basic ${TOKEN}`,
    TOKEN,
    'Bearer',
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    `Bearer "${TOKEN}"`,
    `Bearer\t${TOKEN}`,
    `Bearer \t${TOKEN}`,
    `Bearer   ${TOKEN}  ${TOKEN}`,
  ])('%j is rejected as an invalid token', async (authorization) => {
    const response = await service.request(QUOTE, { authorization });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ status: 'error', message: 'unauthorized_request' });
    const challenge = response.headers.get('www-authenticate');
    expect(challenge).toBe('Bearer realm="tenor", error="invalid_token"');
  });

  test('two Authorization headers are rejected', async () => {
    const line = `Authorization: Bearer ${TOKEN}`;
    expect((await getRaw(service.address, QUOTE, line)).status).toBe(200);
    expect((await getRaw(service.address, QUOTE, line, line)).status).toBe(401);
  });

  test.each(['bearer', 'BEARER', 'bEaReR'])('the scheme %s is accepted', async (scheme) => {
    const response = await service.request(QUOTE, { authorization: `${scheme} ${TOKEN}` });
    expect(response.status).toBe(200);
  });

  test.each([2, 3, 200])('%d spaces after the scheme are as one', async (count) => {
    const authorization = `Bearer${' '.repeat(count)}${TOKEN}`;
    expect((await service.request(QUOTE, { authorization })).status).toBe(200);
  });

  test('expired and revoked tokens are rejected', async () => {
    for (const secret of [secrets.expired, secrets.revoked]) {
      const response = await service.request(QUOTE, { authorization: `Bearer ${secret}` });
      expect(response.status).toBe(401);
    }
  });

  test('a token gives access to its scopes alone', async () => {
    for (const { scope, paths } of FILLED_DATASETS) {
      const response = await service.request(paths[0], {
        authorization: `Bearer ${secrets.quotesOnly}`,
      });
      expect([paths[0], response.status]).toEqual([paths[0], scope === 'quotes' ? 200 : 403]);
      if (scope === 'quotes') continue;
      expect(await response.json()).toEqual({ status: 'error', message: 'forbidden' });
    }
  });

  test('a token in the query is not accepted', async () => {
    const response = await service.request(`${QUOTE}?access_token=${TOKEN}`, { authorization: '' });
    expect(response.status).toBe(401);
  });
});

describe('paths and methods', () => {
  test.each([
    '/2.0',
    '/2.0/bnb',
    '/2.0/bnb/quote/',
    '/2.0/bnb/Quote',
    '/2.0//bnb/quote',
    '//2.0/bnb/quote',
    '/2.0/bnb/quote%20',
    '/2.0/bnb/%71uote',
    '/2.0/x/../bnb/quote',
    '/2.0/bnb/./quote',
    '/2.0/bnb/quote;a=1',
    '/2.0/bnb/quote%00',
    '/3.0/bnb/quote',
    '/2.0/funds/allocation',
    '/3.0/alternate',
    '/3.0/alternate/unknown',
    '/__proto__',
    '/openapi.json/',
  ])('%s responds 404 in JSON, with or without a token', async (path) => {
    for (const lines of [[], [`Authorization: Bearer ${TOKEN}`]]) {
      const { status, headers, body } = await getRaw(service.address, path, ...lines);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toBe('{"status":"error","message":"not_found"}');
    }
  });

  test('an unknown path responds with a page to browsers alone', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const accept of [browser, '*/*', 'application/json, text/html;q=0.1']) {
      const { status, headers, body } = await getRaw(service.address, '/x', `Accept: ${accept}`);
      expect(status).toBe(404);
      const isPage = accept === browser;
      expect(headers.get('content-type')).toContain(isPage ? 'text/html' : 'application/json');
      expect(body.includes('<a href="/">explorer</a>')).toBe(isPage);
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY'])(
    '%s responds 405 with Allow, with or without a token',
    async (method) => {
      const request = `${method} ${QUOTE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const { status, headers, body } = await sendRaw(service.address, request);
      expect(status).toBe(405);
      expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(body).toBe('{"status":"error","message":"invalid_method"}');
    },
  );

  const HEAD = 'Host: localhost\r\nConnection: close\r\nX-Request-Id: r1\r\n';
  const repeat = (count: number) =>
    Array.from({ length: count }, (_, index) => `H${index}: 1\r\n`).join('');

  test.each([
    ['a malformed request line', 'nonsense\r\n\r\n', 400],
    ['a malformed header', `GET /live HTTP/1.1\r\n${HEAD}no colon\r\n\r\n`, 400],
    ['no Host', 'GET /live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a malformed length', `POST /mcp HTTP/1.1\r\n${HEAD}Content-Length: a\r\n\r\n`, 400],
    ['long headers', `GET /live HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(16_384)}\r\n\r\n`, 431],
    ['a long target', `GET /live?${'x'.repeat(16_384)} HTTP/1.1\r\n${HEAD}\r\n`, 431],
    ['many headers', `GET /live HTTP/1.1\r\n${HEAD}${repeat(200)}\r\n`, 431],
    ['a large body', `POST /mcp HTTP/1.1\r\n${HEAD}Content-Length: 134217729\r\n\r\n`, 413],
    ['another version', `GET /live HTTP/2.0\r\n${HEAD}\r\n`, 505],
    ['no version', 'GET /live\r\n\r\n', 505],
  ])('%s is refused by the HTTP parser alone, without a body', async (_, request, expected) => {
    const logged = service.events.length;
    const { status, headers, body } = await sendRaw(service.address, request);
    expect([status, body]).toEqual([expected, '']);
    expect(headers.has('x-request-id')).toBe(false);
    expect(service.events.length).toBe(logged);
  });

  test('headers that the HTTP parser takes are those up to its bounds', async () => {
    for (const more of [`X: ${'x'.repeat(15_000)}\r\n`, repeat(190)]) {
      const request = `GET /live HTTP/1.1\r\n${HEAD}${more}\r\n`;
      const { status, headers } = await sendRaw(service.address, request);
      expect([status, headers.get('x-request-id')]).toEqual([200, 'r1']);
    }
  });

  test('a method that the HTTP parser does not know gets no response', async () => {
    const request = `FOO /live HTTP/1.1\r\n${HEAD}\r\n`;
    expect((await sendRaw(service.address, request)).status).toBeNaN();
  });

  test('an unknown path is checked before the method', async () => {
    expect((await service.request('/nowhere', {}, 'POST')).status).toBe(404);
  });

  test('the method is checked before the token, and the token before parameters', async () => {
    expect((await service.request(`${QUOTE}?x=1`, { authorization: '' }, 'POST')).status).toBe(405);
    expect((await service.request(`${QUOTE}?x=1`, { authorization: '' })).status).toBe(401);
    expect((await service.request(`${QUOTE}?x=1`)).status).toBe(400);
  });

  test("HEAD has GET's headers and no body", async () => {
    const line = `Authorization: Bearer ${TOKEN}`;
    for (const target of [...operations, '/openapi.json', '/nowhere']) {
      const got = await getRaw(service.address, target, line, 'X-Request-Id: same');
      const head = `HEAD ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line}\r\nX-Request-Id: same\r\n\r\n`;
      const { status, headers, body } = await sendRaw(service.address, head);
      expect(status).toBe(got.status);
      expect(body).toBe('');
      const comparable = (map: ReadonlyMap<string, string>) =>
        Object.fromEntries([...map].filter(([name]) => name !== 'date').toSorted());
      expect(comparable(headers)).toEqual(comparable(got.headers));
      expect(headers.has('date')).toBe(true);
    }
  });
});

describe('parameters', () => {
  test.each([
    [
      '?colour=red',
      'unknown parameter "colour"; allowed: symbol, date, from, to, type, sort, limit, cursor, order, compare, fields, as_of, format',
    ],
    [
      '?Limit=5',
      'unknown parameter "Limit"; allowed: symbol, date, from, to, type, sort, limit, cursor, order, compare, fields, as_of, format',
    ],
    [
      '?limit%20=5',
      'unknown parameter "limit "; allowed: symbol, date, from, to, type, sort, limit, cursor, order, compare, fields, as_of, format',
    ],
    [
      '?__proto__=1',
      'unknown parameter "__proto__"; allowed: symbol, date, from, to, type, sort, limit, cursor, order, compare, fields, as_of, format',
    ],
    ['?limit=5&limit=5', 'parameter "limit" is given more than once; give it once'],
    [
      '?symbol=',
      'parameter "symbol" is empty; it must be at most 50 symbols or ISINs, separated by commas, and without space around each',
    ],
    ['?date', 'parameter "date" is empty; it must be a calendar day as YYYY-MM-DD'],
    ['?symbol=%', 'parameter "symbol" must be percent-encoded UTF-8 without NUL'],
    ['?symbol=%zz', 'parameter "symbol" must be percent-encoded UTF-8 without NUL'],
    ['?symbol=%ff', 'parameter "symbol" must be percent-encoded UTF-8 without NUL'],
    ['?symbol=a%00b', 'parameter "symbol" must be percent-encoded UTF-8 without NUL'],
    ['?%ff=1', 'parameter "%ff" must be percent-encoded UTF-8 without NUL'],
  ])('%s is rejected: %s', async (query, message) => {
    const { status, body } = await getRaw(
      service.address,
      QUOTE + query,
      `Authorization: Bearer ${TOKEN}`,
    );
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({ status: 'error', message });
  });

  test.each(operations)('%s ignores empty segments of the query', async (path) => {
    const ask = async (query: string) => {
      const line = `Authorization: Bearer ${TOKEN}`;
      const { status, body } = await getRaw(service.address, `${path}?${query}`, line);
      return { status, body };
    };
    const needed = REQUIRED_QUERIES[path] ?? '';
    const plain = await ask(needed);
    expect(plain.status).toBe(200);
    for (const query of [`&${needed}`, `${needed}&`, `&&${needed}&&&`])
      expect(await ask(query)).toEqual(plain);
  });

  test.each([QUOTE, '/revisions', '/revisions/1'])(
    'empty segments leave the pages of %s and their links as they are',
    async (path) => {
      for (let target: string | undefined = `${path}?limit=1`; target; ) {
        const plain: Response = await service.request(target);
        const query = target.slice(path.length + 1).replace('&', '&&');
        const padded = await service.request(`${path}?&&${query}&`);
        expect(await padded.text()).toBe(await plain.text());
        expect(padded.headers.get('link')).toBe(plain.headers.get('link'));
        target = findLink(plain.headers, 'next');
      }
    },
  );

  test('a very long name is truncated in the message', async () => {
    const { message } = await service.getJson(`${QUOTE}?${'x'.repeat(5_000)}=1`);
    expect(message.length).toBeLessThan(200);
  });
});

describe('headers', () => {
  test('every response has a request id, which is that of the client if it is valid', async () => {
    const targets = [QUOTE, '/nowhere', `${QUOTE}?x=1`, '/openapi.json'];
    const seen = new Set<string>();
    for (const target of targets) {
      for (const headers of [{}, { authorization: '' }]) {
        const requestId = (await service.request(target, headers)).headers.get('x-request-id');
        expect(requestId).toMatch(/^[0-9a-f]{18}-[0-9a-z]+$/);
        seen.add(String(requestId));
        const kept = await service.request(target, { ...headers, 'x-request-id': 'my.id:1' });
        expect(kept.headers.get('x-request-id')).toBe('my.id:1');
      }
    }
    expect(seen.size).toBe(targets.length * 2);
  });

  test.each(['a b', 'a"b', 'a'.repeat(129), 'é', '<x>', 'a,b'])(
    'an invalid request id is replaced: %s',
    async (sent) => {
      const { headers } = await getRaw(service.address, QUOTE, `X-Request-Id: ${sent}`);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{18}-[0-9a-z]+$/);
    },
  );

  test('concurrent requests keep their own ids', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `id-${index}`);
    const replies = await Promise.all(
      ids.map((id) => service.request(QUOTE, { 'x-request-id': id })),
    );
    expect(replies.map(({ headers }) => headers.get('x-request-id'))).toEqual(ids);
  });

  test('Cache-Control demands revalidation of data, and no storing of errors', async () => {
    const cacheControl = async (target: string) =>
      (await service.request(target)).headers.get('cache-control');
    expect(await cacheControl(QUOTE)).toBe('private, no-cache');
    expect(await cacheControl(`${QUOTE}?x=1`)).toBe('no-store');
  });
});
