import type { Database } from 'bun:sqlite';
import type { Dataset } from '../../catalogue/dataset.ts';
import { tableOf } from '../../derive/table.ts';
import type { Selection } from '../selection.ts';
import type { Then } from '../statements.ts';
import { everyRecord, momentOf, oneFund, wholeSeries } from '../statements.ts';
import type { Reader, Reading, Reads } from '../store.ts';
import { StoreUnavailable } from '../store.ts';
import { ask } from './ask.ts';
import { batched } from './batches.ts';
import { changesOf } from './changes.ts';
import { outOfReach, reaching, readOnly } from './connection.ts';
import { discoveryOn } from './discovery.ts';
import { entryOf, revisionAt, revisionsIn } from './ledger.ts';
import { readQuotes, takesSteps } from './quotes.ts';

/** A reader of the database at that path. */
export function sqliteReader(path: string): Reader {
  const database = readOnly(path);
  return {
    ...readsOn(database, path),
    secret: async () => reaching(() => secretIn(database)),
    close: () => database.close(),
  };
}

/** What can be asked through a connection; long walks over a path get one of their own. */
export function readsOn(database: Database, path?: string): Reads {
  // Two statements see one revision only inside a transaction.
  const snapshot = database.transaction((asked: Selection) => readInSteps(database, asked));
  return {
    revision: async () => reaching(() => newestRevision(database)),
    revisionAt: async (instant) => reaching(() => revisionAt(database, instant)),
    read: async (selection) => reaching(() => read(database, snapshot, selection)),
    records: (dataset, asOf) => walk(dataset, asOf, database, path),
    revisions: async (which) => reaching(() => revisionsIn(database, which)),
    entry: async (revision) => reaching(() => unsealed(entryOf(database, revision))),
    changes: async (dataset, revision, limit) =>
      reaching(() => changesOf(database, tableOf(dataset), revision, limit)),
    ...discoveryOn(database),
  };
}

function read(
  database: Database,
  snapshot: (selection: Selection) => Reading,
  selection: Selection,
): Reading {
  const isSteps =
    selection.asOf !== undefined || (selection.find === 'quotes' && takesSteps(selection));
  return isSteps ? snapshot(selection) : readThen(database, selection);
}

/** What takes more than one statement: quotes of a security, and everything of the past. */
function readInSteps(database: Database, selection: Selection): Reading {
  const { asOf } = selection;
  const then = thenOf(database, selection);
  if (then === 'nothing')
    return { revision: asOf ?? 0, count: 0, records: '', ...(selection.counted && { total: 0 }) };
  const reading = readThen(database, selection, then);
  // A revision that is not there yet, or no more after a backup came back, is never claimed.
  return then ? { ...reading, revision: then.revision } : reading;
}

function readThen(database: Database, selection: Selection, then?: Then): Reading {
  if (selection.find === 'quotes') return readQuotes(database, selection, then);
  const table = tableOf(selection.dataset);
  const joint = selection.lines ? '\n' : ',';
  const reading = ask(
    database,
    selection.find === 'fund'
      ? oneFund(table, selection.id, then)
      : wholeSeries(table, joint, then),
  );
  return selection.counted ? { ...reading, total: reading.count } : reading;
}

/** Where the records of a revision are to be looked for; undefined where it is the present. */
function thenOf(
  database: Database,
  { dataset, asOf }: Pick<Selection, 'dataset' | 'asOf'>,
): Then | 'nothing' | undefined {
  if (asOf === undefined) return undefined;
  const { sql, values } = momentOf(tableOf(dataset), dataset.name, asOf);
  const moment = database.query<Moment, (string | number)[]>(sql).get(...values);
  if (!moment || asOf >= (moment.newestRevision ?? 0)) return undefined;
  const { still, ended, newestDay } = moment;
  if (!still && !ended) return 'nothing';
  return { revision: asOf, in: still && ended ? 'both' : still ? 'now' : 'past', newestDay };
}

interface Moment extends Pick<Then, 'newestDay'> {
  readonly newestRevision: number | null;
  readonly still: 0 | 1;
  readonly ended: 0 | 1;
}

/** A walk meets each page once: there is nothing to keep. */
const WALK_CACHE_KIB = 2_048;

/** Every record in batches of texts. One transaction sees one revision, however long it takes. */
async function* walk(
  dataset: Dataset,
  asOf: number | undefined,
  shared: Database,
  path: string | undefined,
): AsyncGenerator<readonly string[]> {
  const database = path === undefined ? shared : readOnly(path, WALK_CACHE_KIB);
  try {
    // Where the records are is found out first, and must still be so when they are read.
    if (database !== shared) database.run('BEGIN');
    const then = thenOf(database, asOf === undefined ? { dataset } : { dataset, asOf });
    if (then === 'nothing') return;
    const { sql, values } = everyRecord(tableOf(dataset), then);
    // Let go with the walk: as long as it is there, it holds its connection and its revision open.
    using statement = database.prepare<{ record: string }, (string | number)[]>(sql);
    const rows = statement.iterate(...values);
    for (const batch of batched(rows)) yield batch.map(({ record }) => record);
  } catch (cause) {
    throw outOfReach(cause);
  } finally {
    if (database !== shared) database.close();
  }
}

function secretIn(database: Database): Uint8Array {
  const sql = "SELECT value FROM secrets WHERE name = 'cursor'";
  const row = database.query<{ value: Uint8Array }, []>(sql).get();
  if (!row) throw new StoreUnavailable('it has no secret to sign with');
  return row.value;
}

function newestRevision(database: Database): number {
  const row = database
    .query<{ newest: number | null }, []>('SELECT max(revision) AS newest FROM revisions')
    .get();
  return row?.newest ?? 0;
}

function unsealed(entry: ReturnType<typeof entryOf>) {
  if (!entry) return undefined;
  const { newest: _, checksum: __, ...rest } = entry;
  return rest;
}
