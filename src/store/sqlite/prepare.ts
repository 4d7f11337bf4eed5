import { Database } from 'bun:sqlite';
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Dataset } from '../../catalogue/dataset.ts';
import { StoreRefused } from '../store.ts';
import { busy, writable } from './connection.ts';
import { APPLICATION_ID, refuseForeignFile } from './file.ts';
import type { Extent } from './migrate.ts';
import { migrate } from './migrate.ts';

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

function refusing(path: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    const held = busy(cause);
    if (held) throw held;
    throw new StoreRefused(`cannot use ${path} as the database: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** A new database appears under its name only when it is whole, so a killed start leaves none. */
function make(path: string, catalogue: readonly Dataset[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  const database = new Database(draft, { create: true, strict: true });
  try {
    database.run('PRAGMA page_size = 8192');
    database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.run('PRAGMA journal_mode = WAL');
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
