import type { Awaitable } from '../../shared/awaitable.ts';
import { system } from '../../shared/system.ts';
import type { HttpResponse } from './response.ts';

/** RFC 9530: the digest of the bytes of a representation, in its content encoding. */
export const REPR_DIGEST = 'Repr-Digest';

/** Hashing so many bytes takes less than a millisecond. */
const MAX_SLICE_BYTES = 262_144;

/** Adds the digest of its body to a response; a large one lets other requests run in between. */
export function withReprDigest(response: HttpResponse): Awaitable<HttpResponse> {
  const { body, headers } = response;
  const hash = new Bun.CryptoHasher('sha256');
  const setHeader = () => {
    headers.set(REPR_DIGEST, formatReprDigest(hash));
    return response;
  };
  if (body instanceof Blob && body.size > MAX_SLICE_BYTES)
    return hashSlices(hash, body).then(setHeader);
  hash.update(body ?? '');
  return setHeader();
}

async function hashSlices(hash: Bun.CryptoHasher, body: Blob): Promise<void> {
  for (let from = 0; from < body.size; from += MAX_SLICE_BYTES) {
    hash.update(body.slice(from, from + MAX_SLICE_BYTES));
    await system.nextTurn();
  }
}

/** The value of the header for what was hashed. */
export function formatReprDigest(hash: Bun.CryptoHasher): string {
  return `sha-256=:${hash.digest('base64')}:`;
}
