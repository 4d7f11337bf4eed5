import type { Scope } from '../catalogue/dataset.ts';
import type { Holder, Keyring } from '../tokens/keyring.ts';
import type { Refusal } from './failures.ts';
import { refuse } from './failures.ts';

/** The scheme in any letter case, one space, one token. Two headers arrive joined by a comma. */
const CREDENTIAL = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Who sends the request, if their token is accepted and has the scope. */
export function authorize(
  authorization: string | null,
  scope: Scope,
  keyring: Keyring,
): Holder | Refusal {
  if (!authorization) return NO_CREDENTIAL;
  const secret = CREDENTIAL.exec(authorization)?.[1];
  const holder = secret === undefined ? undefined : keyring.find(secret);
  if (!holder) return BAD_CREDENTIAL;
  return holder.scopes.has(scope) ? holder : FORBIDDEN;
}

const CHALLENGE = 'Bearer realm="tenor"';
const NO_CREDENTIAL = refuse('unauthorized', {}, { 'WWW-Authenticate': CHALLENGE });
const BAD_CREDENTIAL = refuse(
  'unauthorized',
  {},
  { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` },
);
const FORBIDDEN = refuse('forbidden');
