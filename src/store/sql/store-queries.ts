import type { Dataset } from '../../catalogue/model/dataset.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { StoreQueries } from '../reader.ts';
import { createCompleter, hasAddedField } from './added-fields.ts';
import { findMissingSeries } from './compare-revision.ts';
import { findCorrections } from './corrections.ts';
import { findDeclarations } from './declarations.ts';
import { findCoverage, findFunds, findSecurities } from './discovery.ts';
import { findDayVersions, findDimensionValues, findPeriods } from './find-periods.ts';
import {
  countRecords,
  findLedgerEntry,
  findNewestRevision,
  findOrigins,
  findRevisionAt,
  findRevisions,
} from './ledger.ts';
import { createLogQueries } from './ledger-log.ts';
import { findNetChanges } from './net-changes.ts';
import { type QuerySteps, queryRow } from './query-steps.ts';
import { createSelectionReader } from './read-selection.ts';
import { findSecurityTerms } from './reference-data.ts';
import { findRevisionChanges } from './revision-changes.ts';
import { type AsOfCache, allRecordsStatement, locateRecords } from './select-records.ts';
import type { QuerySession, RunOptions } from './session.ts';
import { hasDays, streamByDateSlice } from './stream-by-date-slice.ts';
import { findVintages } from './vintages.ts';

const SINGLE_STATEMENT = { isSingleStatement: true };

/** All queries but the stream of all records; with a cache if all revisions are committed. */
export function createStoreQueries(
  session: Pick<QuerySession, 'dialect' | 'run'>,
  cache?: AsOfCache,
): Omit<StoreQueries, 'records'> {
  const { dialect } = session;
  const run = async <T>(steps: () => QuerySteps<T>, options?: RunOptions): Promise<T> =>
    session.run(steps, options);
  return {
    declarations: (revision, known) =>
      // What it reads of a revision never changes, so that its statements need no transaction.
      session.run(() => findDeclarations(revision, known), { ...SINGLE_STATEMENT, asOf: revision }),
    revision: () => run(findNewestRevision, SINGLE_STATEMENT),
    read: createSelectionReader(session, cache),
    periods: (dataset, range, asOf) =>
      run(() => findPeriods(dataset, range, asOf, { dialect, cache }), { asOf }),
    dimensionValues: (dataset, asOf) =>
      run(() => findDimensionValues(dataset, asOf, { dialect, cache }), { asOf }),
    dayVersions: (dataset, filter) =>
      run(() => findDayVersions(dataset, filter), { ...SINGLE_STATEMENT, asOf: filter.until }),
    revisionAt: (instant) => run(() => findRevisionAt(instant), SINGLE_STATEMENT),
    revisions: (filter) => run(() => findRevisions(filter), SINGLE_STATEMENT),
    ledgerEntry: (revision) =>
      run(() => findLedgerEntry(revision), { ...SINGLE_STATEMENT, asOf: revision }),
    origins: (dataset, revision, limit) =>
      run(() => findOrigins(dataset, revision, limit), { ...SINGLE_STATEMENT, asOf: revision }),
    changes: async (dataset, revision, limit, after) =>
      completeVersions(
        dataset,
        await run(
          () => findRevisionChanges(getStorageTable(dataset), revision, { limit, after }, dialect),
          { asOf: revision },
        ),
        // A field that is added later is not in it: a revision keeps its bytes.
        revision,
        revision,
      ),
    async netChanges(dataset, filter) {
      const { isAsStored } = filter;
      const includesUnchanged = !isAsStored && hasAddedField(dataset, filter.since, filter.until);
      const found = await run(
        () => findNetChanges(dataset, { ...filter, includesUnchanged }, dialect),
        {
          asOf: filter.until,
        },
      );
      if (isAsStored) return found;
      return { ...found, changes: completeVersions(dataset, found.changes, filter.since) };
    },
    async corrections(dataset, filter, asOf) {
      const found = await run(() => findCorrections(dataset, filter, asOf, dialect), { asOf });
      return { ...found, entries: completeVersions(dataset, found.entries) };
    },
    vintages: (filter, asOf) => run(() => findVintages(filter, asOf, dialect), { asOf }),
    coverage: (datasets, asOf) => run(() => findCoverage(datasets, asOf, dialect), { asOf }),
    missingSeries: (dataset, place, previousPlace) =>
      run(() => findMissingSeries(dataset, place, previousPlace), SINGLE_STATEMENT),
    securities: (dataset, asOf) => run(() => findSecurities(dataset, asOf, dialect), { asOf }),
    funds: (dataset, asOf) => run(() => findFunds(dataset, asOf, dialect), { asOf }),
    securityTerms: (asOf) => run(() => findSecurityTerms(asOf, dialect), { asOf }),
    ...createLogQueries(session),
  };
}

/** Changes whose records have all fields, or those that there were at a revision. */
function completeVersions<T extends { readonly old: string | null; readonly new: string | null }>(
  dataset: Dataset,
  changes: readonly T[],
  oldAsOf?: number,
  newAsOf?: number,
): readonly T[] {
  const completeOld = createCompleter(dataset, oldAsOf) ?? ((text) => text);
  const complete = createCompleter(dataset, newAsOf) ?? ((text) => text);
  return changes.map((each) => ({ ...each, old: completeOld(each.old), new: complete(each.new) }));
}

/**
 * Every record, in batches. Fails at the end if they are not as many as the ledger says: a caller that
 * has got them then knows that some are missing.
 */
export async function* streamCountedRecords(
  session: QuerySession,
  dataset: Dataset,
  asOf: number | undefined,
): AsyncGenerator<readonly string[]> {
  const revision = asOf ?? (await session.run(findNewestRevision));
  const expected = await session.run(() => countRecords(dataset.name, revision));
  let count = 0;
  for await (const batch of streamRecords(session, dataset, revision)) {
    count += batch.length;
    yield batch;
  }
  if (count === expected) return;
  throw new StoreUnavailableError(
    `${dataset.name} has ${expected} records at revision ${revision}, but ${count} were found`,
  );
}

/** Every record, in batches. The session must see one revision for as long as this takes. */
export async function* streamRecords(
  session: QuerySession,
  dataset: Dataset,
  revision: number | undefined,
): AsyncGenerator<readonly string[]> {
  const asOf = await session.run(() => locateRecords(dataset, revision, session.dialect));
  if (asOf === 'nothing') return;
  const table = getStorageTable(dataset);
  const complete = createCompleter(dataset);
  const batches =
    asOf?.isDistributed && hasDays(table)
      ? streamByDateSlice(session, table, (slice) => allRecordsStatement(table, asOf, slice))
      : session.stream(allRecordsStatement(table, asOf));
  for await (const rows of batches) {
    const texts = (rows as readonly { record: string }[]).map(({ record }) => record);
    yield complete ? texts.map(complete) : texts;
  }
}

export function* readSigningSecret(): QuerySteps<Uint8Array> {
  const sql = "SELECT value FROM secrets WHERE name = 'cursor'";
  const row = yield* queryRow<{ value: Uint8Array }>({ sql });
  if (!row) throw new StoreUnavailableError('it has no secret to sign with');
  return row.value;
}
