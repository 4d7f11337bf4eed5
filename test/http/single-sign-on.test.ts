import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { parseSettings, type Settings } from '../../src/settings.ts';
import { SingleSignOn } from '../../src/single-sign-on/single-sign-on.ts';
import { createFilledStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';

const AUDIENCE = 'https://tenor.example/api';
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const;

interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

const keys = await Promise.all(ALGORITHMS.map((alg) => createKey(alg, `key-${alg}`)));
const [rsa, , ed] = keys as [SigningKey, SigningKey, SigningKey];

async function createKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return { alg, kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** A provider that says what a test wants. */
class Provider {
  keySet: unknown = { keys: keys.map(({ jwk }) => jwk) };
  issuer: unknown;
  fetches = 0;
  /** Whether it responds with nothing, and leaves the connection open. */
  isHanging = false;
  readonly #server = this.#listen();

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  stop(): void {
    this.#server.stop(true);
  }

  #listen() {
    return Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => {
        if (this.isHanging) return new Promise<Response>(() => {});
        const { pathname, origin } = new URL(url);
        if (pathname === '/keys') {
          this.fetches++;
          return Response.json(this.keySet);
        }
        return Response.json({
          issuer: this.issuer ?? origin,
          jwks_uri: `${origin}/keys`,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
        });
      },
    });
  }
}

let provider: Provider;
let events: LogEvent[];
let opened: SingleSignOn[];

beforeEach(() => {
  provider = new Provider();
  events = [];
  opened = [];
});

afterEach(() => {
  for (const each of opened) each.stop();
  provider.stop();
});

function open(settings: Partial<Record<string, string>> = {}): SingleSignOn {
  const { oidcIssuer, oidcAudience, oidcScopes, oidcClientId } = parseSettings({
    OIDC_ISSUER: provider.url,
    OIDC_AUDIENCE: AUDIENCE,
    ...settings,
  });
  const signOn = new SingleSignOn(
    { oidcIssuer, oidcAudience, oidcScopes, oidcClientId },
    (event) => void events.push(event),
  );
  opened.push(signOn);
  return signOn;
}

interface TokenOptions {
  readonly key?: SigningKey;
  readonly header?: object;
  readonly claims?: JWTPayload;
}

function sign({ key = rsa, header, claims }: TokenOptions = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const payload = {
    iss: provider.url,
    aud: AUDIENCE,
    sub: 'ann',
    exp: now + 60,
    scope: 'quotes funds',
  };
  return new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey);
}

const toBase64Url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

describe('a token of an OpenID provider', () => {
  test.each(ALGORITHMS)('is verified by the published key: %s', async (alg) => {
    const signOn = open();
    const key = keys.find((each) => each.alg === alg);
    const token = await sign(key ? { key } : {});
    expect(signOn.find(token)).toBeUndefined();
    const principal = await signOn.verify(token);
    expect(principal?.id).toBe(`ann@${new URL(provider.url).host}`);
    expect(
      ['quotes', 'funds', 'alternate', 'public'].filter((scope) => principal?.scopes.has(scope)),
    ).toEqual(['quotes', 'funds', 'public']);
    expect(signOn.find(token)).toBe(principal);
  });

  test.each<[string, TokenOptions]>([
    ['another issuer', { claims: { iss: 'https://other.example' } }],
    ['another audience', { claims: { aud: 'https://other.example' } }],
    ['no audience', { claims: { aud: undefined as never } }],
    ['no subject', { claims: { sub: undefined as never } }],
    ['an empty subject', { claims: { sub: '' } }],
    ['a subject that is too long', { claims: { sub: 'x'.repeat(256) } }],
    ['a subject that is no Unicode text', { claims: { sub: 'x\ud800' } }],
    ['no expiry', { claims: { exp: undefined as never } }],
    ['an expiry that has passed', { claims: { exp: inSeconds(-31) } }],
    ['a beginning that is to come', { claims: { nbf: inSeconds(90) } }],
    ['an unknown key', { header: { kid: 'other' } }],
    ['the name of another key', { header: { kid: ed.kid } }],
    ['no key', { header: { kid: undefined } }],
  ])('is refused with %s', async (_, options) => {
    expect(await open().verify(await sign(options))).toBeUndefined();
  });

  test('is accepted by a clock that is half a minute off', async () => {
    const signOn = open();
    const early = await sign({ claims: { nbf: inSeconds(25) } });
    const late = await sign({ claims: { exp: inSeconds(-20) } });
    expect((await signOn.verify(early))?.id).toStartWith('ann@');
    expect((await signOn.verify(late))?.id).toStartWith('ann@');
  });

  test('is refused without a signature, and with the public key as a secret', async () => {
    const signOn = open();
    const payload = { iss: provider.url, aud: AUDIENCE, sub: 'eve', exp: inSeconds(60) };
    const unsigned = ['none', 'None', 'NONE'].map(
      (alg) => `${toBase64Url({ alg, kid: rsa.kid })}.${toBase64Url(payload)}.`,
    );
    const secrets = [await exportSPKI(rsa.publicKey), JSON.stringify(rsa.jwk), `${rsa.jwk.n}`];
    const forged = await Promise.all(
      secrets.map((secret) =>
        new SignJWT(payload)
          .setProtectedHeader({ alg: 'HS256', kid: rsa.kid })
          .sign(new TextEncoder().encode(secret)),
      ),
    );
    // The key that would verify it stands in the token itself.
    const own = await createKey('ES256', rsa.kid);
    const embedded = await sign({
      key: own,
      header: { jwk: own.jwk, jku: `${provider.url}/keys` },
    });
    for (const token of [...unsigned, ...forged, embedded])
      expect(await signOn.verify(token)).toBeUndefined();
  });

  test('is refused in each of 3,000 forms that differ from a valid one', async () => {
    const signOn = open();
    const token = await sign();
    expect(await signOn.verify(token)).toBeDefined();
    let accepted = 0;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
    // The last character of a part may have bits that mean nothing.
    const parts = token.split('.');
    const ends = new Set(
      [parts[0]?.length, (parts[0]?.length ?? 0) + 1 + (parts[1]?.length ?? 0), token.length].map(
        (end) => (end ?? 0) - 1,
      ),
    );
    for (let seed = 0; seed < 3_000; seed++) {
      const at = (seed * 7_919) % token.length;
      const letter = alphabet[(seed * 104_729) % alphabet.length] ?? '';
      if (ends.has(at) || token[at] === letter) continue;
      const forms = [
        token.slice(0, at) + letter + token.slice(at + 1),
        token.slice(0, at) + token.slice(at + 1),
      ];
      if (await signOn.verify(forms[seed % 2] ?? '')) accepted++;
    }
    expect(accepted).toBe(0);
    expect(provider.fetches).toBe(1);
  });

  test('has the scopes of the claim that OIDC_SCOPES names, as they are or mapped', async () => {
    const list = async (setting: string, claims: JWTPayload) => {
      const principal = await open({ OIDC_SCOPES: setting }).verify(await sign({ claims }));
      return [...(principal?.scopes ?? [])].toSorted();
    };
    expect(await list('scope', { scope: 'quotes * Quotes funds' })).toEqual([
      'funds',
      'public',
      'quotes',
    ]);
    expect(await list('scope', { scope: 7 })).toEqual(['public']);
    expect(await list('constructor', {})).toEqual(['public']);
    expect(await list('groups', { groups: ['quotes', 7, null, 'alternate'] })).toEqual([
      'alternate',
      'public',
      'quotes',
    ]);
    expect(await list('realm_access.roles', { realm_access: { roles: ['funds'] } })).toEqual([
      'funds',
      'public',
    ]);
    const mapped = 'https://tenor.example/roles:Desk A=quotes,Desk A=funds,ops=*';
    expect(() => parseSettings({ OIDC_SCOPES: mapped })).toThrow('OIDC_SCOPES must be');
    expect(() => parseSettings({ OIDC_SCOPES: 'groups:' })).toThrow('OIDC_SCOPES must be');
    const roles = 'https://tenor.example/roles';
    const mapping = `${roles}:desk=quotes,desk=funds`;
    expect(await list(mapping, { [roles]: ['desk', 'quotes', 'toString'] })).toEqual([
      'funds',
      'public',
      'quotes',
    ]);
    const everything = await open({ OIDC_SCOPES: `${roles}:ops=*` }).verify(
      await sign({ claims: { [roles]: 'ops' } }),
    );
    expect(everything?.scopes.has('any-later-scope')).toBe(true);
  });

  test('names subjects of different providers apart, and without signs that a log would escape', async () => {
    const signOn = open();
    const principal = await signOn.verify(await sign({ claims: { sub: 'auth0|7 "x"\\\n@y' } }));
    expect(principal?.id).toBe(`auth0|7%20%22x%22%5C%0A@y@${new URL(provider.url).host}`);
  });
});

describe('the keys of a provider', () => {
  test('are fetched again for an unknown key, once a minute however many tokens name one', async () => {
    const signOn = open();
    expect(await signOn.verify(await sign())).toBeDefined();
    for (let count = 0; count < 500; count++)
      expect(
        await signOn.verify(await sign({ key: ed, header: { kid: `flood-${count}` } })),
      ).toBeUndefined();
    expect(provider.fetches).toBe(1);
  });

  test('that are known go on being used while the provider is away, which is logged once', async () => {
    const signOn = open();
    expect(await signOn.verify(await sign())).toBeDefined();
    const another = await sign({ claims: { jti: '2' } });
    provider.stop();
    await signOn.refresh();
    await signOn.refresh();
    expect(await signOn.verify(another)).toBeDefined();
    expect(events).toMatchObject([{ event: 'sso.failed' }]);
  });

  test('that are known keep no token waiting while the provider hangs', async () => {
    const signOn = open();
    expect(await signOn.verify(await sign())).toBeDefined();
    const another = await sign({ claims: { jti: '2' } });
    provider.isHanging = true;
    let isRefreshed = false;
    const refreshing = signOn.refresh().then(() => {
      isRefreshed = true;
    });
    expect(await signOn.verify(another)).toBeDefined();
    expect(isRefreshed).toBe(false);
    provider.stop();
    await refreshing;
  });

  test.each<[string, (provider: Provider) => void]>([
    ['a megabyte', (each) => (each.keySet = { keys: [{ ...rsa.jwk, x: 'x'.repeat(1_048_576) }] })],
    ['no keys', (each) => (each.keySet = { keys: 'none' })],
    ['another issuer', (each) => (each.issuer = 'https://other.example')],
  ])('are not taken from %s, which is logged', async (_, change) => {
    change(provider);
    const signOn = open();
    expect(await signOn.verify(await sign())).toBeUndefined();
    expect(events).toMatchObject([{ event: 'sso.failed', issuer: provider.url }]);
  });

  test('that are removed verify nothing any more, nor what they verified before', async () => {
    const signOn = open();
    const token = await sign();
    expect(await signOn.verify(token)).toBeDefined();
    const next = await createKey('ES256', 'next');
    provider.keySet = { keys: [next.jwk] };
    await signOn.refresh();
    expect(signOn.find(token)).toBeUndefined();
    expect(await signOn.verify(token)).toBeUndefined();
    expect(await signOn.verify(await sign({ key: next }))).toBeDefined();
  });
});

describe('a server with an OpenID provider', () => {
  const store = createFilledStore();
  afterAll(async () => (await store).remove());

  test('accepts its tokens beside its own, with scopes, limits and the log by subject', async () => {
    const settings = parseSettings({
      OIDC_ISSUER: provider.url,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_CLIENT_ID: 'explorer',
    });
    const server = await startServer({
      store: await store,
      catalogue,
      settings: {
        ...settings,
        ...SERVER_SETTINGS,
        rateLimit: { count: 5, windowMs: 60_000 },
      } as Settings,
      emit: (event) => events.push(event),
    });
    const ask = (target: string, token: string) =>
      fetch(server.address + target, { headers: { authorization: `Bearer ${token}` } });
    const ann = await sign();
    const statuses = [];
    for (const [target, token] of [
      ['/2.0/bnb/quote?limit=1', ann],
      ['/3.0/alternate/payments-market-players', ann],
      ['/2.0/bnb/quote?limit=1', `${ann.slice(0, -8)}AAAAAAAA`],
      ['/2.0/bnb/quote?limit=1', TOKEN],
    ] as const)
      statuses.push((await ask(target, token)).status);
    expect(statuses).toEqual([200, 403, 401, 200]);
    // A new token of the same subject draws on the same limit.
    for (let count = 0; count < 3; count++)
      await ask('/2.0/bnb/quote?limit=1', await sign({ claims: { jti: `${count}` } }));
    expect((await ask('/2.0/bnb/quote?limit=1', await sign({ claims: { jti: 'x' } }))).status).toBe(
      429,
    );
    const host = new URL(provider.url).host;
    expect(events.find((event) => event.event === 'request')).toMatchObject({
      token: `ann@${host}`,
    });
    const page = await fetch(server.address);
    expect(page.headers.get('Content-Security-Policy')).toContain(
      `connect-src 'self' ${provider.url};`,
    );
    expect(await (await fetch(`${server.address}/sign-in.json`)).json()).toEqual({
      issuer: provider.url,
      clientId: 'explorer',
      audience: AUDIENCE,
      scope: 'openid quotes funds alternate',
      authorizationEndpoint: `${provider.url}/authorize`,
      tokenEndpoint: `${provider.url}/token`,
    });
    await server.stop();
  });

  test('without OIDC_CLIENT_ID tells pages of no provider', async () => {
    const server = await startServer({
      store: await store,
      catalogue,
      settings: SERVER_SETTINGS,
      emit: () => {},
    });
    expect(await (await fetch(`${server.address}/sign-in.json`)).json()).toBeNull();
    const page = await fetch(server.address);
    expect(page.headers.get('Content-Security-Policy')).toContain("connect-src 'self';");
    await server.stop();
  });
});
