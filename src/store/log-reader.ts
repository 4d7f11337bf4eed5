import { parseCheckpoint } from '../ledger/note.ts';
import type { Hash } from '../ledger/tree.ts';
import { createBoundedMap, memoizeAsync } from '../shared/memoize.ts';
import { system } from '../shared/system.ts';
import { StoreUnavailableError } from './errors.ts';
import { selectSigningKeys } from './ledger-signer.ts';
import type { StoreReader } from './reader.ts';

/** A part of a log by C2SP tlog-tiles: the first hashes of a tile, or of a bundle of entries. */
export interface Tile {
  readonly level: number;
  readonly hasEntries: boolean;
  readonly index: number;
  /** How many of its hashes, up to 256. */
  readonly width: number;
}

export const TILE_WIDTH = 256;

/** Of 8 kilobytes each. */
const MAX_KEPT_TILES = 64;
const MAX_KEPT_HASHES = 4_096;

type LogQueries = Pick<StoreReader, 'checkpoint' | 'treeHashes' | 'ledgerKeys' | 'logEntry'>;

/**
 * Reads the log for clients that anybody can be: one look at a time for the newest checkpoint and
 * keys, however many ask; hashes of full subtrees and digests of entries, which never change, are kept.
 */
export class LogReader {
  /** The newest one and its size; undefined if there is no log. */
  readonly checkpoint = shareNextCall(async () => {
    const note = await this.reader.checkpoint();
    const { size } = (note !== undefined && parseCheckpoint(note)) || {};
    return note === undefined || size === undefined ? undefined : { note, size };
  });
  readonly keys = shareNextCall(async () => {
    // First the checkpoint: one from before a key was replaced has the keys of that time.
    const note = await this.reader.checkpoint();
    return selectSigningKeys(await this.reader.ledgerKeys(), note);
  });
  /** The digest of the entry of a revision that is in the log. */
  readonly readEntry = memoizeAsync(
    MAX_KEPT_HASHES,
    String,
    async (revision: number) => assertStored(await this.reader.logEntry(revision)).digest,
  );
  readonly readHash = memoizeAsync(
    MAX_KEPT_HASHES,
    (...position: readonly [level: number, position: number]) => position.join(),
    async (...position): Promise<Hash> =>
      assertStored((await this.reader.treeHashes(...position, 1))[0]),
  );
  readonly #tiles = createBoundedMap<string, Uint8Array<ArrayBuffer>>(MAX_KEPT_TILES);

  constructor(private readonly reader: LogQueries) {}

  /** The bytes of a tile; undefined if the log has not all of it. */
  async readTile({ level, hasEntries, index, width }: Tile) {
    const key = `${hasEntries} ${level} ${index}`;
    const cached = width === TILE_WIDTH ? this.#tiles.get(key) : undefined;
    if (cached) return cached;
    const { size = 0 } = (await this.checkpoint()) ?? {};
    const first = index * TILE_WIDTH;
    if (first + width > Math.floor(size / TILE_WIDTH ** level)) return undefined;
    const parts = hasEntries
      ? await this.#readEntries(first + 1, width)
      : await this.reader.treeHashes(8 * level, first, width);
    const bytes = new Uint8Array(Buffer.concat(parts));
    if (width === TILE_WIDTH) this.#tiles.set(key, bytes);
    return bytes;
  }

  /** Each after its length in two bytes. */
  async #readEntries(revision: number, count: number): Promise<readonly Uint8Array[]> {
    const parts: Uint8Array[] = [];
    for (let added = 0; added < count; added++) {
      const entry = await this.readEntry(revision + added);
      parts.push(Buffer.of(0, entry.length), entry);
      // Other requests come in between.
      await system.nextTurn();
    }
    return parts;
  }
}

/**
 * Calls that come while one runs share the next one, which begins after all of them: a client may
 * have seen a newer result already, of another process.
 */
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

/** The log lacks what its checkpoint covers. */
export class IncompleteLogError extends StoreUnavailableError {}

function assertStored<T>(value: T | undefined): T {
  if (value === undefined) throw new IncompleteLogError('the log of the ledger is incomplete');
  return value;
}
