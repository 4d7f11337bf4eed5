import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { maskText, maskValue } from '../../src/http/pipeline/mask-secrets.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { issueLink, issueToken } from '../../src/tokens/issue-token.ts';
import { EVERY_SCOPE } from '../../src/tokens/scopes.ts';
import { createMessage, postMessage } from '../support/mcp-client.ts';
import { listOperationTargets } from '../support/operation-targets.ts';
import { createFilledStore } from '../support/store.ts';
import { SERVER_SETTINGS } from '../support/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenor-test-'));
const path = join(folder, 'audit.log');
const store = await createFilledStore();
/** No form by which it could be told from any other text; a colon ends the name before a password. */
const API_TOKEN = 'QcYh8Sxk:Pz71';
const server = await startServer({
  store,
  catalogue,
  settings: { ...SERVER_SETTINGS, apiToken: API_TOKEN, auditLog: path },
  emit: () => {},
});
const ISSUED = { name: 'ann', rate: null, expiresAt: null };
const tokens = store.tokens();
const [sharing, scopeless, link] = [
  await issueToken(tokens, { ...ISSUED, scopes: EVERY_SCOPE, mayShare: true }),
  await issueToken(tokens, { ...ISSUED, scopes: [] }),
  await issueLink(tokens, {
    ...ISSUED,
    scopes: EVERY_SCOPE,
    target: '/2.0/bnb/portfolio?positions=ZZ:9876543',
  }),
];
tokens.close();
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const basic = (secret: string) => ({
  authorization: `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`,
});
const send = async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(`${server.address}${target}`, { method, headers });
  await response.body?.cancel();
  return response.status;
};
const portfolio = (secret: string) => `/2.0/bnb/portfolio?date=2026-06-02&positions=${secret}`;
const signTarget = (target: string) =>
  `/links/sign?expires=1d&target=${encodeURIComponent(target)}`;
const signed = await (async () => {
  const response = await fetch(server.address + signTarget(portfolio('ZZ:9876543')), {
    headers: bearer(sharing.secret),
  });
  const { data } = (await response.json()) as { data: { address: string } };
  return data.address.slice('/links/'.length);
})();

afterAll(async () => {
  await server.stop();
  await store.remove();
  rmSync(folder, { recursive: true });
});

/** Each secret, and a part of it that is the same in every encoding. */
const SECRETS = {
  positions: ['ZZ12TB031226:9876543', '9876543'],
  'a token': [sharing.secret, sharing.secret.slice(-20)],
  'the token of the settings': [API_TOKEN, API_TOKEN],
  'a link': [link.secret, link.secret.slice(-20)],
  'a signed link': [signed, signed.slice(-20)],
  'a JWT': ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlMTIzNDU2', 'c2lnbmF0dXJlMTIzNDU2'],
} as const;

/** Queries in which a secret stands by its name, or by its form; positions have no form. */
const byName = (secret: string) => [
  `positions=${encodeURIComponent(secret)}`,
  `x=1&access_token=${secret}&positions=${secret}`,
  `target=${encodeURIComponent(portfolio(secret))}&expires=1d`,
  `target=${encodeURIComponent(signTarget(portfolio(secret)))}&expires=1d`,
  `target=${encodeURIComponent(encodeURIComponent(signTarget(portfolio(secret))))}&expires=1d`,
];
const byForm = (secret: string) => [
  `symbol=${secret}`,
  `${secret}=1`,
  `target=${encodeURIComponent(`/links/${secret}`)}&expires=1d`,
  `target=${encodeURIComponent(`https://x.example/a/${secret}/b?c=${secret}`)}&expires=1d`,
];

const SDMX_PATH = '/sdmx/2.1/data/KIBOR';
const PATHS = [
  ...new Set(
    listOperationTargets()
      .filter(({ isEventStream }) => !isEventStream)
      .map(({ target }) => target.replace(/\?.*/, '')),
  ),
  ...['/links/sign', SDMX_PATH, '/widgets.json', '/nowhere', '/openbb/portfolio', '/'],
];

describe.each(Object.entries(SECRETS))('the audit log never has %s', (name, [secret, mark]) => {
  const queries = name === 'positions' ? byName(secret) : [...byName(secret), ...byForm(secret)];
  const credentials = [bearer(API_TOKEN)];
  // Another client's credential can only be told by its form.
  if (secret !== API_TOKEN) credentials.push(bearer(scopeless.secret));
  const expectMasked = () => {
    const text = readFileSync(path, 'utf8');
    const marks = [mark, Buffer.from(mark).toString('base64').slice(0, -4)];
    expect(marks.filter((each) => text.includes(each))).toEqual([]);
  };

  test('whichever operation it was sent to, by whom it was, and however it was encoded', async () => {
    const statuses = new Set<number>();
    for (const target of PATHS) statuses.add(await send(`${target}?${queries[0]}`));
    for (const query of queries) await send(`${SDMX_PATH}?${query}`, basic(API_TOKEN));
    for (const target of PATHS)
      for (const query of queries)
        await Promise.all(
          credentials.map(async (headers) =>
            statuses.add(await send(`${target}?${query}`, headers)),
          ),
        );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 401, 404]));
    expectMasked();
  }, 120_000);

  test('whether it is a credential, a path, a part of a message, or in a header', async () => {
    const target = portfolio(name === 'positions' ? secret : 'ZZ:1');
    const text = name === 'positions' ? 'x' : secret;
    const sent = [
      ...[bearer(text), basic(text)],
      ...[bearer(API_TOKEN), basic(text)].map((own) => ({ ...own, 'X-Request-Id': text })),
    ];
    for (const headers of sent)
      for (const method of ['GET', 'HEAD', 'POST'])
        for (const to of [target, `/links/${text}`, `/links/${text}/x`, `/link/${text}?as_of=1`])
          await send(to, headers, method);
    for (const headers of credentials)
      await send(`/openbb/portfolio?positions=${encodeURIComponent(secret)}`, headers);
    for (const arguments_ of [{ symbol: text }, { [text]: 1 }, { positions: secret }]) {
      const call = { name: 'get_quotes', arguments: arguments_ };
      const { body, headers } = createMessage('tools/call', call);
      await postMessage(server.address, body, { ...headers, Authorization: `Bearer ${API_TOKEN}` });
      await postMessage(server.address, body, {
        ...headers,
        Authorization: `Bearer ${API_TOKEN}`,
        Origin: 'https://other.example',
      });
    }
    expectMasked();
  }, 60_000);
});

test('the audit log has the requests that were tried', () => {
  const text = readFileSync(path, 'utf8');
  for (const status of [200, 401, 403]) expect(text).toContain(`"status":${status}`);
});

test('parameters that hold no secret are in the audit log as they were sent', () => {
  const declared = listOperationTargets().flatMap(({ parameters }) => Object.entries(parameters));
  const masked = declared.filter(
    ([name, { example }]) => maskValue(name, String(example)) !== String(example),
  );
  expect([...new Set(masked.map(([name]) => name))]).toEqual(['positions']);
});

test.each([
  [
    '/2.0/bnb/portfolio?positions=A:1&date=2026-06-02',
    '/2.0/bnb/portfolio?positions=***&date=2026-06-02',
  ],
  ['/a?b=%2Fc%3Fpositions%3DA%26B%26d%3D1', '/a?b=%2Fc%3Fpositions%3D***%26B%26d%3D1'],
  ['%2Fa%3Ftoken%3Dx', '%2Fa%3Ftoken%3D***'],
  ['/a?%70ositions=A:1&date=2026-06-02', '/a?%70ositions=***&date=2026-06-02'],
  ['/links/abc?x=1', '/links/***?x=1'],
  ['/links/sign?expires=1d', '/links/sign?expires=1d'],
  ['{"positions": "A:1"}', '***'],
  ['/a%3Fpositions%3DA%26B?c=1', '***'],
  ['100%', '100%'],
  ['%C3%BC=%FF', '%C3%BC=%FF'],
  ['quotes.ytm(symbol=A),x.bid(tenor=1M)', 'quotes.ytm(symbol=A),x.bid(tenor=1M)'],
])(
  'an address as a value is masked inside, and all of it if the secret cannot be told from the rest: %s',
  (text, masked) => {
    expect(maskText(text)).toBe(masked);
  },
);

test.each([
  '?',
  '%',
  '%25',
  '=',
  '&',
  'a',
  ' ',
  'tenor_',
  'eyJ',
  'signed.',
  '/links/',
  '?a=',
  'token',
  'a ',
])('masking takes time in proportion to the length of a value of %p alone', (text) => {
  const started = performance.now();
  maskText(text.repeat(100_000 / text.length));
  expect(performance.now() - started).toBeLessThan(1_000);
});
