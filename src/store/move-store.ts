import type { Dataset } from '../catalogue/model/dataset.ts';
import { listTablePairs } from '../schema/storage-table.ts';
import { RowChecksum } from './checksum.ts';
import { findEngine } from './engines.ts';
import { openStore, type Store, StoreUnusableError } from './open-store.ts';
import { LEDGER_KEYS_TABLE, listStoredTables, TOKENS_TABLE } from './sql/stored-tables.ts';
import type { TableReader, TableRow, TableWriter } from './table-copy.ts';

export interface MoveOptions {
  readonly from: string;
  readonly to: string;
  readonly catalogue: readonly Dataset[];
  /** Called with how many rows were copied or compared; an error that it throws ends the move. */
  readonly onRows: (count: number) => Promise<void>;
}

/** The number of rows that were copied and compared. */
export interface MovedRows {
  readonly revisions: number;
  readonly current: number;
  readonly history: number;
  readonly tokens: number;
  readonly links: number;
}

/**
 * Copies a store to an empty one, of either engine, with all that it has: records, history, ledger,
 * tokens, links, and the secret that signs cursors. The source may be read and published to. The copy
 * is seen as a whole, when it was compared with the source, or not at all.
 */
export async function moveStore(options: MoveOptions): Promise<MovedRows> {
  const { from, to, catalogue } = options;
  const store = await openStore(from, catalogue, { preparation: 'none' });
  const source = await findEngine(from).openTables(from);
  try {
    const target = await findEngine(to).createTables(to, catalogue);
    try {
      const copied = await readTables(source, options, target);
      assertSame(copied, await readTables(target, options));
      await assertNothingPublished(store, copied);
      await assertTokensUnchanged(source, target);
      await target.commit();
      return countRows(copied, catalogue);
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

/** The rows of each table that were read. */
type TableDigests = ReadonlyMap<string, TableDigest>;

/** Reads every table of a store; inserts what it reads into another one, if one is given. */
async function readTables(
  source: TableReader,
  { catalogue, onRows }: MoveOptions,
  target?: TableWriter,
): Promise<TableDigests> {
  const digests = new Map<string, TableDigest>();
  for (const table of listStoredTables(catalogue)) {
    const digest = new TableDigest();
    digests.set(table, digest);
    for await (const batch of source.rows(table)) {
      const rows = batch as readonly TableRow[];
      digest.add(rows);
      await target?.insert(table, rows);
      await onRows(rows.length);
    }
  }
  return digests;
}

/** Compares what was read from the source with what the target has stored. */
function assertSame(copied: TableDigests, stored: TableDigests): void {
  const differences = Array.from(copied, ([table, expected]) => {
    const places = expected.findDifferences(stored.get(table) ?? new TableDigest());
    return places.map((place) => `${table}, ${place}`);
  }).flat();
  if (differences.length === 0) return;
  const places = differences.slice(0, MAX_LISTED_DIFFERENCES).join('; ');
  throw new StoreUnusableError(
    `the copy was not kept: it differs from the source in ${differences.length} places: ${places}`,
  );
}

const MAX_LISTED_DIFFERENCES = 10;

async function assertNothingPublished(store: Store, copied: TableDigests): Promise<void> {
  const reader = store.reader();
  const reading = Promise.all([reader.revision(), reader.ledgerKeys()]);
  const [newest, keys] = await reading.finally(reader.close);
  const { newestRevision = 0 } = copied.get('revisions') ?? {};
  if (newest !== newestRevision)
    throw new StoreUnusableError(
      `the copy was not kept: it ends with revision ${newestRevision}, and ${newest} was published to the source meanwhile; stop publishing to it, and run the command again`,
    );
  if (keys.length !== copied.get(LEDGER_KEYS_TABLE)?.rows)
    throw new StoreUnusableError(
      'the copy was not kept: the key of the ledger was replaced meanwhile; run the command again',
    );
}

/** A copy with a token that was revoked meanwhile would accept it again. */
async function assertTokensUnchanged(source: TableReader, target: TableReader): Promise<void> {
  const [current, copied] = [await digestTokens(source), await digestTokens(target)];
  const changed = current.findDifferences(copied);
  if (changed.length === 0) return;
  const ids = changed.slice(0, MAX_LISTED_DIFFERENCES).join(', ');
  throw new StoreUnusableError(
    `the copy was not kept: ${changed.length} tokens or links of the source were issued, revoked or changed meanwhile: ${ids}; run the command again`,
  );
}

/** Tokens without their last use, which servers of the source go on recording. */
async function digestTokens(reader: TableReader): Promise<TableDigest> {
  const digest = new TableDigest();
  for await (const rows of reader.rows(TOKENS_TABLE))
    digest.add(rows.map((row) => ({ ...row, last_used_at: null })));
  return digest;
}

function countRows(copied: TableDigests, catalogue: readonly Dataset[]): MovedRows {
  const tables = listTablePairs(catalogue);
  const sum = (names: readonly string[]) =>
    names.reduce((rows, name) => rows + (copied.get(name)?.rows ?? 0), 0);
  const { links = 0 } = copied.get(TOKENS_TABLE) ?? {};
  return {
    revisions: sum(['revisions']),
    current: sum(tables.map(({ currentTable }) => currentTable)),
    history: sum(tables.map(({ historyTable }) => historyTable)),
    tokens: sum([TOKENS_TABLE]) - links,
    links,
  };
}

/** The rows of a table by where they belong: a revision, a token, or the name of a secret. */
class TableDigest {
  rows = 0;
  links = 0;
  newestRevision = 0;
  readonly #checksums = new Map<string, RowChecksum>();

  add(rows: readonly TableRow[]): void {
    for (const row of rows) {
      const place = describePlace(row);
      const checksum = this.#checksums.get(place) ?? new RowChecksum();
      this.#checksums.set(place, checksum);
      checksum.addPublished(encodeRow(row));
      this.rows++;
      if (typeof row.target === 'string') this.links++;
      this.newestRevision = Math.max(this.newestRevision, Number(row.revision ?? 0));
    }
  }

  /** The places whose rows are not the same. */
  findDifferences(other: TableDigest): string[] {
    const places = new Set([...this.#checksums.keys(), ...other.#checksums.keys()]);
    return [...places].filter(
      (place) => this.#checksums.get(place)?.hex !== other.#checksums.get(place)?.hex,
    );
  }
}

function describePlace({ revision, since, id, name }: TableRow): string {
  const number = revision ?? since;
  return number === undefined ? String(id ?? name) : `revision ${number}`;
}

/** Engines return bytes as different classes, and columns in any order; a missing one is null. */
function encodeRow(row: TableRow): string {
  const entries = Object.entries(row).filter(([, value]) => value !== null);
  const values = entries.map(([column, value]) =>
    JSON.stringify([column, value instanceof Uint8Array ? [...value] : value]),
  );
  return values.toSorted().join();
}
