import { describe, expect, test } from 'bun:test';
import { createLinkCodec } from '../../src/http/request/link-codec.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const service = useTestServer(createFilledStore);
const TARGET = '/2.0/bnb/quote?type=tbill&limit=5&format=csv';

async function issue(mayShare: boolean, scopes = ['quotes'], rate: string | null = null) {
  const tokens = service.store.tokens();
  const issued = await issueToken(tokens, { name: 'ann', scopes, rate, expiresAt: null, mayShare });
  tokens.close();
  return { ...issued, authorization: `Bearer ${issued.secret}` };
}

function sign(authorization: string, target = TARGET, expires = '90d') {
  const query = new URLSearchParams({ target, expires });
  return service.request(`/links/sign?${query}`, { authorization });
}

async function signAddress(authorization: string, target = TARGET, expires = '90d') {
  const { data } = (await (await sign(authorization, target, expires)).json()) as {
    data: { address: string; expires: string };
  };
  return data;
}

const open = (address: string, headers: Record<string, string> = {}) =>
  service.request(address, { authorization: '', ...headers });

describe('a link that a token signs', () => {
  test('gives the target without a token, stored neither here nor by anybody who reads it', async () => {
    const { authorization, token } = await issue(true);
    const response = await sign(authorization);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const { address, expires } = await signAddress(authorization);
    expect(Date.parse(expires) - Date.now()).toBeWithin(89 * 86_400_000, 90 * 86_400_001);
    const shared = await open(address);
    const direct = await service.request(TARGET, { authorization });
    expect([shared.status, await shared.text()]).toEqual([200, await direct.text()]);
    expect(shared.headers.get('Cache-Control')).toBe('no-store');
    const pinned = await open((await signAddress(authorization, `${TARGET}&as_of=1`)).address);
    expect(pinned.headers.get('Cache-Control')).toBe('no-store');
    expect(service.events.at(-1)).toMatchObject({ token: token.id, route: '/links/{secret}' });
    const tokens = service.store.tokens();
    expect((await tokens.all()).filter(({ target }) => target !== null)).toEqual([]);
    tokens.close();
  });

  test('is made by no other token than one that may share', async () => {
    const { authorization } = await issue(false);
    expect((await sign(authorization)).status).toBe(403);
  });

  test.each([
    ['/links/sign', 'parameter "target" is missing'],
    [`/links/sign?target=${encodeURIComponent(TARGET)}`, 'parameter "expires" is missing'],
    ['/links/sign?target=quotes&expires=1d', 'parameter "target" must be path and query'],
    ['/links/sign?target=%2F3.0%2Ffunds&expires=soon', 'parameter "expires" must be a time'],
    ['/links/sign?target=%2F3.0%2Ffunds&expires=4000d', 'parameter "expires" must be a time'],
    ['/links/sign?bogus=1', 'unknown parameter "bogus"'],
    [
      `/links/sign?target=${encodeURIComponent('/2.0/bnb/quote?bogus=1')}&expires=1d`,
      'unknown parameter "bogus"',
    ],
  ])('is refused with the reason: %s', async (target, reason) => {
    const { authorization } = await issue(true, ['quotes', 'funds']);
    const response = await service.request(target, { authorization });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain(reason);
  });

  test('is not made for what the token may not read, or for another link', async () => {
    const { authorization } = await issue(true);
    const { address } = await signAddress(authorization);
    const statuses = [];
    for (const target of [
      '/3.0/funds',
      address,
      '/links/sign?target=%2F&expires=1d',
      '/docs',
      '/mcp',
    ])
      statuses.push((await sign(authorization, target)).status);
    expect(statuses).toEqual([403, 404, 404, 404, 404]);
  });

  test('ends with its token, its scope, its right to share, and its time', async () => {
    const [first, second] = [await issue(true), await issue(true)];
    const addresses = [
      (await signAddress(first.authorization)).address,
      (await signAddress(second.authorization)).address,
    ];
    const brief = (await signAddress(second.authorization, TARGET, '1s')).address;
    const tokens = service.store.tokens();
    await tokens.update(first.token.id, { revokedAt: new Date().toISOString() });
    await tokens.update(second.token.id, { scopes: ['funds'] });
    tokens.close();
    await Bun.sleep(1_300);
    const statuses = [];
    for (const address of [...addresses, brief]) statuses.push((await open(address)).status);
    expect(statuses).toEqual([404, 403, 404]);
  });

  test('draws on the rate of its token', async () => {
    const { authorization } = await issue(true, ['quotes'], '4/min');
    // Two requests: the signature, and the first use.
    const { address } = await signAddress(authorization);
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await open(address)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await service.request(TARGET, { authorization })).status).toBe(429);
  });

  test('is not one if any character of it is another, or a parameter is added', async () => {
    const { authorization } = await issue(true);
    const { address } = await signAddress(authorization);
    for (let at = '/links/'.length; at < address.length; at += 5) {
      const other = address[at] === 'A' ? 'B' : 'A';
      expect((await open(address.slice(0, at) + other + address.slice(at + 1))).status).toBe(404);
    }
    expect((await open(`${address}?limit=1`)).status).toBe(400);
    const other = createLinkCodec(new Uint8Array(32));
    const forged = other.encode({
      tokenId: 'API_TOKEN',
      expiresAtMs: Date.now() + 1e9,
      target: TARGET,
    });
    expect((await open(`/links/${forged}`)).status).toBe(404);
  });
});
