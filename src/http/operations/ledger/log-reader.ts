import { parseCheckpoint } from '../../../../clients/typescript/src/ledger/note.ts';
import {
  type Hash,
  proveConsistency,
  proveInclusion,
  sha256,
} from '../../../../clients/typescript/src/ledger/tree.ts';
import { createBoundedMap, memoizeAsync } from '../../../shared/memoize.ts';
import { system } from '../../../shared/system.ts';
import { type StoreReader, StoreUnavailableError } from '../../../store/open-store.ts';
import { TILE_WIDTH, type Tile } from './parse-tile-path.ts';

/** Of 8 kilobytes each. */
const MAX_KEPT_TILES = 64;
const MAX_KEPT_HASHES = 4_096;

/** A checkpoint, and how many entries it is of. */
export interface SizedCheckpoint {
  readonly note: string;
  readonly size: number;
}

type LogQueries = Pick<StoreReader, 'checkpoint' | 'treeHashes' | 'ledgerKeys' | 'logEntry'>;

/**
 * Reads the log for clients that anybody can be: one look at a time for the newest checkpoint and
 * keys, however many ask; hashes of full subtrees and digests of entries, which never change, are kept.
 */
export class LogReader {
  readonly #tiles = createBoundedMap<string, Uint8Array<ArrayBuffer>>(MAX_KEPT_TILES);
  /** Undefined where there is no log. Never older than the call: a client may have a newer one. */
  readonly checkpoint: () => Promise<SizedCheckpoint | undefined>;
  readonly keys: LogQueries['ledgerKeys'];
  /** The digest of the entry of a revision, which is in the log. */
  readonly entry: (revision: number) => Promise<Hash>;
  readonly #readHash: (level: number, position: number) => Promise<Hash>;

  constructor(private readonly reader: LogQueries) {
    this.checkpoint = shareNextCall(async () => {
      const note = await reader.checkpoint();
      const size = note === undefined ? undefined : parseCheckpoint(note)?.size;
      return note === undefined || size === undefined ? undefined : { note, size };
    });
    this.keys = shareNextCall(() => reader.ledgerKeys());
    const readEntry = memoizeAsync(MAX_KEPT_HASHES, String, async (revision: number) => {
      const entry = await reader.logEntry(revision);
      return sha256(new TextEncoder().encode(assertStored(entry)));
    });
    const readHash = memoizeAsync(
      MAX_KEPT_HASHES,
      (...place: [level: number, position: number]) => place.join(),
      async (level, position) => assertStored((await reader.treeHashes(level, position, 1))[0]),
    );
    this.entry = async (revision) => readEntry(revision);
    this.#readHash = async (level, position) => readHash(level, position);
  }

  proveInclusion(revision: number, size: number): Promise<Hash[]> {
    return proveInclusion(revision - 1, size, this.#readHash);
  }

  proveConsistency(from: number, size: number): Promise<Hash[]> {
    return proveConsistency(from, size, this.#readHash);
  }

  /** The bytes of a tile; undefined where the log has not all of it. */
  async tile(tile: Tile): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { level, hasEntries, index, width } = tile;
    const key = `${hasEntries} ${level} ${index}`;
    const kept = width === TILE_WIDTH ? this.#tiles.get(key) : undefined;
    if (kept) return kept;
    const { size = 0 } = (await this.checkpoint()) ?? {};
    const first = index * TILE_WIDTH;
    if (first + width > Math.floor(size / TILE_WIDTH ** level)) return undefined;
    const bytes = hasEntries
      ? await this.#readEntries(first + 1, width)
      : joinBytes(await this.reader.treeHashes(8 * level, first, width));
    if (width === TILE_WIDTH) this.#tiles.set(key, bytes);
    return bytes;
  }

  async #readEntries(revision: number, count: number): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = [];
    for (let added = 0; added < count; added++) {
      const entry = await this.entry(revision + added);
      parts.push(new Uint8Array([0, entry.length]), entry);
      // Other requests come in between.
      await system.nextTurn();
    }
    return joinBytes(parts);
  }
}

/** Calls that come while one runs share the next one, which begins after all of them. */
function shareNextCall<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const result = call();
      running = result.catch(() => {});
      return result;
    });
    return next;
  };
}

function assertStored<T>(value: T | undefined): T {
  if (value === undefined) throw new StoreUnavailableError('the log of the ledger is incomplete');
  return value;
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
