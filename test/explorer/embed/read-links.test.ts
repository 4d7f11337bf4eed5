import { expect, test } from 'bun:test';
import { readLinks } from '../../../src/explorer/embed/read-links.ts';

const RESPONSES: Readonly<Record<string, () => Response>> = {
  '/x/links/known': () =>
    Response.json({ status: 'ok', data: [1] }, { headers: { 'tenor-revision': '7' } }),
  '/x/links/cut': () =>
    Response.json({ status: 'ok', data: [] }, { headers: { link: '<>; rel="first"' } }),
  '/x/links/page': () => new Response('<h1>Bad Gateway</h1>', HTML_FAILURE),
  '/x/links/busy': () => Response.json({ status: 'error', message: 'wait' }, { status: 429 }),
  '/x/links/csv': () => new Response('a,b', { headers: { 'content-type': 'text/csv' } }),
};
const HTML_FAILURE = { status: 502, headers: { 'content-type': 'text/html' } };

async function readFromServer(...secrets: string[]) {
  using server = Bun.serve({
    port: 0,
    fetch: ({ url }) => RESPONSES[new URL(url).pathname]?.() ?? Response.json({}, { status: 404 }),
  });
  return await readLinks(new URL('/x/', server.url), secrets);
}

test('links give their data with the newest revision', async () => {
  expect(await readFromServer('known', 'known')).toEqual({
    responses: { data: [[1], [1]], revision: 7, isCut: false },
  });
});

test('links say where more records match than they give', async () => {
  expect((await readFromServer('known', 'cut')).responses?.isCut).toBe(true);
});

test('a proxy whose service is away is no problem of the link', async () => {
  for (const secret of ['page', 'busy']) {
    const { problem, isTransient } = await readFromServer('known', secret);
    expect(problem).toBe('The service does not respond; retrying.');
    expect(isTransient).toBe(true);
  }
});

test('what another attempt does not change is not retried soon', async () => {
  for (const [secret, problem] of [
    ['revoked', 'is unknown'],
    ['csv', 'a format other than JSON'],
  ] as const) {
    const state = await readFromServer(secret);
    expect(state.problem).toContain(problem);
    expect(state.isTransient).toBeUndefined();
  }
});
