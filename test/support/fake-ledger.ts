import type { LedgerKeys } from '../../src/ledger/follow-keys.ts';
import { digestLines } from '../../src/ledger/log-entry.ts';
import { formatCheckpoint, parseVerifierKey, type VerifierKey } from '../../src/ledger/note.ts';
import { createReadHash } from '../../src/ledger/read-leaves.ts';
import { type Hash, hashLeaf, hashSubtree, type ReadHash, sha256 } from '../../src/ledger/tree.ts';
import { createSigner } from '../../src/store/ledger-signer.ts';

type FakeRecord = Readonly<Record<string, string | number | null>>;

interface FakeChange {
  readonly change: 'added' | 'corrected' | 'retired';
  readonly record: FakeRecord;
}

interface SigningKey extends VerifierKey {
  readonly text: string;
  sign(text: string): Promise<string>;
}

/** A service with a log, made of nothing but its primitives; tests change what it holds or sends. */
export class FakeLedger {
  /** The texts of entries that are hashed. */
  readonly entries: string[] = [];
  /** The lines of changes, by revision. */
  readonly lines: string[][] = [];
  /** The records that exports send, by dataset. */
  readonly records: Record<string, FakeRecord[]> = {};
  readonly keys: { key: string; size: number; note: string | null }[] = [];
  /** Datasets that the token may not read. */
  readonly hidden = new Set<string>();
  /** Responses that are sent in the place of others, by path without its query. */
  readonly overrides = new Map<string, () => Response>();
  #key: SigningKey | undefined;
  /** The keys that signed before that one. */
  readonly #earlier: SigningKey[] = [];

  static async create(origin = 'fake.example/log'): Promise<FakeLedger> {
    const ledger = new FakeLedger();
    await ledger.#addKey(origin, 0, null);
    return ledger;
  }

  get key(): string {
    return this.#key?.text ?? '';
  }

  /** Publishes changes of records, which have an `id`. */
  async publish(dataset: string, ...changes: readonly FakeChange[]): Promise<void> {
    const lines = changes.map((change) => JSON.stringify(change));
    const count = (name: string) => changes.filter(({ change }) => change === name).length;
    const counts = { added: count('added'), corrected: count('corrected') };
    const entry = { revision: this.entries.length + 1, dataset, ...counts };
    const digest = await digestLines(lines);
    this.entries.push(
      JSON.stringify({ ...entry, retired: count('retired'), salt: '00', changes: digest }),
    );
    this.lines.push(lines);
    const ids = changes.map(({ record }) => record.id);
    const kept = (this.records[dataset] ?? []).filter(({ id }) => !ids.includes(id ?? null));
    const added = changes.filter(({ change }) => change !== 'retired').map(({ record }) => record);
    this.records[dataset] = [...kept, ...added];
  }

  /** Removes the newest revisions from the log, as a restored backup does. */
  truncate(size: number): void {
    this.entries.length = size;
    this.lines.length = size;
  }

  async rotateKey(): Promise<void> {
    const { name = '' } = this.#key ?? {};
    await this.#addKey(name, this.entries.length, this.#key);
  }

  /** Has the key that it had before the last one, as a server that is behind. */
  forgetKey(): void {
    this.keys.pop();
    this.#key = this.#earlier.pop();
  }

  /** Begins the log again under another name; the key of the earlier one may be lost. */
  async restart(origin: string, { isKeyLost = false } = {}): Promise<void> {
    await this.#addKey(origin, this.entries.length, isKeyLost ? null : this.#key);
  }

  async #addKey(name: string, size: number, signer: SigningKey | null | undefined) {
    if (this.#key) this.#earlier.push(this.#key);
    this.#key = await createSigningKey(name);
    const note = await signer?.sign(`tenor ledger key\n${this.key}\n${size}\n`);
    this.keys.push({ key: this.key, size, note: note ?? null });
  }

  /** A checkpoint of the first entries. */
  async sign(size = this.entries.length): Promise<string> {
    const { name: origin = '' } = this.#key ?? {};
    const root = await hashSubtree(0, size, await this.#readHashes());
    return (await this.#key?.sign(formatCheckpoint({ origin, size, root }))) ?? '';
  }

  /** A note of some text, without its last newline. */
  async signText(text: string): Promise<string> {
    return (await this.#key?.sign(`${text}\n`)) ?? '';
  }

  async #readHashes(): Promise<ReadHash> {
    return createReadHash(await this.hashLeaves());
  }

  hashLeaves(): Promise<Hash[]> {
    const hash = async (entry: string) => hashLeaf(await sha256(new TextEncoder().encode(entry)));
    return Promise.all(this.entries.map(hash));
  }

  /** The `fetch` of a client. */
  readonly fetch = async (target: string): Promise<Response> => {
    const { pathname, searchParams } = new URL(target);
    const override = this.overrides.get(pathname);
    if (override) return override();
    const [, part = '', name = '', ...rest] = pathname.split('/');
    const { length: size } = this.entries;
    if (part === 'ledger' && name === 'checkpoint')
      return size === 0 ? notFound() : new Response(await this.sign(), { headers: TEXT });
    if (part === 'ledger' && name === 'keys') return ok(await this.#describeKeys());
    if (part === 'ledger' && name === 'tile') return this.#sendTile(rest);
    if (part === 'ledger' && name === 'entries') return this.#sendEntry(Number(rest[0]));
    if (part === 'catalogue')
      return ok(
        Object.keys(this.records).flatMap((each) => (this.hidden.has(each) ? [] : { name: each })),
      );
    if (part === 'changes') return ndjson(this.lines[Number(searchParams.get('until')) - 1]);
    if (part === 'exports')
      return ndjson(this.records[name.slice(0, -7)]?.map((record) => JSON.stringify(record)));
    return notFound();
  };

  async #describeKeys(): Promise<LedgerKeys> {
    return { origin: this.#key?.name ?? '', key: this.key, keys: this.keys };
  }

  async #sendTile([level, index, width]: readonly string[]): Promise<Response> {
    const first = Number(index?.replace('.p', '')) * 256;
    const leaves = (await this.hashLeaves()).slice(first, first + Number(width ?? 256));
    if (level !== '0' || leaves.length !== Number(width ?? 256)) return notFound();
    return new Response(await new Blob(leaves).arrayBuffer(), { headers: BYTES });
  }

  #sendEntry(revision: number): Response {
    const entry = this.entries[revision - 1];
    if (entry === undefined) return notFound();
    if (this.hidden.has(JSON.parse(entry).dataset)) return errorResponse(403, 'forbidden');
    return new Response(entry, { headers: { 'content-type': 'application/json' } });
  }
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const BYTES = { 'content-type': 'application/octet-stream' };

const ok = (data: unknown) => Response.json({ status: 'ok', data });

function ndjson(lines: readonly string[] = []): Response {
  const headers = { 'content-type': 'application/x-ndjson' };
  return new Response(lines.map((line) => `${line}\n`).join(''), { headers });
}

export function errorResponse(status: number, message: string): Response {
  return Response.json({ status: 'error', message }, { status });
}

const notFound = () => errorResponse(404, 'not_found');

async function createSigningKey(name: string): Promise<SigningKey> {
  const { key: text, signNote } = createSigner(name);
  const key = await parseVerifierKey(text);
  if (!key) throw new Error(`${text} is no verifier key`);
  return { ...key, text, sign: async (note) => signNote(note) };
}
