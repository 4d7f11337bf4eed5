import type { Awaitable } from '../../shared/awaitable.ts';
import { system } from '../../shared/system.ts';
import { isUnconfirmed, type LinkPrincipal, type Principal } from '../../tokens/principal.ts';
import type { TokenRegistry } from '../../tokens/token-registry.ts';
import { TOKEN_PATTERN_SOURCE, toLinkCredential } from '../../tokens/token-secret.ts';
import { HttpError } from '../http-error.ts';
import type { FailedAuthLimiter } from '../rate-limiting/failed-auth-limiter.ts';
import { createTooManyRequestsError } from '../rate-limiting/rate-limiter.ts';
import type { LinkCodec } from '../request/link-codec.ts';
import { memoizeHeader } from '../request/request-headers.ts';

/** One token only: two headers arrive joined by a comma. */
const BEARER_CREDENTIAL = new RegExp(`^bearer +(${TOKEN_PATTERN_SOURCE})$`, 'i');
const parseCredential = memoizeHeader(
  (authorization) => BEARER_CREDENTIAL.exec(authorization)?.[1],
  undefined,
);

/**
 * The principal of a valid token. Other requests are limited by client address; from an address
 * over its limit, a token that was not accepted there before has to wait as guesses do.
 */
export function authenticate(
  client: UnknownClient,
  context: AuthenticationContext,
): Awaitable<Authentication> {
  const authorization = client.headers.get('authorization');
  if (!authorization) {
    const bucket = context.failedAuthLimiter.findAnonymousBucket(client.getAddress());
    return bucket.tryTake() ? MISSING_TOKEN_ERROR : createTooManyRequestsError(bucket);
  }
  const secret = parseCredential(authorization);
  return admitClient(client, secret, INVALID_TOKEN_ERROR, context);
}

/** The principal of a link that is valid. Secrets can be guessed no faster than tokens. */
export function authenticateLink(
  client: UnknownClient,
  secret: string,
  context: AuthenticationContext,
): Awaitable<Authentication> {
  return admitClient(client, toLinkCredential(secret), UNKNOWN_LINK_ERROR, context);
}

function admitClient(
  client: UnknownClient,
  credential: string | undefined,
  invalidError: HttpError,
  context: AuthenticationContext,
): Awaitable<Authentication> {
  const principal = credential === undefined ? undefined : context.tokens.authenticate(credential);
  return admitPrincipal(client, { credential, principal, invalidError }, context);
}

/** The principal of a link that its token has signed: the token itself, for that target alone. */
export function authenticateSignedLink(
  client: UnknownClient,
  text: string,
  links: Pick<LinkCodec, 'parse' | 'isSigned'>,
  context: AuthenticationContext,
): Awaitable<Authentication> {
  const link = links.parse(text);
  const isLive = link !== undefined && link.expiresAtMs > system.now();
  const token = isLive ? context.tokens.findById(link.tokenId) : undefined;
  // Verifying takes a while, so it comes last.
  const isSigned = link && token?.mayShare && links.isSigned(link, token.isOfSource === true);
  const principal: LinkPrincipal | undefined = isSigned
    ? { ...token, target: link.target }
    : undefined;
  if (isSigned) token.lastUsedAtMs = system.now();
  const guess = { credential: undefined, principal, invalidError: UNKNOWN_LINK_ERROR };
  return admitPrincipal(client, guess, context);
}

function admitPrincipal(
  client: UnknownClient,
  { credential, principal, invalidError }: Guess,
  context: AuthenticationContext,
): Awaitable<Authentication> {
  const { failedAuthLimiter } = context;
  if (principal && isUnconfirmed(principal)) return UNCONFIRMED_TOKEN_ERROR;
  if (!principal || failedAuthLimiter.isThrottling)
    return admitGuess(client, { credential, principal, invalidError }, context);
  // Looking up the address takes time: once a second, when tokens are read again, is enough.
  if (!principal.isAddressRecorded)
    failedAuthLimiter.recordAccepted(client.getAddress(), principal.id);
  principal.isAddressRecorded = true;
  return principal;
}

interface Guess {
  readonly credential: string | undefined;
  readonly principal: Principal | undefined;
  readonly invalidError: HttpError;
}

/** What may be a guess gets its response when the limit of its address lets it. */
async function admitGuess(
  client: UnknownClient,
  { credential, principal, invalidError }: Guess,
  { tokens, failedAuthLimiter }: AuthenticationContext,
): Promise<Authentication> {
  const address = client.getAddress();
  if (!(await failedAuthLimiter.admit(address, principal?.id, client.signal)))
    return createTooManyRequestsError(failedAuthLimiter.findBucket(address));
  if (principal || credential === undefined) return principal ?? invalidError;
  // The store has those that were issued a moment ago.
  const found = await tokens.lookUp(credential);
  if (found) failedAuthLimiter.correctAdmission(address, found.id);
  if (found && isUnconfirmed(found)) return UNCONFIRMED_TOKEN_ERROR;
  return found ?? invalidError;
}

/** The sender of a request, who may have a token. */
export interface UnknownClient {
  readonly headers: Headers;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  getAddress(): string;
}

export interface AuthenticationContext {
  readonly tokens: Pick<TokenRegistry, 'authenticate' | 'lookUp' | 'findById'>;
  readonly failedAuthLimiter: FailedAuthLimiter;
}

export type Authentication = Principal | HttpError;

const MISSING_TOKEN_ERROR = createUnauthorizedError('Bearer realm="tenor"');
const INVALID_TOKEN_ERROR = createUnauthorizedError('Bearer realm="tenor", error="invalid_token"');
/** The same whether it is revoked, expired or was never one. */
const UNKNOWN_LINK_ERROR = new HttpError('not_found');
/** It is that of a token, not a guess; whether it was revoked, its source alone knows. */
const UNCONFIRMED_TOKEN_ERROR = new HttpError(
  'temporarily_unavailable',
  {},
  { 'Retry-After': '5' },
);

function createUnauthorizedError(challenge: string): HttpError {
  return new HttpError('unauthorized', {}, { 'WWW-Authenticate': challenge });
}
