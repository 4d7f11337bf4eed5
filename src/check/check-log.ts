import type { Dataset } from '../catalogue/model/dataset.ts';
import { type Checkpoint, openNote, parseCheckpoint, parseVerifierKey } from '../ledger/note.ts';
import { type Hash, hashLeaf, hashNode, hashSubtree, isSameHash } from '../ledger/tree.ts';
import { getStorageTable } from '../schema/storage-table.ts';
import { ChangeDigest } from '../store/change-lines.ts';
import type { LedgerKey } from '../store/ledger.ts';
import { selectSigningKeys } from '../store/ledger-signer.ts';
import type { StoredRow, StoreInspector } from '../store/open-store.ts';
import { getSealedText } from '../store/sealed-text.ts';
import type { ReportFault } from './check-ledger.ts';

/** What each revision changed, by rows that come in the order of their keys, and then by age. */
export class StoredChanges {
  readonly #digests = new Map<number, ChangeDigest>();
  #last: { dataset: Dataset; key: string; text: string; until: number | null } | undefined;

  add(dataset: Dataset, key: string, row: StoredRow): void {
    const text = getSealedText(getStorageTable(dataset), row);
    const { since, until } = row;
    const isSuccessor =
      this.#last?.dataset === dataset && this.#last.key === key && this.#last.until === since;
    const old = isSuccessor ? (this.#last?.text ?? null) : null;
    if (!isSuccessor) this.#addRetirement();
    this.#add(dataset, since, { old, new: text });
    this.#last = { dataset, key, text, until };
  }

  /** The digest of what a revision changed, once all rows were added. */
  getDigest(dataset: Dataset, revision: number): string {
    this.#addRetirement();
    return (this.#digests.get(revision) ?? new ChangeDigest(dataset)).hex;
  }

  #addRetirement(): void {
    if (this.#last?.until)
      this.#add(this.#last.dataset, this.#last.until, { old: this.#last.text, new: null });
    this.#last = undefined;
  }

  #add(dataset: Dataset, revision: number, change: Parameters<ChangeDigest['add']>[0]): void {
    const digest = this.#digests.get(revision) ?? new ChangeDigest(dataset);
    this.#digests.set(revision, digest);
    try {
      digest.add(change);
    } catch (cause) {
      // A text that is no JSON is a fault of its record, and then the digest is another one.
      if (!(cause instanceof SyntaxError)) throw cause;
    }
  }
}

/** Compares the log of the ledger with what is stored. */
export async function checkLog(
  inspector: StoreInspector,
  checkedRevision: number,
  changes: StoredChanges,
  findDataset: (name: string) => Dataset | undefined,
  reportFault: ReportFault,
): Promise<void> {
  const { note, keys, checkpoint, leaves } = await readLog(inspector);
  const newestKey = selectSigningKeys(keys, note).at(-1)?.key;
  if (note === undefined && newestKey === undefined)
    return checkedRevision === 0 ? undefined : reportFault('ledger: its log is gone', []);
  const key = await parseVerifierKey(newestKey ?? '');
  const isSigned = key && (await openNote(note ?? '', key)) !== undefined;
  if (!isSigned) reportFault('ledger: its checkpoint is not signed by its key', []);
  if (!checkpoint) return;
  const { size } = checkpoint;
  for (let revision = 1; revision <= size; revision++) {
    const entry = await inspector.logEntry(revision);
    // Of a revision that may not be read where it is followed, there is only the digest.
    const { dataset: name, changes: digest } = JSON.parse(entry?.text ?? '{}');
    if (!entry || !isStored(await hashLeaf(entry.digest), leaves[revision - 1]))
      reportFault(`revision ${revision}: the ledger does not say what its log has`, []);
    // What was published since is not among the changes.
    const dataset = revision <= checkedRevision && findDataset(name);
    if (dataset && changes.getDigest(dataset, revision) !== digest)
      reportFault(`revision ${revision}: its records are not those whose digest the log has`, [
        name,
      ]);
  }
  const levels = [leaves.slice(0, size)];
  for (let below = levels[0] ?? []; below.length > 1; ) {
    const stored = await inspector.treeHashes(levels.length, 0, below.length >> 1);
    below = await hashPairs(below);
    if (!below.every((hash, position) => isStored(hash, stored[position])))
      reportFault(`ledger: hashes of level ${levels.length} of its log are not those below`, []);
    levels.push(below);
  }
  const readHash = (level: number, position: number) =>
    levels[level]?.[position] ?? new Uint8Array();
  const root = await hashSubtree(0, size, readHash);
  if (leaves.length > size || !isSameHash(root, checkpoint.root))
    reportFault('ledger: its checkpoint is of another log', []);
}

interface StoredLog {
  readonly note: string | undefined;
  readonly keys: readonly LedgerKey[];
  readonly checkpoint: Checkpoint | undefined;
  readonly leaves: readonly Hash[];
}

/** All of one revision, although another one may be published meanwhile. */
async function readLog(inspector: StoreInspector): Promise<StoredLog> {
  const note = await inspector.checkpoint();
  const keys = await inspector.ledgerKeys();
  const checkpoint = parseCheckpoint(note ?? '');
  // One more than it should have, if it is of an earlier revision than the newest.
  const leaves = await inspector.treeHashes(0, 0, (checkpoint?.size ?? 0) + 1);
  const isSame = note === (await inspector.checkpoint());
  return isSame ? { note, keys, checkpoint, leaves } : readLog(inspector);
}

/** The hashes of the level above. */
function hashPairs(hashes: readonly Hash[]): Promise<Hash[]> {
  const pairs = Array.from({ length: hashes.length >> 1 }, (_, position) => 2 * position);
  return Promise.all(pairs.map((left) => hashNode(hashes[left] as Hash, hashes[left + 1] as Hash)));
}

function isStored(hash: Hash, stored: Hash | undefined): boolean {
  return stored !== undefined && isSameHash(hash, stored);
}
