import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { createClientAddressFinder } from '../../src/http/request/client-address.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { normalizeAddress, parseAddressRanges } from '../../src/shared/ip-address.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createStore } from '../support/store.ts';
import { SERVER_SETTINGS } from '../support/test-server.ts';

const PROXY = '10.0.0.1';
const proxies = parseAddressRanges('10.0.0.0/8, 192.0.2.7, 2001:db8:ffff::/48') ?? null;
const findClientAddress = createClientAddressFinder(proxies);
const find = (headers: Record<string, string>, peer = PROXY) =>
  findClientAddress(peer, new Headers(headers));

describe('a list of address ranges', () => {
  test.each([
    ['10.0.0.0/8', '10.255.3.4', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.0.0.1', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['::1, 10.0.0.0/8', '::1', true],
    ['2001:db8::/32', '2001:db8:1::5', true],
    ['2001:db8::/32', '2001:db9::5', false],
    ['::ffff:10.0.0.0/104', '10.1.1.1', true],
  ])('%s contains %s: %p', (text, address, isContained) => {
    expect(parseAddressRanges(text)?.contains(address)).toBe(isContained);
  });

  test.each([
    '10.0.0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/',
    'localhost',
    '10.0.0.1,',
    'fe80::1%eth0',
    '10.0.0.1:80',
    '[::1]',
    '010.0.0.1',
  ])('%s is rejected', (text) => {
    expect(parseAddressRanges(text)).toBeUndefined();
  });

  test.each([
    ['2001:DB8:0:0::01', '2001:db8::1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['::', '::'],
  ])('the normal form of %s is %s', (text, address) => {
    expect(normalizeAddress(text)).toBe(address);
  });
});

describe('the address of a client', () => {
  test.each([
    ['one address', '203.0.113.9', '203.0.113.9'],
    ['the last that is no proxy', '1.1.1.1, 203.0.113.9, 10.2.2.2', '203.0.113.9'],
    ['the first where all are proxies', '10.3.3.3, 192.0.2.7', '10.3.3.3'],
    ['an address with a port', '203.0.113.9:4711', '203.0.113.9'],
    ['an IPv6 address', '2001:DB8::0:1', '2001:db8::1'],
    ['an IPv6 address with a port', '[2001:db8::1]:4711', '2001:db8::1'],
    ['an IPv4-mapped address', '::ffff:203.0.113.9', '203.0.113.9'],
    ['what follows invented addresses', 'junk, "x, 1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['that of the proxy for a hidden one', 'unknown', PROXY],
    ['that of the proxy for an invalid one', '203.0.113.999', PROXY],
    ['that of the proxy for an empty one', '203.0.113.9,', PROXY],
    ['that of the proxy for an empty header', '', PROXY],
  ])('in X-Forwarded-For is %s', (_, header, address) => {
    expect(find({ 'x-forwarded-for': header })).toBe(address);
  });

  test.each([
    ['one address', 'for=203.0.113.9;proto=https;by=10.0.0.1', '203.0.113.9'],
    ['in any letter case', 'proto=http; For="203.0.113.9:80"', '203.0.113.9'],
    ['an IPv6 address', 'for="[2001:DB8::1]:4711"', '2001:db8::1'],
    ['the last that is no proxy', 'for=1.1.1.1, for=203.0.113.9, for=10.2.2.2', '203.0.113.9'],
    ['behind a quoted comma', 'for=1.1.1.1, for=203.0.113.9;host="a,for=2.2.2.2"', '203.0.113.9'],
    ['not what another value quotes', 'host="a;for=2.2.2.2";for=203.0.113.9', '203.0.113.9'],
    ['that of the proxy for two in one', 'for=2.2.2.2;for=203.0.113.9', PROXY],
    ['with an escaped quote', 'for=203.0.113.9;ext="a\\",for=2.2.2.2"', '203.0.113.9'],
    ['what follows a quote without an end', 'for="1.1.1.1, for="[2001:db8::1]"', '2001:db8::1'],
    ['that of the proxy for a hidden one', 'for=203.0.113.9, for=_hidden', PROXY],
    ['that of the proxy for an unknown one', 'for=unknown', PROXY],
    ['that of the proxy without a for', 'proto=https', PROXY],
    ['that of the proxy for a malformed one', 'for=203.0.113.9;;x', PROXY],
  ])('in Forwarded is %s', (_, header, address) => {
    expect(find({ forwarded: header })).toBe(address);
  });

  test('is that of the proxy if both headers are present and differ', () => {
    const real = '203.0.113.9';
    expect(find({ forwarded: `for=${real}`, 'x-forwarded-for': real })).toBe(real);
    expect(find({ forwarded: 'for=1.1.1.1', 'x-forwarded-for': real })).toBe(PROXY);
  });

  test('is found at the end of a header of any length', () => {
    const invented = '1.1.1.1, '.repeat(10_000);
    expect(find({ 'x-forwarded-for': `${invented}203.0.113.9` })).toBe('203.0.113.9');
    expect(find({ 'x-forwarded-for': `${'x'.repeat(5_000)}, 10.1.1.1` })).toBe(PROXY);
    const elements = 'for=1.1.1.1, '.repeat(10_000);
    expect(find({ forwarded: `${elements}for=203.0.113.9` })).toBe('203.0.113.9');
    expect(find({ forwarded: `${'x'.repeat(5_000)}, for=10.1.1.1` })).toBe(PROXY);
  });

  test('is that of the peer if no proxy is trusted, without the mapping to IPv6', () => {
    const findPeer = createClientAddressFinder(null);
    const headers = new Headers({ 'x-forwarded-for': '203.0.113.9' });
    expect(findPeer('::ffff:10.0.0.1', headers)).toBe('10.0.0.1');
    expect(findPeer('2001:db8::1', headers)).toBe('2001:db8::1');
  });

  test('is that of a trusted peer on a socket for both versions', () => {
    expect(find({ 'x-forwarded-for': '203.0.113.9' }, '::ffff:10.0.0.1')).toBe('203.0.113.9');
  });
});

describe('a server behind a trusted proxy', () => {
  const get = (client: string) =>
    `GET /2.0/bnb/quote HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\n`;
  /** The statuses of requests that are sent at once. */
  const sendAll = async (address: string, clients: readonly string[]) => {
    const last = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const requests = clients.map((client) => `${get(client)}\r\n`).join('');
    const { status, body } = await sendRaw(address, requests + last);
    const others = [...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, text]) => Number(text));
    return [status, ...others].slice(0, clients.length);
  };

  test.each([
    ['limits and logs each client by its own address', '127.0.0.1', false, '203.0.113.2'],
    [
      'limits and logs all by the address of a proxy that is not trusted',
      '10.0.0.1',
      true,
      '127.0.0.1',
    ],
  ])('%s', async (_, trusted, isOtherLimited, loggedAddress) => {
    await using store = await createStore();
    const events: LogEvent[] = [];
    const trustedProxies = parseAddressRanges(trusted) ?? null;
    const { address, stop } = await startServer({
      store,
      catalogue,
      settings: { ...SERVER_SETTINGS, trustedProxies },
      emit: (event) => events.push(event),
    });
    const other = { headers: { 'X-Forwarded-For': '203.0.113.2' } };
    expect((await fetch(`${address}/2.0/bnb/quote`, other)).status).toBe(401);
    expect(events.findLast(({ event }) => event === 'request')).toMatchObject({
      address: loggedAddress,
    });
    const clients = [...Array(1_200).fill('203.0.113.1'), ...Array(20).fill('203.0.113.2')];
    const statuses = await sendAll(address, clients);
    expect(statuses).toHaveLength(1_220);
    expect(statuses.slice(0, 1_200)).toContain(429);
    expect(statuses.slice(1_200).includes(429)).toBe(isOtherLimited);
    await stop();
  });
});

const headerText = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        'for=',
        '"',
        '\\',
        ',',
        ';',
        ' ',
        '[',
        ']',
        '::1',
        '1.2.3.4',
        '10.1.1.1',
        'x',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
);
/** What `Headers` accepts of any text. */
const createHeaders = (values: Record<string, string>) => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values))
    headers.set(name, value.replace(/[\0\r\n]/g, ''));
  return headers;
};

describe('a client', () => {
  const untrusted = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .map((address) => normalizeAddress(address) ?? '')
    .filter((address) => address !== '' && proxies?.contains(address) === false);

  test('that connects directly never chooses its address', () => {
    fc.assert(
      fc.property(untrusted, headerText, headerText, (peer, forwarded, forwardedFor) => {
        const headers = createHeaders({ forwarded, 'x-forwarded-for': forwardedFor });
        expect(findClientAddress(peer, headers)).toBe(peer);
      }),
    );
  });

  test('behind a proxy that appends to X-Forwarded-For has its own address or that of the proxy', () => {
    fc.assert(
      fc.property(untrusted, headerText, headerText, (client, forwarded, sent) => {
        const appended = { 'x-forwarded-for': `${sent}, ${client}` };
        expect(findClientAddress(PROXY, createHeaders(appended))).toBe(client);
        const address = findClientAddress(PROXY, createHeaders({ ...appended, forwarded }));
        expect([client, PROXY]).toContain(address);
      }),
    );
  });

  test('behind a proxy that appends to Forwarded has its own address', () => {
    fc.assert(
      fc.property(untrusted, headerText, fc.boolean(), (client, sent, isQuoted) => {
        const isIpv6 = client.includes(':');
        const node = isIpv6 ? `"[${client}]:80"` : isQuoted ? `"${client}"` : client;
        const header = `${sent}, host="x;for=2.2.2.2";for=${node};ext="x,for=1.1.1.1"`;
        expect(findClientAddress(PROXY, createHeaders({ forwarded: header }))).toBe(client);
      }),
    );
  });
});
