import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { encodeBase64 } from '../ledger/note.ts';
import { createSigningKey, exportVerifyingKey } from '../shared/derive-key.ts';
import type { LedgerKey } from './ledger.ts';

/*
 * A private key as signed notes have it, `PRIVATE+KEY+name+id+key`, which other programs can use.
 * Everything here is synchronous: within a transaction nothing waits for another thread.
 */

export interface LedgerSigner {
  /** For verifiers: `name+id+key`. */
  readonly key: string;
  /** The private key, as a line of text. */
  readonly line: string;
  readonly name: string;
  /** A note of some text, which ends with a newline, with the signature. */
  signNote(text: string): string;
}

const LINE_PREFIX = 'PRIVATE+KEY+';
const ED25519 = new Uint8Array([1]);
const KEY_BYTES = 32;

export function createSigner(name: string): LedgerSigner {
  return toSigner(name, generateKeyPairSync('ed25519').privateKey);
}

/** Undefined if the line is no private key. */
export function parseSigner(line: string): LedgerSigner | undefined {
  const [, name, encoded = ''] = /^PRIVATE\+KEY\+([^\s+]+)\+[0-9a-f]{8}\+(\S+)$/.exec(line) ?? [];
  const seed = Buffer.from(encoded, 'base64').subarray(1);
  if (name === undefined || seed.length !== KEY_BYTES) return undefined;
  const signer = toSigner(name, createSigningKey(seed));
  return signer.line === line ? signer : undefined;
}

/** Whether a line is that of a key, by its name and id alone. */
export function isLineOf(line: string, key: string): boolean {
  const [name, id] = key.split('+');
  return line.startsWith(`${LINE_PREFIX}${name}+${id}+`);
}

/** The keys up to the one that signed a note, by its id: a follower knows later ones before it is there. */
export function selectSigningKeys(keys: readonly LedgerKey[], note = ''): readonly LedgerKey[] {
  const isSigner = ({ key }: LedgerKey) => {
    const [name, id = ''] = key.split('+');
    const [, signature = ''] = note.split(`\n— ${name} `);
    return Buffer.from(signature, 'base64').toString('hex').startsWith(id);
  };
  const last = keys.findLastIndex(isSigner);
  // All of them, if it is signed by none: verifiers find out.
  return last < 0 ? keys : keys.slice(0, last + 1);
}

function toSigner(name: string, privateKey: KeyObject): LedgerSigner {
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  const publicKey = Buffer.concat([ED25519, exportVerifyingKey(privateKey)]);
  const hasher = new Bun.CryptoHasher('sha256').update(`${name}\n`).update(publicKey);
  const id = hasher.digest().subarray(0, 4);
  const prefix = `${name}+${id.toString('hex')}+`;
  return {
    name,
    key: prefix + encodeBase64(publicKey),
    line: LINE_PREFIX + prefix + encodeBase64(Buffer.concat([ED25519, seed])),
    signNote(text) {
      const signature = sign(null, Buffer.from(text), privateKey);
      return `${text}\n— ${name} ${encodeBase64(Buffer.concat([id, signature]))}\n`;
    },
  };
}
