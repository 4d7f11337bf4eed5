import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
/** What comes before the 32 bytes of an Ed25519 key: a private one in PKCS #8, a public one in SPKI. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A key for one purpose, from which neither the secret nor the key for another follows. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return new Bun.CryptoHasher('sha256', secret).update(`key for ${purpose}`).digest();
}

/** The private key of Ed25519 with that seed. */
export function createSigningKey(seed: Uint8Array): KeyObject {
  const key = Buffer.concat([PKCS8_PREFIX, seed]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The 32 bytes by which others verify what a private key of Ed25519 signs. */
export function exportVerifyingKey(privateKey: KeyObject): Buffer {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return der.subarray(-KEY_BYTES);
}

/** The public key of Ed25519 with those 32 bytes. */
export function importVerifyingKey(bytes: Uint8Array): KeyObject {
  const key = Buffer.concat([SPKI_PREFIX, bytes]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}
