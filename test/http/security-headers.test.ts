import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createFilledStore } from '../support/store.ts';
import { TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const QUOTE = '/2.0/bnb/quote';
const service = useTestServer(createFilledStore);

describe('X-Content-Type-Options', () => {
  test.each([
    ...catalogue.flatMap((dataset) => dataset.paths),
    ...['/catalogue', '/2.0/bnb/securities', '/revisions', '/exports/quotes.csv'],
    ...['/openapi.json', '/', '/docs', '/docs/docs.js', '/nowhere'],
  ])('%s forbids guessing the type, whatever the method and the outcome', async (path) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      for (const headers of [{}, { authorization: '' }, { 'if-none-match': '*' }]) {
        const response = await service.request(path, headers, method);
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      }
    }
  });

  test.each(Object.entries(RESPONSE_FORMATS))(
    'a response as %s forbids guessing the type, also compressed',
    async (_, { contentType }) => {
      for (const encoding of ['identity', 'gzip']) {
        const headers = { accept: contentType, 'accept-encoding': encoding };
        const response = await service.request(QUOTE, headers);
        expect(response.headers.get('content-type')).toBe(contentType);
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      }
    },
  );
});

test('API responses stay readable from other origins, as pages do not', async () => {
  for (const path of [QUOTE, '/openapi.json', '/exports/quotes.csv'])
    expect((await service.request(path)).headers.has('cross-origin-resource-policy')).toBe(false);
  for (const path of ['/', '/docs', '/explorer/main.js', '/docs/swagger-ui.css']) {
    const { headers } = await service.request(path);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=(), ');
  }
});

test('only the page of a chart for frames may be framed by other sites', async () => {
  const readPolicy = async (target: string) =>
    (await service.request(target)).headers.get('content-security-policy');
  for (const target of ['/', '/?view=market', '/?embedded', '/?title=embed', '/docs?embed'])
    expect(await readPolicy(target)).toContain("frame-ancestors 'none'");
  for (const target of ['/?embed', '/?view=payments&embed=1']) {
    expect(await readPolicy(target)).toContain('frame-ancestors *');
    const page = await (await service.request(target)).text();
    expect(page).toContain('explorer/embed.js');
    expect(page).not.toContain('explorer/main.js');
  }
});

describe('Host', () => {
  const send = (target: string, ...lines: string[]) => {
    const head = [`GET ${target} HTTP/1.1`, `Authorization: Bearer ${TOKEN}`, ...lines];
    return sendRaw(service.address, `${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  };

  test.each([
    [['Host: a.example', 'Host: b.example']],
    [['Host: a.example', 'Host: a.example']],
    [['Host: a.example', 'X-Request-Id: x', 'host: a.example']],
    [['Host: a.example, b.example']],
    [['Host: a example']],
    [['Host: a.example/x?y']],
    [['Host: user@a.example']],
  ])('%j is rejected with 400, on every path', async (lines) => {
    for (const target of [QUOTE, '/', '/nowhere']) {
      const { status, body } = await send(target, ...lines);
      expect(status).toBe(400);
      const message =
        'header "Host" must be given once, a host name or an address, with a port if need be';
      expect(JSON.parse(body)).toEqual({ status: 'error', message });
    }
  });

  test('that is missing is rejected with 400, except in HTTP/1.0', async () => {
    expect((await send(QUOTE)).status).toBe(400);
    const request = `GET ${QUOTE} HTTP/1.0\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    expect((await sendRaw(service.address, request)).status).toBe(200);
  });

  test('that no URL can have is accepted by pages and scripts too', async () => {
    for (const host of ['', 'a:99999', 'a%zz', '[']) {
      for (const target of ['/', '/?embed', '/explorer/main.js', '/explorer/main.css?v=1'])
        expect([target, host, (await send(target, `Host: ${host}`)).status]).not.toContain(500);
      expect((await send('/', `Host: ${host}`)).status).toBe(200);
    }
  });

  test.each(['a.example', 'a.example:8080', '192.0.2.1:80', '[2001:db8::1]:8080', 'a_b-c.', ''])(
    '%j is accepted',
    async (host) => {
      expect((await send(QUOTE, `Host: ${host}`)).status).toBe(200);
    },
  );
});
