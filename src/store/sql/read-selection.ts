import { getStorageTable } from '../../schema/storage-table.ts';
import type { ReadResult } from '../reader.ts';
import type { Selection } from '../selection.ts';
import { type ResolvedAsOf, resolveAsOf, UNCOMMITTED_STATE } from './as-of.ts';
import type { Dialect } from './dialect.ts';
import { findNewestRevision } from './ledger.ts';
import type { QuerySteps } from './query-steps.ts';
import { readAggregated, readQuotes } from './read-quotes.ts';
import { fundStatement, seriesStatement } from './record-statements.ts';

/** The records that match a selection. If it needs several statements, all must see one revision. */
export function* readSelection(selection: Selection, dialect: Dialect): QuerySteps<ReadResult> {
  const { asOf: revision, dataset, includeTotal } = selection;
  const asOf = yield* resolveAsOf(dataset, revision, dialect);
  if (asOf === 'nothing') {
    return { revision: revision ?? 0, count: 0, records: '', ...(includeTotal && { total: 0 }) };
  }
  const result = yield* readResolved(selection, dialect, asOf);
  // A revision that does not exist yet, or no longer after a restore, is never claimed.
  if (asOf === UNCOMMITTED_STATE) return { ...result, revision: yield* findNewestRevision() };
  return asOf ? { ...result, revision: asOf.revision } : result;
}

/** Whether a selection usually takes one statement. */
export function isSingleStatement(selection: Selection): boolean {
  if (selection.asOf !== undefined) return false;
  return selection.kind !== 'quotes' || !(selection.includeTotal || selection.after);
}

function* readResolved(
  selection: Selection,
  dialect: Dialect,
  asOf: ResolvedAsOf | undefined,
): QuerySteps<ReadResult> {
  if (selection.kind === 'quotes') return yield* readQuotes(selection, { dialect, asOf });
  const table = getStorageTable(selection.dataset);
  const result = yield* readAggregated(
    selection.kind === 'fund'
      ? fundStatement(table, selection.id, asOf)
      : seriesStatement(table, selection.asNdjson ? '\n' : ',', asOf),
  );
  return selection.includeTotal ? { ...result, total: result.count } : result;
}
