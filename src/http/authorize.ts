import type { Holder, Keyring } from '../tokens/keyring.ts';
import { TOKEN_GRAMMAR } from '../tokens/secret.ts';
import type { Refusal } from './failures.ts';
import { refuse } from './failures.ts';

/** The scheme in any letter case, one space, one token. Two headers arrive joined by a comma. */
const CREDENTIAL = new RegExp(`^bearer (${TOKEN_GRAMMAR})$`, 'i');

/** Who sends the request, if their token is accepted. */
export function authorize(authorization: string | null, keyring: Keyring): Holder | Refusal {
  if (!authorization) return NO_CREDENTIAL;
  const secret = CREDENTIAL.exec(authorization)?.[1];
  const holder = secret === undefined ? undefined : keyring.find(secret);
  return holder ?? BAD_CREDENTIAL;
}

const CHALLENGE = 'Bearer realm="tenor"';
const NO_CREDENTIAL = refuse('unauthorized', {}, { 'WWW-Authenticate': CHALLENGE });
const BAD_CREDENTIAL = refuse(
  'unauthorized',
  {},
  { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` },
);
