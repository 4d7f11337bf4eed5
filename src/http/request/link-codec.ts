import { type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto';
import {
  createSigningKey,
  deriveKey,
  exportVerifyingKey,
  importVerifyingKey,
} from '../../shared/derive-key.ts';

/** What an address that a token has signed gives, and until when. */
export interface SignedLink {
  readonly tokenId: string;
  readonly expiresAtMs: number;
  readonly target: string;
}

/** A link whose signature is still to be verified. */
export interface UnverifiedLink extends SignedLink {
  readonly payload: string;
  readonly signature: string;
}

/** Before what is signed, in the place of a secret, none of which begins so. */
const SIGNED_PREFIX = 'signed.';
const SIGNED_PATTERN = /^signed\.([\w-]+)\.([\w-]{86}|[\w-]{43})$/;

/** Signs the addresses that tokens make, and verifies them. */
export type LinkCodec = ReturnType<typeof createLinkCodec>;

/** Followers verify by a public key, since who can verify by the secret can sign as well. */
export function createLinkCodec(secret: Uint8Array) {
  const privateKey = createSigningKey(deriveKey(secret, 'links'));
  const ownKey = exportVerifyingKey(privateKey);
  const ownVerifier = importVerifyingKey(ownKey);
  let sourceKeys: readonly Uint8Array[] = [];
  let sourceVerifiers: readonly KeyObject[] = [];
  return {
    /** The keys by which the links of all tokens are verified that are valid here. */
    get verifyingKeys(): readonly Uint8Array[] {
      return [...sourceKeys, ownKey];
    },
    /** Verifies links of tokens of the source by its keys from now on. */
    useSourceKeys(keys: readonly Uint8Array[]): void {
      sourceKeys = keys;
      sourceVerifiers = keys.map(importVerifyingKey);
    },
    encode({ tokenId, expiresAtMs, target }: SignedLink): string {
      const values = [tokenId, expiresAtMs, target];
      const payload = Buffer.from(JSON.stringify(values)).toString('base64url');
      const signature = sign(null, toSignedBytes(payload), privateKey);
      return `${SIGNED_PREFIX}${payload}.${signature.toString('base64url')}`;
    },
    /** Undefined if it has another form than signed links. */
    parse(text: string): UnverifiedLink | undefined {
      const [, payload, signature] = SIGNED_PATTERN.exec(text) ?? [];
      if (payload === undefined || signature === undefined) return undefined;
      try {
        const values = JSON.parse(Buffer.from(payload, 'base64url').toString());
        const [tokenId, expiresAtMs, target] = values;
        return { tokenId, expiresAtMs, target, payload, signature };
      } catch {
        return undefined;
      }
    },
    /** Whether it was signed for a token, where the token was made. */
    isSigned({ payload, signature }: UnverifiedLink, isTokenOfSource: boolean): boolean {
      const bytes = Buffer.from(signature, 'base64url');
      // Decoding skips bits that mean nothing.
      if (bytes.toString('base64url') !== signature) return false;
      const isLegacy = bytes.length === LEGACY_BYTES;
      if (isLegacy) return !isTokenOfSource && isSignedBySecret(secret, payload, bytes);
      const verifiers = isTokenOfSource ? sourceVerifiers : [ownVerifier];
      return verifiers.some((key) => verify(null, toSignedBytes(payload), key, bytes));
    },
  };
}

// The prefix keeps a signature for one purpose from being valid for another.
const toSignedBytes = (payload: string) => Buffer.from(`link ${payload}`);

const LEGACY_BYTES = 32;

/** Links of 1.0 are signed by the secret itself, so that no follower can verify them. */
function isSignedBySecret(secret: Uint8Array, payload: string, signature: Buffer): boolean {
  const hmac = new Bun.CryptoHasher('sha256', secret).update(`link ${payload}`);
  return timingSafeEqual(hmac.digest(), signature);
}

/** Whether the text is that of a signed link, not the secret of one that is stored. */
export function isSignedLink(text: string): boolean {
  return text.startsWith(SIGNED_PREFIX);
}
