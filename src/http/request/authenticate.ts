import type { Principal } from '../../tokens/token-registry.ts';
import { TOKEN_PATTERN_SOURCE } from '../../tokens/token-secret.ts';
import { createHttpError, type HttpError } from '../http-error.ts';
import { createTooManyRequestsError } from '../rate-limiting/rate-limiter.ts';
import type { ServerContext } from '../server-context.ts';

/** One token only: two headers arrive joined by a comma. */
const BEARER_CREDENTIAL = new RegExp(`^bearer +(${TOKEN_PATTERN_SOURCE})$`, 'i');

/** The principal of a valid token. Failed authentications are limited by client address. */
export function authenticate(
  authorization: string | null,
  { tokens, failedAuthLimiter }: Pick<ServerContext, 'tokens' | 'failedAuthLimiter'>,
  getClientAddress: () => string,
): Principal | HttpError {
  if (!authorization) return MISSING_TOKEN_ERROR;
  const secret = BEARER_CREDENTIAL.exec(authorization)?.[1];
  const principal = secret === undefined ? undefined : tokens.authenticate(secret);
  if (principal) return principal;
  const bucket = failedAuthLimiter(getClientAddress());
  return bucket.tryTake() ? INVALID_TOKEN_ERROR : createTooManyRequestsError(bucket);
}

const MISSING_TOKEN_ERROR = createUnauthorizedError('Bearer realm="tenor"');
const INVALID_TOKEN_ERROR = createUnauthorizedError('Bearer realm="tenor", error="invalid_token"');

function createUnauthorizedError(challenge: string): HttpError {
  return createHttpError('unauthorized', {}, { 'WWW-Authenticate': challenge });
}
