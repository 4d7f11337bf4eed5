import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { ReadResult } from '../reader.ts';
import type { Selection } from '../selection.ts';
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
  const asOfState = yield* resolveAsOf(dataset, asOf, dialect);
  if (asOfState === 'nothing')
    return {
      revision: asOf ?? 0,
      count: 0,
      records: '',
      ...(selection.includeTotal && { total: 0 }),
    };
  const result = yield* readResolved(selection, dialect, asOfState);
  // A revision that is not there yet, or no more after a backup came back, is never claimed.
  if (asOfState === UNCOMMITTED_STATE) return { ...result, revision: yield* findNewestRevision() };
  return asOfState ? { ...result, revision: asOfState.revision } : result;
}

/** Whether a selection takes one statement, as a rule. */
export function isSingleStatement(selection: Selection): boolean {
  if (selection.asOf !== undefined) return false;
  return selection.kind !== 'quotes' || !(selection.includeTotal || selection.after);
}

function* readResolved(
  selection: Selection,
  dialect: Dialect,
  asOf?: ResolvedAsOf,
): QuerySteps<ReadResult> {
  if (selection.kind === 'quotes') return yield* readQuotes(selection, dialect, asOf);
  const table = getStorageTable(selection.dataset);
  const joint = selection.asNdjson ? '\n' : ',';
  const result = yield* readAggregated(
    selection.kind === 'fund'
      ? fundStatement(table, selection.id, asOf)
      : seriesStatement(table, joint, asOf),
  );
  return selection.includeTotal ? { ...result, total: result.count } : result;
}

/**
 * Where the records of a revision are to be looked for; undefined where it is the present. In a
 * cluster the present is the newest revision of its past: only what is asked of a revision by its
 * number is the same on all machines.
 */
export function* resolveAsOf(
  dataset: Dataset,
  asOf: number | undefined,
  { isDistributed, holdsWriteLock, needsPlannerHints }: Dialect,
): QuerySteps<ResolvedAsOf | 'nothing' | undefined> {
  if (isDistributed && holdsWriteLock && asOf === undefined) return UNCOMMITTED_STATE;
  if (isDistributed) return yield* resolveDistributedAsOf(dataset, asOf);
  if (asOf === undefined) return undefined;
  const { sql, values } = asOfStatement(getStorageTable(dataset), dataset.name, asOf);
  const moment = yield* queryRow<AsOfRow>(sql, values);
  if (!moment || asOf >= (moment.newestRevision ?? 0)) return undefined;
  const { still, ended, newestDay } = moment;
  if (!still && !ended) return 'nothing';
  return {
    revision: asOf,
    tables: still && ended ? 'both' : still ? 'now' : 'past',
    newestDay,
    needsPlannerHints,
  };
}

function* resolveDistributedAsOf(
  { name }: Dataset,
  asOf: number | undefined,
): QuerySteps<ResolvedAsOf> {
  const { sql, values } = latestRevisionStatement(name, asOf ?? Number.MAX_SAFE_INTEGER);
  const found = yield* queryRow<Pick<ResolvedAsOf, 'revision' | 'newestDay'>>(sql, values);
  const { revision = 0, newestDay = null } = found ?? {};
  return { revision, tables: 'both', newestDay, isDistributed: true, isNewest: asOf === undefined };
}

interface AsOfRow extends Pick<ResolvedAsOf, 'newestDay'> {
  readonly newestRevision: number | null;
  /** As engines tell it: true and false, or 1 and 0. */
  readonly still: boolean | number;
  readonly ended: boolean | number;
}
