import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { Selection } from '../selection.ts';
import type { ReadResult } from '../store.ts';
import type { Dialect } from './dialect.ts';
import { findNewestRevision } from './ledger.ts';
import type { QuerySteps } from './query-steps.ts';
import { queryRow } from './query-steps.ts';
import { readAggregated, readQuotes } from './read-quotes.ts';
import {
  asOfStatement,
  fundStatement,
  latestRevisionStatement,
  seriesStatement,
} from './record-statements.ts';
import type { ResolvedAsOf } from './select-records.ts';
import { UNCOMMITTED_STATE } from './select-records.ts';

/** What a selection finds. Where it takes more than one statement, all must see one revision. */
export function* readSelection(selection: Selection, dialect: Dialect): QuerySteps<ReadResult> {
  const { asOf, dataset } = selection;
  const then = yield* resolveAsOf(dataset, asOf, dialect);
  if (then === 'nothing')
    return { revision: asOf ?? 0, count: 0, records: '', ...(selection.counted && { total: 0 }) };
  const reading = yield* readResolved(selection, dialect, then);
  // A revision that is not there yet, or no more after a backup came back, is never claimed.
  if (then === UNCOMMITTED_STATE) return { ...reading, revision: yield* findNewestRevision() };
  return then ? { ...reading, revision: then.revision } : reading;
}

/** Whether a selection takes one statement, as a rule. */
export function isSingleStatement(selection: Selection): boolean {
  if (selection.asOf !== undefined) return false;
  return selection.find !== 'quotes' || !(selection.counted || selection.after);
}

function* readResolved(
  selection: Selection,
  dialect: Dialect,
  then?: ResolvedAsOf,
): QuerySteps<ReadResult> {
  if (selection.find === 'quotes') return yield* readQuotes(selection, dialect, then);
  const table = getStorageTable(selection.dataset);
  const joint = selection.lines ? '\n' : ',';
  const reading = yield* readAggregated(
    selection.find === 'fund'
      ? fundStatement(table, selection.id, then)
      : seriesStatement(table, joint, then),
  );
  return selection.counted ? { ...reading, total: reading.count } : reading;
}

/**
 * Where the records of a revision are to be looked for; undefined where it is the present. In a
 * cluster the present is the newest revision of its past: only what is asked of a revision by its
 * number is the same on all machines.
 */
export function* resolveAsOf(
  dataset: Dataset,
  asOf: number | undefined,
  { isSpread, isHeld, isLed }: Dialect,
): QuerySteps<ResolvedAsOf | 'nothing' | undefined> {
  if (isSpread && isHeld && asOf === undefined) return UNCOMMITTED_STATE;
  if (isSpread) return yield* resolveDistributedAsOf(dataset, asOf);
  if (asOf === undefined) return undefined;
  const { sql, values } = asOfStatement(getStorageTable(dataset), dataset.name, asOf);
  const moment = yield* queryRow<AsOfRow>(sql, values);
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

function* resolveDistributedAsOf(
  { name }: Dataset,
  asOf: number | undefined,
): QuerySteps<ResolvedAsOf> {
  const { sql, values } = latestRevisionStatement(name, asOf ?? Number.MAX_SAFE_INTEGER);
  const found = yield* queryRow<Pick<ResolvedAsOf, 'revision' | 'newestDay'>>(sql, values);
  const { revision = 0, newestDay = null } = found ?? {};
  return { revision, in: 'both', newestDay, isSpread: true, isNewest: asOf === undefined };
}

interface AsOfRow extends Pick<ResolvedAsOf, 'newestDay'> {
  readonly newestRevision: number | null;
  /** As engines tell it: true and false, or 1 and 0. */
  readonly still: boolean | number;
  readonly ended: boolean | number;
}
