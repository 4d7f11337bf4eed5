import { Catalogue } from '../catalogue/catalogues.ts';
import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable } from '../schema/storage-table.ts';
import { StoreDamagedError, type StoreInspector } from '../store/open-store.ts';
import {
  createLedgerChecker,
  createTally,
  type ReportFault,
  type RevisionTallies,
  type RevisionTally,
} from './check-ledger.ts';
import type { StoredChanges } from './check-log.ts';
import { DatasetChecker } from './dataset-checker.ts';

interface CheckStoreOptions {
  /** The shipped datasets; those that are declared are read. */
  readonly catalogue: readonly Dataset[];
  readonly reportFault: ReportFault;
  /** Called after each slice with the number of its records; the check waits for it, or fails. */
  readonly afterSlice: (records: number) => Promise<void>;
  /** What else is done with the current records of a dataset that are valid. */
  readonly inspectRecords?: (dataset: Dataset, revision: number) => Promise<RecordInspection>;
  /** Where all rows are added, for a check of the log. */
  readonly changes?: StoredChanges;
}

interface RecordInspection {
  readonly check: (record: AnyRecord) => void;
  readonly finish: () => Promise<void>;
}

interface CheckedStore {
  /** All was checked as of this revision; 0 if not even that could be read. */
  readonly revision: number;
  readonly revisions: number;
}

/**
 * Checks structure, records, history, ledger and checksums, in slices, each of which is let go. All
 * of it is as of the revision that it starts with.
 */
export async function checkStore(
  inspector: StoreInspector,
  options: CheckStoreOptions,
): Promise<CheckedStore> {
  const result = { revision: 0, revisions: 0 };
  for (const check of [checkStructure, checkRecords])
    await reportUnreadable(options.reportFault, undefined, async () => {
      Object.assign(result, await check(inspector, options));
    });
  return result;
}

/** Reports what cannot be read as a fault of the dataset that it is of: the others are checked. */
export async function reportUnreadable(
  reportFault: ReportFault,
  dataset: string | undefined,
  check: () => Promise<void>,
): Promise<void> {
  try {
    await check();
  } catch (cause) {
    if (!(cause instanceof StoreDamagedError)) throw cause;
    const fault = `${dataset ?? 'the database'} cannot be read: ${cause.message}`;
    reportFault(fault, dataset === undefined ? undefined : [dataset]);
  }
}

async function checkStructure(
  inspector: StoreInspector,
  { reportFault, afterSlice }: CheckStoreOptions,
): Promise<void> {
  for await (const { faults, datasets } of inspector.structureFaults()) {
    for (const fault of faults) reportFault(`structure: ${fault}`, datasets);
    await afterSlice(0);
  }
}

async function checkRecords(
  inspector: StoreInspector,
  options: CheckStoreOptions,
): Promise<CheckedStore> {
  const { catalogue, reportFault, afterSlice } = options;
  const revision = await inspector.revision();
  const tallies = new Map<number, RevisionTally>();
  for await (const entries of inspector.ledger(revision)) {
    for (const entry of entries) tallies.set(entry.revision, createTally(entry.dataset));
    await afterSlice(0);
  }
  // Some may have been declared since the server knew of them.
  const declared = await inspector.declarations(revision);
  for (const dataset of new Catalogue(catalogue, declared).listWithRetired())
    await reportUnreadable(reportFault, dataset.name, () =>
      checkDataset(inspector, dataset, revision, tallies, options),
    );
  const checkEntry = createLedgerChecker(tallies, reportFault);
  for await (const entries of inspector.ledger(revision)) {
    entries.forEach(checkEntry);
    await afterSlice(0);
  }
  return { revision, revisions: tallies.size };
}

async function checkDataset(
  inspector: StoreInspector,
  dataset: Dataset,
  revision: number,
  tallies: RevisionTallies,
  { reportFault, afterSlice, inspectRecords, changes }: CheckStoreOptions,
): Promise<void> {
  const inspection = await inspectRecords?.(dataset, revision);
  const checker = new DatasetChecker(
    dataset,
    tallies,
    (table, range) => inspector.summaryRows(table, revision, range),
    reportFault,
    changes,
  );
  const table = getStorageTable(dataset);
  for await (const { rows, range } of inspector.slices(table, revision)) {
    for (const row of rows) {
      const record = checker.check(row);
      if (record && row.until === null) inspection?.check(record);
    }
    await checker.summaries.compareDays(range);
    for (const fault of inspector.indexFaults?.(table, range) ?? [])
      reportFault(`structure: ${fault}`, [dataset.name]);
    await afterSlice(rows.length);
  }
  await inspection?.finish();
  await checker.summaries.compareSecurities();
}
