import type {
  Authentication,
  AuthenticationContext,
} from '../../http/authentication/authenticate.ts';
import { authenticate } from '../../http/authentication/authenticate.ts';
import type { Exchange } from '../../http/pipeline/exchange.ts';
import type { Awaitable } from '../../shared/awaitable.ts';

const BASIC_CREDENTIAL = /^basic +([A-Za-z0-9+/]+=*)$/i;

/** Takes a token as the password of Basic authentication too, for clients that set no headers. */
export function authenticateWithPassword(
  context: AuthenticationContext,
  exchange: Exchange,
): Awaitable<Authentication> {
  const [, encoded] = BASIC_CREDENTIAL.exec(exchange.headers.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return authenticate(exchange, context);
  const credentials = Buffer.from(encoded, 'base64').toString();
  const password = credentials.slice(credentials.indexOf(':') + 1);
  // What no header may have is no token either.
  const token = /^[!-~]+$/.test(password) ? password : '-,-';
  return authenticate(
    {
      headers: new Headers({ authorization: `Bearer ${token}` }),
      signal: exchange.signal,
      getAddress: () => exchange.getAddress(),
    },
    context,
  );
}
