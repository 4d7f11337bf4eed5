import { timingSafeEqual } from 'node:crypto';

/** What an address that a token has signed gives, and until when. */
export interface SignedLink {
  readonly tokenId: string;
  readonly expiresAtMs: number;
  readonly target: string;
}

/** Before what is signed, in the place of a secret, none of which begins so. */
const SIGNED_PREFIX = 'signed.';
const SIGNED_PATTERN = /^signed\.([\w-]+)\.([\w-]{43})$/;

/** Signs the addresses that tokens make, and reads them. */
export type LinkCodec = ReturnType<typeof createLinkCodec>;

export function createLinkCodec(secret: Uint8Array) {
  const hmac = new Bun.CryptoHasher('sha256', secret);
  // The prefix keeps a signature for one purpose from being valid for another.
  const sign = (payload: string) => hmac.copy().update(`link ${payload}`).digest('base64url');
  return {
    encode({ tokenId, expiresAtMs, target }: SignedLink): string {
      const values = [tokenId, expiresAtMs, target];
      const payload = Buffer.from(JSON.stringify(values)).toString('base64url');
      return `${SIGNED_PREFIX}${payload}.${sign(payload)}`;
    },
    /** Undefined if it was not made here. */
    decode(text: string): SignedLink | undefined {
      const [, payload, signature] = SIGNED_PATTERN.exec(text) ?? [];
      if (payload === undefined || signature === undefined) return undefined;
      // Compared as text, since decoding skips bits that mean nothing.
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(payload)))) return undefined;
      const json = Buffer.from(payload, 'base64url').toString();
      const [tokenId, expiresAtMs, target] = JSON.parse(json);
      return { tokenId, expiresAtMs, target };
    },
  };
}

/** Whether the text is that of a signed link, not the secret of one that is stored. */
export function isSignedLink(text: string): boolean {
  return text.startsWith(SIGNED_PREFIX);
}
