import { timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../shared/derive-key.ts';
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
 * Cursors are signed, so that clients can neither make nor change one. All servers that are fed by one
 * source sign them with its key. `request` holds the other parameters.
 */
export function createCursorCodec(secret: Uint8Array) {
  const own = createSigner(deriveKey(secret, 'cursors'));
  // Cursors of 1.0 are signed with the secret itself.
  const accepted = [own, createSigner(secret)];
  let signer = own;
  const verify = (cursor: string) => {
    const bytes = Buffer.from(cursor, 'base64url');
    // Decoding skips invalid characters: only the canonical spelling is accepted.
    if (bytes.length < SIGNATURE_BYTES || bytes.toString('base64url') !== cursor) return undefined;
    const candidates = signer === own ? accepted : [signer, ...accepted];
    const signedBy = candidates.find((candidate) => candidate.hasSigned(bytes));
    const payload = signedBy && parsePayload(bytes.subarray(SIGNATURE_BYTES).toString());
    return payload && { payload, fingerprint: signedBy.fingerprint };
  };
  return {
    /** The key that signs. Its holder can make cursors, which are for nothing that its token may not read. */
    get key(): Uint8Array {
      return signer.key;
    },
    /** Signs with the key of the source from now on; without one with that of this server. */
    useSourceKey(key: Uint8Array | undefined): void {
      signer = key && !Buffer.from(own.key).equals(key) ? createSigner(key) : own;
    },
    encode(request: string, values: CursorValues): string {
      const payload = JSON.stringify([signer.fingerprint(request), ...values]);
      const bytes = Buffer.allocUnsafe(SIGNATURE_BYTES + Buffer.byteLength(payload));
      signer.sign(`page ${payload}`).copy(bytes);
      bytes.write(payload, SIGNATURE_BYTES);
      return bytes.toString('base64url');
    },
    decode(request: string, cursor: string): CursorValues | HttpError {
      const verified = verify(cursor);
      if (!verified) return new HttpError('bad_cursor');
      const [requestFingerprint, ...values] = verified.payload;
      const isSame = requestFingerprint === verified.fingerprint(request);
      return isSame ? values : new HttpError('other_cursor');
    },
    /** The revision of a cursor, of whatever request; undefined if it was not made here. */
    readRevision(cursor: string): CursorRevision | undefined {
      const [, revision, publishedMs] = verify(cursor)?.payload ?? [];
      return revision === undefined || publishedMs === undefined
        ? undefined
        : { revision, publishedMs };
    },
  };
}

function createSigner(key: Uint8Array) {
  const hmac = new Bun.CryptoHasher('sha256', key);
  // The prefix keeps a signature for one purpose from being valid for the other.
  const sign = (text: `${'asked' | 'page'} ${string}`) =>
    hmac.copy().update(text).digest().subarray(0, SIGNATURE_BYTES);
  return {
    key,
    sign,
    fingerprint: (request: string) => sign(`asked ${request}`).toString('base64url'),
    hasSigned: (bytes: Buffer) =>
      timingSafeEqual(
        bytes.subarray(0, SIGNATURE_BYTES),
        sign(`page ${bytes.subarray(SIGNATURE_BYTES)}`),
      ),
  };
}

/** Undefined if no server has made it: followers have the key as well. */
function parsePayload(json: string): readonly [string, ...CursorValues] | undefined {
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) && values.every(isScalar) ? (values as never) : undefined;
  } catch {
    return undefined;
  }
}

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';
