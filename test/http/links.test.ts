import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { issueLink } from '../../src/tokens/issue-token.ts';
import { retryUntil } from '../support/eventually.ts';
import { createStore, fillStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { issueSecret } from '../support/use-test-server.ts';

const CSV_TARGET = '/2.0/bnb/quote?from=2000-01-01&limit=2&format=csv';
const TERMS: Parameters<typeof issueLink>[1] = {
  name: 'desk',
  target: CSV_TARGET,
  scopes: ['quotes'],
  rate: null,
  expiresAt: null,
};

describe('links', () => {
  let service: TestServer;
  const links = new Map<string, { readonly id: string; readonly path: string }>();
  const getPath = (name: string) => links.get(name)?.path ?? '';
  const getSecret = (name: string) => getPath(name).slice('/links/'.length);
  /** Sends a request as a program does that can set no headers. */
  const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    service.request(path, { authorization: '', ...headers }, method);

  beforeAll(async () => {
    const store = await fillStore(await createStore());
    const tokens = store.tokens();
    const past = new Date(Date.now() - 1_000).toISOString();
    const variants: Record<string, Partial<typeof TERMS>> = {
      csv: {},
      json: { target: '/2.0/bnb/quote?limit=2' },
      export: { target: '/exports/quotes.csv' },
      catalogue: { target: '/catalogue', scopes: ['*'] },
      'catalogue-csv': { target: '/catalogue?format=csv', scopes: ['*'] },
      corrections: { target: '/corrections/quotes?format=csv', scopes: ['quotes'] },
      revision: { target: '/2.0/bnb/quote?limit=1&as_of=3' },
      invalid: { target: '/2.0/bnb/quote?as_of=999' },
      slow: { rate: '2/hour' },
      revoked: {},
      expired: { expiresAt: past },
      ended: {},
      // Nobody can create these by the command.
      document: { target: '/openapi.json' },
      link: { target: '/links/x' },
      foreign: { target: '/3.0/funds' },
    };
    for (const [name, terms] of Object.entries(variants)) {
      const { token, secret } = await issueLink(tokens, { ...TERMS, ...terms });
      links.set(name, { id: token.id, path: `/links/${secret}` });
    }
    await tokens.update(links.get('revoked')?.id ?? '', { revokedAt: past });
    tokens.close();
    service = await startTestServer(store);
  });
  afterAll(() => service.stop());

  /** A response without what differs from request to request. */
  const describeResponse = async (sent: Promise<Response>) => {
    const response = await sent;
    const { vary, link, ...headers } = response.headers.toJSON();
    for (const varying of ['x-request-id', 'date']) delete headers[varying];
    return { status: response.status, text: await response.text(), headers, vary, link };
  };
  const DESCRIBED_BY = '</datapackage.json>; rel="describedby"';

  test('give what their targets give with a token, in every encoding, and in parts', async () => {
    for (const [name, target, sent, vary] of [
      ['csv', CSV_TARGET, {}, 'Accept-Encoding'],
      ['csv', CSV_TARGET, { 'accept-encoding': 'gzip' }, 'Accept-Encoding'],
      ['json', '/2.0/bnb/quote?limit=2', { 'accept-encoding': 'br' }, 'Accept-Encoding'],
      ['catalogue', '/catalogue', { 'tenor-revision': '1' }, 'Accept-Encoding'],
      ['catalogue', '/catalogue', { 'accept-encoding': 'zstd' }, 'Accept-Encoding'],
      ['catalogue-csv', '/catalogue?format=csv', {}, 'Accept-Encoding'],
      ['corrections', '/corrections/quotes?format=csv', {}, 'Accept-Encoding'],
      ['export', '/exports/quotes.csv', { range: 'bytes=5-20' }, undefined],
      ['export', '/exports/quotes.csv', { range: 'bytes=5-20', 'if-range': '"other"' }, undefined],
      ['export', '/exports/quotes.csv', { 'if-match': '"other"' }, undefined],
    ] as const) {
      // Twice: the second response is cached, and compressed before.
      for (let time = 0; time < 2; time++) {
        const given = await describeResponse(request(getPath(name), sent));
        const expected = await describeResponse(service.request(target, sent));
        expect(given).toEqual({ ...expected, vary, link: given.link });
      }
    }
  });

  test('obey no header that would change what they give', async () => {
    for (const [name, target] of [
      ['csv', CSV_TARGET],
      ['json', '/2.0/bnb/quote?limit=2'],
      ['catalogue', '/catalogue'],
      ['export', '/exports/quotes.csv'],
    ] as const) {
      const expected = await describeResponse(service.request(target));
      for (const sent of [
        { 'accept-datetime': 'Thu, 01 Jan 1970 00:00:00 GMT' },
        { 'accept-datetime': 'never' },
        { prefer: 'count=exact' },
        { accept: 'application/x-ndjson' },
      ]) {
        const given = await describeResponse(request(getPath(name), sent));
        expect(given).toEqual({ ...expected, vary: given.vary, link: given.link });
        expect(given.vary ?? '').not.toMatch(/Accept\b(?!-Encoding)|Prefer|Authorization/);
      }
    }
  });

  test('say that more records match, without a cursor, and name no target', async () => {
    const links = async (name: string) => (await describeResponse(request(getPath(name)))).link;
    expect(await links('csv')).toBe(`<>; rel="first", ${DESCRIBED_BY}`);
    expect(await links('export')).toBe(DESCRIBED_BY);
    expect(await links('revision')).toBe(`<>; rel="first", ${DESCRIBED_BY}`);
    expect((await request(getPath('revision'))).headers.has('memento-datetime')).toBe(true);
    // The revision is one of another database.
    const invalid = await describeResponse(request(getPath('invalid')));
    expect(invalid).toEqual(await describeResponse(request(getPath('document'))));
  });

  test('take HEAD and conditional requests, and let pages of other origins read', async () => {
    const head = await request(getPath('csv'), {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    const etag = head.headers.get('etag') ?? '';
    expect((await request(getPath('csv'), { 'if-none-match': etag })).status).toBe(304);
    expect(head.headers.get('access-control-allow-origin')).toBe('*');
    const options = await request(getPath('csv'), {}, 'OPTIONS');
    expect(options.status).toBe(204);
    expect(options.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await request(getPath('csv'), {}, method)).status).toBe(405);
  });

  test('take no parameters, and need no token, not even an invalid one', async () => {
    for (const query of ['?limit=5', '?format=json', '?as_of=1', '?x', '?%ff=1']) {
      const response = await request(`${getPath('csv')}${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect(await response.json()).toMatchObject({ status: 'error' });
    }
    expect((await request(`${getPath('csv')}?&`)).status).toBe(200);
    expect((await request(getPath('csv'), { authorization: 'Bearer wrong' })).status).toBe(200);
  });

  test('that are revoked, expired, unknown or malformed get one and the same 404', async () => {
    const token = await issueSecret(service.store, ['quotes']);
    const paths = [
      getPath('revoked'),
      getPath('expired'),
      `${getPath('csv')}x`,
      `${getPath('csv')}%20`,
      `${getPath('csv')}/`,
      getPath('csv').toUpperCase(),
      `/links/${token}`,
      '/links/x',
      `/links/${'x'.repeat(5_000)}`,
    ];
    const bodies = await Promise.all(
      paths.map(async (path) => {
        const response = await request(path);
        const { status, headers } = response;
        const visible = [...headers.keys()].filter((name) => name !== 'x-request-id');
        return JSON.stringify([status, visible, await response.text()]);
      }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('not_found');
  });

  test('are no tokens, and give no documents, no other links and nothing beyond their scopes', async () => {
    const authorization = `Bearer ${getSecret('csv')}`;
    expect((await request('/2.0/bnb/quote', { authorization })).status).toBe(401);
    expect((await request(getPath('document'))).status).toBe(404);
    expect((await request(getPath('link'))).status).toBe(404);
    expect((await request(getPath('foreign'))).status).toBe(403);
  });

  test('have a rate of their own', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await request(getPath('slow'))).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await request(getPath('csv'))).status).toBe(200);
  });

  test('end on a running server once they are revoked', async () => {
    const path = getPath('ended');
    expect((await request(path)).status).toBe(200);
    const tokens = service.store.tokens();
    await tokens.update(links.get('ended')?.id ?? '', { revokedAt: new Date().toISOString() });
    tokens.close();
    await retryUntil(30_000, async () => {
      expect((await request(path)).status).toBe(404);
    });
  });

  test('never appear in the log with their secrets, however they are requested', async () => {
    const path = getPath('csv');
    const secret = getSecret('csv');
    for (const odd of [`/${path}`, `${path}/x`, `/x${path}`, `${path}?${secret}=1`, `/x?${secret}`])
      await request(odd);
    const logged = JSON.stringify(service.events);
    expect(logged).toContain(`"token":"${links.get('csv')?.id}"`);
    expect(logged).toContain('"route":"/links/{secret}"');
    for (const name of links.keys()) expect(logged).not.toContain(getSecret(name));
  });
});
