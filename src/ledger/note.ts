import { type Hash, isSameHash, sha256 } from './tree.ts';

/*
 * Signed notes and checkpoints, by C2SP: a text, an empty line, and a line for each signature. A
 * verifier key is `name+id+key`: the id in hexadecimal, the key in base64 after the byte of Ed25519.
 */

const ED25519 = 1;
const SIGNATURE_PREFIX = '— ';

export interface VerifierKey {
  readonly name: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

/** The state of a log: its name, how many entries it has, and the hash over all of them. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

/** The first bytes of a signature, which tell by which key it is. */
async function computeKeyId({ name, publicKey }: VerifierKey): Promise<Uint8Array> {
  const label = new TextEncoder().encode(`${name}\n`);
  return (await sha256(label, new Uint8Array([ED25519]), publicKey)).slice(0, 4);
}

export async function formatVerifierKey(key: VerifierKey): Promise<string> {
  const id = [...(await computeKeyId(key))].map((byte) => byte.toString(16).padStart(2, '0'));
  return `${key.name}+${id.join('')}+${encodeBase64([ED25519, ...key.publicKey])}`;
}

/** Undefined if the text is no verifier key, or its id is of another one. */
export async function parseVerifierKey(text: string): Promise<VerifierKey | undefined> {
  const [, name, encoded] = /^([^\s+]+)\+[0-9a-f]{8}\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const bytes = decodeBase64(encoded ?? '');
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== ED25519) return undefined;
  const key = { name, publicKey: bytes.slice(1) };
  return (await formatVerifierKey(key)) === text ? key : undefined;
}

/** The text of a note; undefined if it has no valid signature by the key. */
export async function openNote(note: string, key: VerifierKey): Promise<string | undefined> {
  const end = note.lastIndexOf('\n\n') + 1;
  if (end === 0 || !note.endsWith('\n')) return undefined;
  const text = note.slice(0, end);
  const prefix = `${SIGNATURE_PREFIX}${key.name} `;
  const lines = note.slice(end + 1, -1).split('\n');
  for (const line of lines.filter((each) => each.startsWith(prefix))) {
    const bytes = decodeBase64(line.slice(prefix.length));
    if (bytes && isSameHash(bytes.slice(0, 4), await computeKeyId(key)))
      return (await isSignedBy(key, bytes.slice(4), text)) ? text : undefined;
  }
  return undefined;
}

async function isSignedBy(
  { publicKey }: VerifierKey,
  signature: Uint8Array<ArrayBuffer>,
  text: string,
) {
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature, new TextEncoder().encode(text));
}

export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${encodeBase64(root)}\n`;
}

export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', size = '', hash = ''] = text.split('\n');
  const root = decodeBase64(hash);
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || root?.length !== 32) return undefined;
  return { origin, size: Number(size), root };
}

export function encodeBase64(bytes: Iterable<number>): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Undefined if the text is no base64, as it is written here. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return encodeBase64(bytes) === text ? bytes : undefined;
}
