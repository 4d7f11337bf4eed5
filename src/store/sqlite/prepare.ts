import { Database } from 'bun:sqlite';
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Dataset } from '../../catalogue/dataset.ts';
import { StoreRefused } from '../store.ts';
import { busy, readOnly, writable } from './connection.ts';
import { APPLICATION_ID, refuseForeignFile } from './file.ts';
import type { Extent } from './migrate.ts';
import { migrate, missing } from './migrate.ts';

/**
 * Makes the database where there is none, and brings its schema up to date. A file that is not
 * ours, or not whole, is refused with one line and left as it is.
 */
export function prepare(path: string, catalogue: readonly Dataset[]): void {
  refusing(path, () => {
    if (!existsSync(path)) make(path, catalogue);
    bring(path, catalogue, 'all');
  });
}

/** What would be run to make the database, or to bring its schema up to date. */
export function preparation(path: string, catalogue: readonly Dataset[]): string[] {
  return refusing(path, () => {
    const isThere = existsSync(path);
    if (isThere) refuseForeignFile(path);
    using database = isThere ? readOnly(path) : new Database(':memory:');
    const statements = missing(database, catalogue);
    if (statements.length === 0) return [];
    return [...(isThere ? [] : FIRST), 'BEGIN IMMEDIATE', ...statements, 'COMMIT'];
  });
}

/** The same for a database that is to be inspected: it must be there, and nothing is mended. */
export function prepareInspection(path: string, catalogue: readonly Dataset[]): void {
  refusing(path, () => {
    if (!existsSync(path)) throw new StoreRefused('it does not exist');
    bring(path, catalogue, 'new');
  });
}

/** How long a change of the schema is held up by a publisher before the store is busy. */
const GLANCE_MS = 500;

function bring(path: string, catalogue: readonly Dataset[], extent: Extent): void {
  refuseForeignFile(path);
  const database = writable(path, GLANCE_MS);
  try {
    migrate(database, catalogue, extent);
  } finally {
    database.close();
  }
}

function refusing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const held = busy(cause);
    if (held) throw held;
    throw new StoreRefused(`cannot use ${path} as the database: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** What a new database is told before it has any tables. */
const FIRST = [
  'PRAGMA page_size = 8192',
  `PRAGMA application_id = ${APPLICATION_ID}`,
  'PRAGMA journal_mode = WAL',
];

/** A new database appears under its name only when it is whole, so a killed start leaves none. */
function make(path: string, catalogue: readonly Dataset[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  const database = new Database(draft, { create: true, strict: true });
  try {
    for (const statement of FIRST) database.run(statement);
    migrate(database, catalogue);
  } finally {
    database.close();
  }
  try {
    linkSync(draft, path);
  } catch (cause) {
    // Another start made it in the meantime: theirs stands.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
}
