import type { Dataset } from '../catalogue/model/dataset.ts';
import { isPostgresUrl } from '../shared/postgres-url.ts';
import { RowChecksum } from './checksum.ts';
import { StoreUnusableError } from './errors.ts';
import { createPostgresTables, openPostgresTables } from './postgres/copy-tables.ts';
import { listStoredTables, TOKENS_TABLE } from './sql/stored-tables.ts';
import { createSqliteTables, openSqliteTables } from './sqlite/copy-tables.ts';
import { parseSqlitePath } from './sqlite/open-sqlite.ts';
import type { TableReader, TableRow, TableWriter } from './table-copy.ts';

export interface MoveOptions {
  readonly from: string;
  readonly to: string;
  readonly catalogue: readonly Dataset[];
  /** Called with how many rows were copied or compared; an error that it throws ends the move. */
  readonly onRows: (count: number) => void;
}

/** A store that was copied, and compared with the copy before that was kept. */
export interface MovedStore {
  readonly revision: number;
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly links: number;
}

/**
 * Copies a store to an empty one, of either engine, with all that it has: records, history, ledger,
 * tokens, links, and the secret that signs cursors. The source may be read and published to. The copy
 * is seen as a whole, when it was compared with the source, or not at all.
 */
export async function moveStore({ from, to, catalogue, onRows }: MoveOptions): Promise<MovedStore> {
  const source = await openTables(from, catalogue);
  try {
    const target = await createTables(to, catalogue);
    try {
      const copied = new Map<string, TableDigest>();
      for (const table of listStoredTables(catalogue))
        copied.set(table, await copyTable(source, target, table, onRows));
      await compareTables(copied, target, onRows);
      const moved = summarize(copied);
      await assertNothingPublished(source, moved.revision);
      await target.keep();
      return moved;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openTables(url: string, catalogue: readonly Dataset[]): Promise<TableReader> {
  return isPostgresUrl(url)
    ? openPostgresTables(url, catalogue)
    : openSqliteTables(parseSqlitePath(url), catalogue);
}

async function createTables(url: string, catalogue: readonly Dataset[]): Promise<TableWriter> {
  return isPostgresUrl(url)
    ? createPostgresTables(url, catalogue)
    : createSqliteTables(parseSqlitePath(url), catalogue);
}

async function copyTable(
  source: TableReader,
  target: TableWriter,
  table: string,
  onRows: MoveOptions['onRows'],
): Promise<TableDigest> {
  const digest = new TableDigest();
  for await (const rows of source.rows(table)) {
    digest.add(rows);
    if (rows.length > 0) await target.insert(table, rows);
    onRows(rows.length);
  }
  return digest;
}

/** Compares what the target has stored with what was read from the source. */
async function compareTables(
  copied: ReadonlyMap<string, TableDigest>,
  target: TableWriter,
  onRows: MoveOptions['onRows'],
): Promise<void> {
  const differences: string[] = [];
  for (const [table, expected] of copied) {
    const stored = new TableDigest();
    for await (const rows of target.rows(table)) {
      stored.add(rows);
      onRows(rows.length);
    }
    differences.push(...expected.findDifferences(stored).map((place) => `${table}, ${place}`));
  }
  if (differences.length === 0) return;
  const places = differences.slice(0, MAX_LISTED_DIFFERENCES).join('; ');
  throw new StoreUnusableError(
    `the copy was not kept: it differs from the source in ${differences.length} places: ${places}`,
  );
}

const MAX_LISTED_DIFFERENCES = 10;

async function assertNothingPublished(source: TableReader, moved: number): Promise<void> {
  const newest = await source.newestRevision();
  if (newest === moved) return;
  throw new StoreUnusableError(
    `the copy was not kept: it ends with revision ${moved}, and ${newest} was published to the source meanwhile; stop publishing to it, and run the command again`,
  );
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
      checksum.addPublished(JSON.stringify(Object.entries(row).map(encodeValue).toSorted()));
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

/** Both engines return bytes as different classes, and columns in any order. */
function encodeValue([column, value]: [string, TableRow[string]]): string {
  const isBytes = value instanceof Uint8Array;
  return JSON.stringify([column, isBytes ? Buffer.from(value).toString('hex') : value]);
}

function summarize(copied: ReadonlyMap<string, TableDigest>): MovedStore {
  const rows = Object.fromEntries(Array.from(copied, ([table, digest]) => [table, digest.rows]));
  return {
    revision: copied.get('revisions')?.newestRevision ?? 0,
    rows,
    links: copied.get(TOKENS_TABLE)?.links ?? 0,
  };
}
