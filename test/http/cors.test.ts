import { expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const QUOTE = '/2.0/bnb/quote';
const paths = catalogue.flatMap((dataset) => dataset.paths);

const service = useTestServer(createFilledStore);

test.each([
  ...paths,
  ...['/catalogue', '/2.0/bnb/securities', '/3.0/funds', '/exports/quotes.csv'],
  ...['/revisions', '/revisions/1', '/corrections/quotes', '/openapi.json'],
])('OPTIONS %s responds with CORS headers, without a token', async (path) => {
  const response = await service.request(
    path,
    { authorization: '', origin: 'https://a.b' },
    'OPTIONS',
  );
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
  const allowed = response.headers.get('access-control-allow-headers')?.split(', ');
  for (const name of [
    'Authorization',
    'Accept',
    'Accept-Datetime',
    'If-None-Match',
    'If-Modified-Since',
    'Prefer',
    'Range',
    'If-Range',
    'X-Request-Id',
  ]) {
    expect(allowed).toContain(name);
  }
});

test.each([
  [QUOTE, 'GET', {}],
  [QUOTE, 'HEAD', {}],
  [QUOTE, 'GET', { 'if-none-match': '*' }],
  [`${QUOTE}?x=1`, 'GET', {}],
  [QUOTE, 'GET', { authorization: '' }],
  ['/nowhere', 'GET', {}],
  ['/openapi.json', 'GET', { authorization: '' }],
])('%s %s %j exposes its headers to browsers', async (path, method, headers) => {
  const response = await service.request(path, headers, method);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
  for (const name of [
    'X-Request-Id',
    'Tenor-Revision',
    'Tenor-Total-Count',
    'Preference-Applied',
    'Memento-Datetime',
    'Repr-Digest',
    'Link',
    'ETag',
    'Content-Disposition',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
  ]) {
    expect(exposed).toContain(name);
  }
});
