import { decodeBase64, parseCheckpoint } from '../../src/ledger/note.ts';
import { type Hash, hashLeaf, sha256 } from '../../src/ledger/tree.ts';
import { findLink } from './follow-links.ts';
import { computeConsistentRoots, computeIncludedRoot } from './tree-proofs.ts';

type Get = (target: string) => Promise<Response>;

/** The size and root of the log, as its checkpoint has them. */
export async function readCheckpoint(get: Get) {
  const note = await (await get('/ledger/checkpoint')).text();
  return { ...assertDecoded(parseCheckpoint(note)), note };
}

/** The proof of a revision, with hashes as bytes. */
export async function readProof(get: Get, revision: number, from?: number) {
  const query = from === undefined ? '' : `?from=${from}`;
  const response = await get(`/ledger/proof/${revision}${query}`);
  const { data } = JSON.parse(await response.text());
  const decode = (text: string): Hash => assertDecoded(decodeBase64(text));
  return {
    checkpoint: assertDecoded(parseCheckpoint(data.checkpoint)),
    entry: decode(data.entry),
    inclusion: (data.inclusion as string[]).map(decode),
    consistency: (data.consistency as string[] | undefined)?.map(decode),
  };
}

/** The roots that the proof of a revision leads to; those of an earlier size, too, where it is given. */
export async function computeProvenRoots(get: Get, revision: number, earlier?: EarlierLog) {
  const proof = await readProof(get, revision, earlier?.size);
  const { size } = proof.checkpoint;
  const leaf = await hashLeaf(proof.entry);
  const included = await computeIncludedRoot(revision - 1, size, leaf, proof.inclusion);
  if (!earlier) return [included];
  const { consistency = [] } = proof;
  const roots = await computeConsistentRoots(earlier.size, size, earlier.root, consistency);
  return [included, ...roots];
}

export interface EarlierLog {
  readonly size: number;
  readonly root: Hash;
}

/** The entry of a revision, its digest, and the digest of its changes by the lines that are served. */
export async function readEntry(get: Get, revision: number, limit = 10_000) {
  const text = await (await get(`/ledger/entries/${revision}`)).text();
  const entry = JSON.parse(text);
  const range = `since=${revision - 1}&until=${revision}&as_of=${revision}`;
  const target = `/changes/${entry.dataset}?${range}&as_stored=true&format=ndjson&limit=${limit}`;
  const digests: Uint8Array[] = [];
  for (let next: string | undefined = target; next !== undefined; ) {
    const response: Response = await get(next);
    if (response.status !== 200) throw new Error(`${next} gave ${await response.text()}`);
    const lines = (await response.text()).split('\n').slice(0, -1);
    digests.push(...lines.map((line) => Bun.SHA256.hash(line) as Uint8Array));
    next = findLink(response.headers, 'next');
  }
  const hash = new Bun.CryptoHasher('sha256');
  for (const digest of digests.toSorted(Buffer.compare)) hash.update(digest);
  return { entry, digest: await sha256(Buffer.from(text)), changes: hash.digest('hex') };
}

function assertDecoded<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it cannot be decoded');
  return value;
}
