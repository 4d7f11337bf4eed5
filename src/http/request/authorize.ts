import type { Holder, Keyring } from '../../tokens/keyring.ts';
import { TOKEN_GRAMMAR } from '../../tokens/secret.ts';
import type { Refusal } from '../failures.ts';
import { refuse } from '../failures.ts';
import type { Guesses } from '../limits/guesses.ts';
import { tooMany } from '../limits/rate-limit.ts';

/** The scheme in any letter case, one space, one token. Two headers arrive joined by a comma. */
const CREDENTIAL = new RegExp(`^bearer (${TOKEN_GRAMMAR})$`, 'i');

/**
 * Who sends the request, if their token is accepted. Wrong ones are counted by address; that never
 * stands in the way of a right one, which is looked for first.
 */
export function authorize(
  authorization: string | null,
  { keyring, guesses }: { readonly keyring: Keyring; readonly guesses: Guesses },
  addressOf: () => string,
): Holder | Refusal {
  if (!authorization) return NO_CREDENTIAL;
  const secret = CREDENTIAL.exec(authorization)?.[1];
  const holder = secret === undefined ? undefined : keyring.find(secret);
  if (holder) return holder;
  const bucket = guesses(addressOf());
  return bucket.take() ? BAD_CREDENTIAL : tooMany(bucket);
}

const CHALLENGE = 'Bearer realm="tenor"';
const NO_CREDENTIAL = refuse('unauthorized', {}, { 'WWW-Authenticate': CHALLENGE });
const BAD_CREDENTIAL = refuse(
  'unauthorized',
  {},
  { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` },
);
