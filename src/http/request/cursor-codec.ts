import { timingSafeEqual } from 'node:crypto';
import { HttpError } from '../http-error.ts';

/**
 * The revision that all pages are read from, when it was published (0 where that is unknown), then
 * where the next page begins.
 */
export type CursorValues = readonly [
  asOf: number,
  publishedMs: number,
  ...position: (string | number)[],
];

/** Writes and reads cursors. */
export type CursorCodec = ReturnType<typeof createCursorCodec>;

const SIGNATURE_BYTES = 16;

/** The revision of a cursor whose signature is not verified; undefined where it is none. */
export function peekRevision(cursor: string): number | undefined {
  const payload = Buffer.from(cursor, 'base64url').subarray(SIGNATURE_BYTES).toString();
  const revision = /^\["[^"]*",(\d{1,10}),/.exec(payload)?.[1];
  return revision === undefined ? undefined : Number(revision);
}

/**
 * Cursors are signed, so that clients can neither make nor change one. `request` holds the other
 * parameters.
 */
export function createCursorCodec(secret: Uint8Array) {
  const hmac = new Bun.CryptoHasher('sha256', secret);
  // The prefix keeps a signature for one purpose from being valid for the other.
  const sign = (text: `${'asked' | 'cursor' | 'page'} ${string}`) =>
    hmac.copy().update(text).digest().subarray(0, SIGNATURE_BYTES);
  const fingerprint = (request: string) => sign(`asked ${request}`).toString('base64url');
  return {
    encode(request: string, values: CursorValues): string {
      const payload = JSON.stringify([fingerprint(request), ...values]);
      const bytes = Buffer.allocUnsafe(SIGNATURE_BYTES + Buffer.byteLength(payload));
      sign(`page ${payload}`).copy(bytes);
      bytes.write(payload, SIGNATURE_BYTES);
      return bytes.toString('base64url');
    },
    decode(request: string, cursor: string): CursorValues | HttpError {
      const bytes = Buffer.from(cursor, 'base64url');
      const signature = bytes.subarray(0, SIGNATURE_BYTES);
      const payload = bytes.subarray(SIGNATURE_BYTES);
      const isSignedAs = (purpose: 'cursor' | 'page') =>
        timingSafeEqual(signature, sign(`${purpose} ${payload}`));
      // Decoding skips invalid characters: only the canonical spelling is accepted.
      if (signature.length < SIGNATURE_BYTES || bytes.toString('base64url') !== cursor)
        return new HttpError('bad_cursor');
      const isDated = isSignedAs('page');
      if (!isDated && !isSignedAs('cursor')) return new HttpError('bad_cursor');
      const [requestFingerprint, asOf, ...others] = JSON.parse(payload.toString());
      if (requestFingerprint !== fingerprint(request)) return new HttpError('other_cursor');
      // Earlier versions of the program did not write when the revision was published.
      return isDated ? [asOf, ...(others as [number])] : [asOf, 0, ...others];
    },
  };
}
