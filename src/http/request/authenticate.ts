import type { Principal } from '../../tokens/token-registry.ts';
import { TOKEN_PATTERN_SOURCE } from '../../tokens/token-secret.ts';
import type { HttpError } from '../http-error.ts';
import { createHttpError } from '../http-error.ts';
import { createTooManyRequestsError } from '../rate-limiting/rate-limiter.ts';
import type { ServerContext } from '../server-context.ts';

/** The scheme in any letter case, one space, one token. Two headers arrive joined by a comma. */
const BEARER_CREDENTIAL = new RegExp(`^bearer (${TOKEN_PATTERN_SOURCE})$`, 'i');

/**
 * Who sends the request, if their token is accepted. Wrong ones are counted by address; that never
 * stands in the way of a right one, which is looked for first.
 */
export function authenticate(
  authorization: string | null,
  { tokens, failedAuthLimiter }: Pick<ServerContext, 'tokens' | 'failedAuthLimiter'>,
  addressOf: () => string,
): Principal | HttpError {
  if (!authorization) return MISSING_TOKEN_ERROR;
  const secret = BEARER_CREDENTIAL.exec(authorization)?.[1];
  const principal = secret === undefined ? undefined : tokens.authenticate(secret);
  if (principal) return principal;
  const bucket = failedAuthLimiter(addressOf());
  return bucket.tryTake() ? INVALID_TOKEN_ERROR : createTooManyRequestsError(bucket);
}

const BEARER_CHALLENGE = 'Bearer realm="tenor"';
const MISSING_TOKEN_ERROR = createHttpError(
  'unauthorized',
  {},
  { 'WWW-Authenticate': BEARER_CHALLENGE },
);
const INVALID_TOKEN_ERROR = createHttpError(
  'unauthorized',
  {},
  { 'WWW-Authenticate': `${BEARER_CHALLENGE}, error="invalid_token"` },
);
