import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import type { StoreQueries } from '../reader.ts';
import { findCorrections } from './corrections.ts';
import { findCoverage, findFunds, findSecurities, withDatasetStates } from './discovery.ts';
import { findLedgerEntry, findNewestRevision, findRevisionAt, findRevisions } from './ledger.ts';
import { isSingleStatement, readSelection, resolveAsOf } from './read-selection.ts';
import { allRecordsStatement } from './record-statements.ts';
import { findRevisionChanges } from './revision-changes.ts';
import type { QuerySession } from './session.ts';
import { streamByDateSlice } from './stream-by-date.ts';

const SINGLE_STATEMENT = true;

/** What can be asked through a session. */
export function createStoreQueries(session: QuerySession): StoreQueries {
  const { run, dialect } = session;
  return {
    revision: () => run(findNewestRevision, SINGLE_STATEMENT),
    revisionAt: (instant) => run(() => findRevisionAt(instant), SINGLE_STATEMENT),
    read: (selection) => run(() => readSelection(selection, dialect), isSingleStatement(selection)),
    records: (dataset, asOf) => streamRecords(session, dataset, asOf),
    revisions: (which) => run(() => findRevisions(which), SINGLE_STATEMENT),
    ledgerEntry: (revision) => run(() => findLedgerEntry(revision), SINGLE_STATEMENT),
    changes: (dataset, revision, limit, after) =>
      run(() => findRevisionChanges(getStorageTable(dataset), revision, { limit, after }, dialect)),
    corrections: (dataset, which, asOf) =>
      run(() => findCorrections(dataset, which, asOf, dialect)),
    coverage: (datasets, asOf) =>
      run(() => withDatasetStates(asOf, dialect, (ledger) => findCoverage(datasets, ledger))),
    securities: (dataset, asOf) =>
      run(() =>
        withDatasetStates(asOf, dialect, (ledger) =>
          findSecurities(dataset, ledger.get(dataset.name)),
        ),
      ),
    funds: (dataset, asOf) =>
      run(() =>
        withDatasetStates(asOf, dialect, (ledger) => findFunds(dataset, ledger.get(dataset.name))),
      ),
  };
}

/** Every record in batches of texts. The session sees one revision, however long it takes. */
export async function* streamRecords(
  session: QuerySession,
  dataset: Dataset,
  asOf: number | undefined,
): AsyncGenerator<readonly string[]> {
  const asOfState = await session.run(() => resolveAsOf(dataset, asOf, session.dialect));
  if (asOfState === 'nothing') return;
  const table = getStorageTable(dataset);
  const all =
    asOfState?.isDistributed && table.distributionColumn !== undefined
      ? streamByDateSlice(session, table, (part) => allRecordsStatement(table, asOfState, part))
      : session.stream(allRecordsStatement(table, asOfState));
  for await (const rows of all) {
    yield (rows as readonly { record: string }[]).map(({ record }) => record);
  }
}
