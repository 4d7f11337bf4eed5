import { randomBytes } from 'node:crypto';

/** What a token may consist of, as RFC 6750 has it. */
export const TOKEN_PATTERN_SOURCE = '[A-Za-z0-9._~+/-]+=*';
export const TOKEN_PATTERN = new RegExp(`^${TOKEN_PATTERN_SOURCE}$`);

/** A new token: 256 random bits behind a prefix that leak scanners and people recognise. */
export function generateTokenSecret(): string {
  return `tenor_${randomBytes(32).toString('base64url')}`;
}

/**
 * The SHA-256 of a token, in hexadecimal. Only digests are kept and compared: how long a look-up
 * takes says nothing about a token that is not already known.
 */
export function hashTokenSecret(secret: string): string {
  return Bun.SHA256.hash(secret, 'hex');
}
