import { timingSafeEqual } from 'node:crypto';
import { HttpError } from '../http-error.ts';

/** The revision that all pages are read from, then where the next page begins. */
export type CursorValues = readonly [asOf: number, ...position: (string | number)[]];

/** Writes and reads cursors. */
export type CursorCodec = ReturnType<typeof createCursorCodec>;

const SIGNATURE_BYTES = 16;

/**
 * Cursors are signed, so that clients can neither make nor change one. `request` holds the other
 * parameters.
 */
export function createCursorCodec(secret: Uint8Array) {
  const hmac = new Bun.CryptoHasher('sha256', secret);
  // The prefix keeps a signature for one purpose from being valid for the other.
  const sign = (text: `${'asked' | 'cursor'} ${string}`) =>
    hmac.copy().update(text).digest().subarray(0, SIGNATURE_BYTES);
  const fingerprint = (request: string) => sign(`asked ${request}`).toString('base64url');
  return {
    encode(request: string, values: CursorValues): string {
      const payload = JSON.stringify([fingerprint(request), ...values]);
      const bytes = Buffer.allocUnsafe(SIGNATURE_BYTES + Buffer.byteLength(payload));
      sign(`cursor ${payload}`).copy(bytes);
      bytes.write(payload, SIGNATURE_BYTES);
      return bytes.toString('base64url');
    },
    decode(request: string, cursor: string): CursorValues | HttpError {
      const bytes = Buffer.from(cursor, 'base64url');
      const signature = bytes.subarray(0, SIGNATURE_BYTES);
      const payload = bytes.subarray(SIGNATURE_BYTES);
      // Decoding skips invalid characters: only the canonical spelling is accepted.
      const isValid =
        signature.length === SIGNATURE_BYTES &&
        timingSafeEqual(signature, sign(`cursor ${payload}`)) &&
        bytes.toString('base64url') === cursor;
      if (!isValid) return new HttpError('bad_cursor');
      const [requestFingerprint, ...values] = JSON.parse(payload.toString());
      return requestFingerprint === fingerprint(request)
        ? (values as unknown as CursorValues)
        : new HttpError('other_cursor');
    },
  };
}
