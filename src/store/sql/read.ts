import type { Dataset } from '../../catalogue/dataset.ts';
import { tableOf } from '../../derive/table.ts';
import type { Selection } from '../selection.ts';
import type { Reading } from '../store.ts';
import type { Dialect } from './dialect.ts';
import { newestRevision } from './ledger.ts';
import { answered, readQuotes } from './quotes.ts';
import type { Then } from './standing.ts';
import { ALL_THERE_IS } from './standing.ts';
import { latestUpTo, momentOf, oneFund, wholeSeries } from './statements.ts';
import type { Steps } from './steps.ts';
import { rowOf } from './steps.ts';

/** What a selection finds. Where it takes more than one statement, all must see one revision. */
export function* read(selection: Selection, dialect: Dialect): Steps<Reading> {
  const { asOf, dataset } = selection;
  const then = yield* thenOf(dataset, asOf, dialect);
  if (then === 'nothing')
    return { revision: asOf ?? 0, count: 0, records: '', ...(selection.counted && { total: 0 }) };
  const reading = yield* readThen(selection, dialect, then);
  // A revision that is not there yet, or no more after a backup came back, is never claimed.
  if (then === ALL_THERE_IS) return { ...reading, revision: yield* newestRevision() };
  return then ? { ...reading, revision: then.revision } : reading;
}

/** Whether a selection takes one statement, as a rule. */
export function isShort(selection: Selection): boolean {
  if (selection.asOf !== undefined) return false;
  return selection.find !== 'quotes' || !(selection.counted || selection.after);
}

function* readThen(selection: Selection, dialect: Dialect, then?: Then): Steps<Reading> {
  if (selection.find === 'quotes') return yield* readQuotes(selection, dialect, then);
  const table = tableOf(selection.dataset);
  const joint = selection.lines ? '\n' : ',';
  const reading = yield* answered(
    selection.find === 'fund'
      ? oneFund(table, selection.id, then)
      : wholeSeries(table, joint, then),
  );
  return selection.counted ? { ...reading, total: reading.count } : reading;
}

/**
 * Where the records of a revision are to be looked for; undefined where it is the present. In a
 * cluster the present is the newest revision of its past: only what is asked of a revision by its
 * number is the same on all machines.
 */
export function* thenOf(
  dataset: Dataset,
  asOf: number | undefined,
  { isSpread, isHeld, isLed }: Dialect,
): Steps<Then | 'nothing' | undefined> {
  if (isSpread && isHeld && asOf === undefined) return ALL_THERE_IS;
  if (isSpread) return yield* thenInCluster(dataset, asOf);
  if (asOf === undefined) return undefined;
  const { sql, values } = momentOf(tableOf(dataset), dataset.name, asOf);
  const moment = yield* rowOf<Moment>(sql, values);
  if (!moment || asOf >= (moment.newestRevision ?? 0)) return undefined;
  const { still, ended, newestDay } = moment;
  if (!still && !ended) return 'nothing';
  return {
    revision: asOf,
    in: still && ended ? 'both' : still ? 'now' : 'past',
    newestDay,
    isLed,
  };
}

function* thenInCluster({ name }: Dataset, asOf: number | undefined): Steps<Then> {
  const { sql, values } = latestUpTo(name, asOf ?? Number.MAX_SAFE_INTEGER);
  const found = yield* rowOf<Pick<Then, 'revision' | 'newestDay'>>(sql, values);
  const { revision = 0, newestDay = null } = found ?? {};
  return { revision, in: 'both', newestDay, isSpread: true, isNewest: asOf === undefined };
}

interface Moment extends Pick<Then, 'newestDay'> {
  readonly newestRevision: number | null;
  /** As engines tell it: true and false, or 1 and 0. */
  readonly still: boolean | number;
  readonly ended: boolean | number;
}
