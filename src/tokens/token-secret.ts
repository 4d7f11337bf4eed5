import { randomBytes } from 'node:crypto';

/** The syntax of a token in RFC 6750. */
export const TOKEN_PATTERN_SOURCE = '[A-Za-z0-9._~+/-]+=*';
export const TOKEN_PATTERN = new RegExp(`^${TOKEN_PATTERN_SOURCE}$`);

/** A new token: 256 random bits after a prefix that leak scanners and people recognise. */
export function generateTokenSecret(): string {
  return `tenor_${randomBytes(32).toString('base64url')}`;
}

export function generateLinkSecret(): string {
  return `tenor_link_${randomBytes(32).toString('base64url')}`;
}

const ISSUED_CREDENTIAL = /^(?:link tenor_link_|tenor_)[\w-]{43}$/;

/** Whether a credential has the form of those that the commands issue. */
export function isIssuedCredential(credential: string): boolean {
  return ISSUED_CREDENTIAL.test(credential);
}

/** Only digests are stored and compared, so the time of a lookup reveals nothing about a token. */
export function hashTokenSecret(secret: string): string {
  return Bun.SHA256.hash(secret, 'hex');
}

/** No token has a space, so the secret of a link is not one, even to versions without links. */
export function toLinkCredential(secret: string): string {
  return `link ${secret}`;
}
