import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import type { Principal, TokenRegistry } from '../../tokens/token-registry.ts';
import { TOKEN_PATTERN_SOURCE } from '../../tokens/token-secret.ts';
import { HttpError } from '../http-error.ts';
import type { FailedAuthLimiter } from '../rate-limiting/failed-auth-limiter.ts';
import { createTooManyRequestsError } from '../rate-limiting/rate-limiter.ts';

/** One token only: two headers arrive joined by a comma. */
const BEARER_CREDENTIAL = new RegExp(`^bearer +(${TOKEN_PATTERN_SOURCE})$`, 'i');

/**
 * The principal of a valid token. Other requests are limited by client address; from an address
 * over its limit, a token that was not accepted there before has to wait as guesses do.
 */
export function authenticate(
  client: UnknownClient,
  { tokens, failedAuthLimiter }: AuthenticationContext,
): Awaitable<Authentication> {
  const authorization = client.headers.get('authorization');
  if (!authorization) {
    const bucket = failedAuthLimiter.findAnonymousBucket(client.getAddress());
    return bucket.tryTake() ? MISSING_TOKEN_ERROR : createTooManyRequestsError(bucket);
  }
  const secret = BEARER_CREDENTIAL.exec(authorization)?.[1];
  const principal = secret === undefined ? undefined : tokens.authenticate(secret);
  return admitClient(client, principal, INVALID_TOKEN_ERROR, failedAuthLimiter);
}

/** The principal of a link that is valid. Secrets can be guessed no faster than tokens. */
export function authenticateLink(
  client: UnknownClient,
  secret: string,
  { tokens, failedAuthLimiter }: AuthenticationContext,
): Awaitable<Authentication> {
  const principal = tokens.authenticateLink(secret);
  return admitClient(client, principal, UNKNOWN_LINK_ERROR, failedAuthLimiter);
}

function admitClient(
  client: UnknownClient,
  principal: Principal | undefined,
  invalidError: HttpError,
  failedAuthLimiter: FailedAuthLimiter,
): Awaitable<Authentication> {
  if (principal && !failedAuthLimiter.isThrottling()) {
    // Looking up the address takes time: once a second, when tokens are read again, is enough.
    if (!principal.isAddressRecorded)
      failedAuthLimiter.recordAccepted(client.getAddress(), principal.id);
    principal.isAddressRecorded = true;
    return principal;
  }
  const address = client.getAddress();
  return whenReady(failedAuthLimiter.admit(address, principal?.id, client.signal), (isAdmitted) => {
    if (isAdmitted) return principal ?? invalidError;
    return createTooManyRequestsError(failedAuthLimiter.findBucket(address));
  });
}

/** The sender of a request, who may have a token. */
export interface UnknownClient {
  readonly headers: Headers;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  getAddress(): string;
}

export interface AuthenticationContext {
  readonly tokens: Pick<TokenRegistry, 'authenticate' | 'authenticateLink'>;
  readonly failedAuthLimiter: FailedAuthLimiter;
}

export type Authentication = Principal | HttpError;

const MISSING_TOKEN_ERROR = createUnauthorizedError('Bearer realm="tenor"');
const INVALID_TOKEN_ERROR = createUnauthorizedError('Bearer realm="tenor", error="invalid_token"');
/** The same whether it is revoked, expired or was never one. */
const UNKNOWN_LINK_ERROR = new HttpError('not_found');

function createUnauthorizedError(challenge: string): HttpError {
  return new HttpError('unauthorized', {}, { 'WWW-Authenticate': challenge });
}
