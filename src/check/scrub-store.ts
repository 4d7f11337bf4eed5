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
import type { ReadSummary } from './summary-checker.ts';

interface ScrubOptions {
  /** The shipped datasets; those that are declared are read. */
  readonly catalogue: readonly Dataset[];
  readonly reportFault: ReportFault;
  /** Called after each slice with the number of its records; the scrub waits for it, or fails. */
  readonly afterSlice: (records: number) => Promise<void>;
  /** What else is done with the current records of a dataset that are valid. */
  readonly inspectRecords?: (dataset: Dataset) => Promise<RecordInspection>;
  /** Where all rows are added, for a check of the log. */
  readonly changes?: StoredChanges;
}

interface RecordInspection {
  readonly check: (record: AnyRecord) => void;
  readonly finish: () => Promise<void>;
}

interface ScrubResult {
  readonly revisions: number;
  /** What cannot be checked. */
  readonly notes: readonly string[];
}

/**
 * Checks structure, records, history, ledger and checksums; while a server runs in slices, each of which
 * is read in a short transaction and let go. All of it is as of the revision that it starts with.
 */
export async function scrubStore(
  reader: StoreInspector,
  options: ScrubOptions,
): Promise<ScrubResult> {
  const result = { revisions: 0, notes: [] as string[] };
  for (const scrub of [scrubStructure, scrubRecords])
    await reportUnreadable(options.reportFault, undefined, async () => {
      Object.assign(result, await scrub(reader, options));
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

async function scrubStructure(reader: StoreInspector, { reportFault, afterSlice }: ScrubOptions) {
  for await (const { faults, datasets } of reader.structureFaults()) {
    for (const fault of faults) reportFault(`structure: ${fault}`, datasets);
    await afterSlice(0);
  }
}

async function scrubRecords(reader: StoreInspector, options: ScrubOptions): Promise<ScrubResult> {
  const { catalogue, reportFault, afterSlice } = options;
  const revision = await reader.revision();
  const tallies = new Map<number, RevisionTally>();
  for await (const entries of reader.ledger(revision)) {
    for (const entry of entries) tallies.set(entry.revision, createTally(entry.dataset));
    await afterSlice(0);
  }
  // Some may have been declared since the scrub was started.
  const declared = await reader.declarations(revision);
  for (const dataset of new Catalogue(catalogue, declared).listWithRetired())
    await reportUnreadable(reportFault, dataset.name, () =>
      scrubDataset(reader, dataset, revision, tallies, options),
    );
  const ledgerChecker = createLedgerChecker(tallies, reportFault);
  for await (const entries of reader.ledger(revision)) {
    entries.forEach(ledgerChecker.check);
    await afterSlice(0);
  }
  return { revisions: tallies.size, notes: ledgerChecker.listNotes() };
}

async function scrubDataset(
  reader: StoreInspector,
  dataset: Dataset,
  revision: number | undefined,
  tallies: RevisionTallies,
  { reportFault, afterSlice, inspectRecords, changes }: ScrubOptions,
): Promise<void> {
  const inspection = await inspectRecords?.(dataset);
  const readSummary: ReadSummary = (table, range) => reader.summaryRows(table, revision, range);
  const table = getStorageTable(dataset);
  const checker = new DatasetChecker(dataset, tallies, readSummary, reportFault, changes);
  for await (const { rows, range } of reader.slices(table, revision)) {
    for (const row of rows) {
      const record = checker.check(row);
      if (record && row.until === null) inspection?.check(record);
    }
    await checker.summaries.compareDays(range);
    await afterSlice(rows.length);
  }
  await inspection?.finish();
  await checker.summaries.compareSecurities();
  const { ledger, rows } = await reader.ends(table);
  // A damaged number may be none at all.
  if (rows <= ledger) return;
  const fault = `it has records of revision ${rows}, and the ledger ends with ${ledger}`;
  reportFault(`${dataset.name}: ${fault}`, [dataset.name]);
}
