import { timingSafeEqual } from 'node:crypto';
import { HttpError } from '../http-error.ts';

/**
 * The revision that all pages are read from, when it was published (0 if that is unknown), then
 * where the next page begins.
 */
export type CursorValues = readonly [
  asOf: number,
  publishedMs: number,
  ...position: (string | number)[],
];

export type CursorCodec = ReturnType<typeof createCursorCodec>;

const SIGNATURE_BYTES = 16;

/** The revision of all pages, and when it was published; 0 if the cursor does not say. */
export interface CursorRevision {
  readonly revision: number;
  readonly publishedMs: number;
}

/**
 * Cursors are signed, so that clients can neither make nor change one. `request` holds the other
 * parameters.
 */
export function createCursorCodec(secret: Uint8Array) {
  const hmac = new Bun.CryptoHasher('sha256', secret);
  // The prefix keeps a signature for one purpose from being valid for the other.
  const sign = (text: `${'asked' | 'page'} ${string}`) =>
    hmac.copy().update(text).digest().subarray(0, SIGNATURE_BYTES);
  const fingerprint = (request: string) => sign(`asked ${request}`).toString('base64url');
  const verify = (cursor: string): readonly [string, ...CursorValues] | undefined => {
    const bytes = Buffer.from(cursor, 'base64url');
    const signature = bytes.subarray(0, SIGNATURE_BYTES);
    const payload = bytes.subarray(SIGNATURE_BYTES);
    // Decoding skips invalid characters: only the canonical spelling is accepted.
    if (signature.length < SIGNATURE_BYTES || bytes.toString('base64url') !== cursor)
      return undefined;
    const isSigned = timingSafeEqual(signature, sign(`page ${payload}`));
    return isSigned ? JSON.parse(payload.toString()) : undefined;
  };
  return {
    encode(request: string, values: CursorValues): string {
      const payload = JSON.stringify([fingerprint(request), ...values]);
      const bytes = Buffer.allocUnsafe(SIGNATURE_BYTES + Buffer.byteLength(payload));
      sign(`page ${payload}`).copy(bytes);
      bytes.write(payload, SIGNATURE_BYTES);
      return bytes.toString('base64url');
    },
    decode(request: string, cursor: string): CursorValues | HttpError {
      const decoded = verify(cursor);
      if (!decoded) return new HttpError('bad_cursor');
      const [requestFingerprint, ...values] = decoded;
      return requestFingerprint === fingerprint(request) ? values : new HttpError('other_cursor');
    },
    /** The revision of a cursor, of whatever request; undefined if it was not made here. */
    readRevision(cursor: string): CursorRevision | undefined {
      const [, revision, publishedMs] = verify(cursor) ?? [];
      return revision === undefined || publishedMs === undefined
        ? undefined
        : { revision, publishedMs };
    },
  };
}
