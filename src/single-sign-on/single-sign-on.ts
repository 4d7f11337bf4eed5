import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { SCOPE_PATTERN } from '../catalogue/model/declaration.ts';
import type { EmitEvent } from '../event-log.ts';
import type { ScopeClaim, Settings } from '../settings.ts';
import { createBoundedMap } from '../shared/memoize.ts';
import type { SignIn } from '../shared/sign-in.ts';
import { startPolling } from '../shared/start-polling.ts';
import { system } from '../shared/system.ts';
import { createPrincipal, type Principal } from '../tokens/principal.ts';
import { createScopes } from '../tokens/scopes.ts';
import { IssuerKeys } from './issuer-keys.ts';

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Longer ones are refused unread. */
const MAX_TOKEN_LENGTH = 8_192;
const JWT_PATTERN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const MAX_KEY_ID_LENGTH = 256;
/** The subject of an OpenID token has at most so many characters. */
const MAX_SUBJECT_LENGTH = 255;
/** How far the clock of a provider may be off. */
const CLOCK_TOLERANCE_SECONDS = 30;
const REFRESH_INTERVAL_MS = 600_000;
const MAX_VERIFIED = 10_000;

export type SingleSignOnSettings = Pick<
  Settings,
  'oidcIssuer' | 'oidcAudience' | 'oidcScopes' | 'oidcClientId'
>;

/** Undefined if the settings name no provider. */
export function openSingleSignOn(
  {
    oidcIssuer = [],
    oidcAudience = '',
    oidcScopes = { claim: 'scope' },
    oidcClientId = '',
  }: Partial<SingleSignOnSettings>,
  emit: EmitEvent,
): SingleSignOn | undefined {
  if (oidcIssuer.length === 0) return undefined;
  return new SingleSignOn({ oidcIssuer, oidcAudience, oidcScopes, oidcClientId }, emit);
}

/** Accepts the access tokens of OpenID providers, JWTs that are verified by their published keys. */
export class SingleSignOn {
  readonly #issuers: ReadonlyMap<string, IssuerKeys>;
  /** Tokens that were verified with keys that are still published. */
  #verified = createBoundedMap<string, Principal>(MAX_VERIFIED);
  readonly #failing = new Set<string>();
  readonly #stopPolling: () => void;

  constructor(
    private readonly settings: SingleSignOnSettings,
    private readonly emit: EmitEvent,
  ) {
    const issuers = settings.oidcIssuer.map(
      (issuer) => [issuer, this.#createKeys(issuer)] as const,
    );
    this.#issuers = new Map(issuers);
    // A provider that is away does not keep the server from starting.
    this.refresh();
    this.#stopPolling = startPolling(REFRESH_INTERVAL_MS, () => this.refresh());
  }

  /** The principal of a token that was verified before and has not expired. */
  find(token: string): Principal | undefined {
    const principal = this.#verified.get(token);
    return principal && principal.expiresAtMs > system.now() ? principal : undefined;
  }

  /** The principal of a token, if it has the form of one of a provider, which no issued token has. */
  lookUp(token: string): Promise<Principal | undefined> | undefined {
    return token.length <= MAX_TOKEN_LENGTH && JWT_PATTERN.test(token)
      ? this.verify(token)
      : undefined;
  }

  /** The principal of a token; undefined if it is not one of the providers', or not valid now. */
  async verify(token: string): Promise<Principal | undefined> {
    const { issuer, keyId } = readUnverified(token) ?? {};
    const keys = this.#issuers.get(issuer ?? '');
    const key = keyId === undefined ? undefined : await keys?.find(keyId);
    if (!keys || !key) return undefined;
    // That of these keys: after a change of keys, another one.
    const verified = this.#verified;
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer: keys.issuer,
        audience: this.settings.oidcAudience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(system.now()),
        requiredClaims: ['exp', 'sub'],
      });
      const principal = this.#createPrincipal(keys.issuer, payload);
      if (principal) verified.set(token, principal);
      return principal;
    } catch (cause) {
      if (cause instanceof errors.JOSEError) return undefined;
      throw cause;
    }
  }

  /** How the explorer signs in at the first provider; undefined if it cannot, or not yet. */
  describeSignIn(scopes: readonly string[]): SignIn | undefined {
    const { oidcClientId: clientId, oidcAudience: audience, oidcScopes } = this.settings;
    const [keys] = this.#issuers.values();
    const { authorizationEndpoint, tokenEndpoint } = keys?.metadata ?? {};
    if (!keys || clientId === '' || !authorizationEndpoint || !tokenEndpoint) return undefined;
    const words = oidcScopes.claim === 'scope' ? (oidcScopes.scopes?.keys() ?? scopes) : [];
    const scope = ['openid', ...new Set(words)].join(' ');
    const { issuer } = keys;
    return { issuer, clientId, audience, scope, authorizationEndpoint, tokenEndpoint };
  }

  stop(): void {
    this.#stopPolling();
  }

  #createPrincipal(issuer: string, payload: JWTPayload): Principal | undefined {
    const { sub, exp } = payload;
    if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH) return undefined;
    // It could not be named in the log.
    if (!sub.isWellFormed()) return undefined;
    return createPrincipal(nameSubject(sub, issuer), {
      scopes: createScopes(listScopes(payload, this.settings.oidcScopes)),
      rate: undefined,
      expiresAtMs: ((exp as number) + CLOCK_TOLERANCE_SECONDS) * 1_000,
      isOfProvider: true,
    });
  }

  #createKeys(issuer: string): IssuerKeys {
    return new IssuerKeys(issuer, {
      onChange: () => {
        this.#verified = createBoundedMap<string, Principal>(MAX_VERIFIED);
      },
      onFetched: (cause) => {
        if (cause === undefined) this.#failing.delete(issuer);
        else if (!this.#failing.has(issuer)) {
          this.#failing.add(issuer);
          this.emit({ event: 'sso.failed', issuer, cause });
        }
      },
    });
  }

  /** Fetches the keys of all providers. */
  async refresh(): Promise<void> {
    await Promise.all(Array.from(this.#issuers.values(), (keys) => keys.fetch()));
  }
}

/** What says with which key a token is to be verified; undefined if it cannot be accepted anyhow. */
function readUnverified(token: string): { issuer: string; keyId: string } | undefined {
  try {
    const { alg = '', kid = '' } = decodeProtectedHeader(token);
    const { iss, exp } = decodeJwt(token);
    const isLong = typeof kid !== 'string' || kid.length > MAX_KEY_ID_LENGTH;
    if (!ALGORITHMS.includes(alg) || typeof iss !== 'string' || isLong) return undefined;
    if (typeof exp !== 'number' || (exp + CLOCK_TOLERANCE_SECONDS) * 1_000 <= system.now())
      return undefined;
    return { issuer: iss, keyId: kid };
  } catch {
    return undefined;
  }
}

/** The identifier of a subject in limits and logs: no token has an `@` in its own. */
function nameSubject(subject: string, issuer: string): string {
  const name = encodeURIComponent(subject).replace(/%7C/g, '|').replace(/%40/g, '@');
  return `${name}@${issuer.replace(/^\w+:\/\//, '').replace(/\/$/, '')}`;
}

/** The scopes that a claim gives: its words, or what they are mapped to. */
export function listScopes(payload: JWTPayload, { claim, scopes }: ScopeClaim): string[] {
  const value = findClaim(payload, claim);
  const words = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  const texts = words.filter((word): word is string => typeof word === 'string');
  if (!scopes) return texts.filter((word) => SCOPE.test(word));
  return texts.flatMap((word) => scopes.get(word) ?? []);
}

const SCOPE = new RegExp(SCOPE_PATTERN);

/** A claim by its name, or a nested one by its path, such as `realm_access.roles`. */
function findClaim(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null;
    return isObject && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined;
  }, payload);
}
