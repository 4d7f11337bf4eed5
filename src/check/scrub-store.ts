import type { Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable } from '../schema/storage-table.ts';
import { type ScrubReader, StoreDamagedError } from '../store/open-store.ts';
import { ARCHIVED_TERMS_TABLE } from '../store/sql/archived-terms.ts';
import { checkArchivedTerms } from './check-archived-terms.ts';
import {
  createHistoryChecker,
  createLedgerChecker,
  createTally,
  type ReportFault,
  type RevisionTally,
} from './check-ledger.ts';
import { checkRecord } from './check-record.ts';
import { createSummaryScrubber } from './scrub-summaries.ts';

export interface ScrubOptions {
  readonly catalogue: readonly Dataset[];
  readonly reportFault: ReportFault;
  /** Called after each slice with the number of its records; the scrub waits for it, or fails. */
  readonly afterSlice: (records: number) => Promise<void>;
}

/**
 * Checks what `tenor check` checks, without its warnings, while a server runs: in slices, each of which
 * is read in a short transaction and let go. All of it is as of the revision that it starts with.
 */
export async function scrubStore(reader: ScrubReader, options: ScrubOptions): Promise<void> {
  await withDamageReport(options.reportFault, () => scrubStructure(reader, options));
  await withDamageReport(options.reportFault, () => scrubRecords(reader, options));
}

async function withDamageReport(reportFault: ReportFault, operation: () => Promise<void>) {
  try {
    await operation();
  } catch (cause) {
    if (!(cause instanceof StoreDamagedError)) throw cause;
    reportFault(`the database cannot be read: ${cause.message}`);
  }
}

async function scrubStructure(reader: ScrubReader, { reportFault, afterSlice }: ScrubOptions) {
  for await (const faults of reader.structureFaults()) {
    for (const fault of faults) reportFault(`structure: ${fault}`);
    await afterSlice(0);
  }
}

async function scrubRecords(reader: ScrubReader, options: ScrubOptions): Promise<void> {
  const { catalogue, reportFault, afterSlice } = options;
  const revision = await reader.revision();
  const tallies = new Map<number, RevisionTally>();
  for await (const entries of reader.ledger(revision)) {
    for (const entry of entries) tallies.set(entry.revision, createTally(entry.dataset));
    await afterSlice(0);
  }
  const archived = await reader.summaryRows(ARCHIVED_TERMS_TABLE, revision);
  const takenOver = checkArchivedTerms(archived, tallies, reportFault);
  for (const dataset of catalogue) await scrubDataset(reader, dataset, revision, tallies, options);
  for (const table of catalogue.map(getStorageTable)) {
    const { ledger, rows } = await reader.ends(table);
    // A damaged number may be none at all.
    if (!(rows <= ledger)) {
      const end = `the ledger ends with ${ledger}`;
      reportFault(`${table.currentTable}: it has records of revision ${rows}, and ${end}`);
    }
    await afterSlice(0);
  }
  const ledgerChecker = createLedgerChecker(tallies, takenOver, reportFault);
  for await (const entries of reader.ledger(revision)) {
    entries.forEach(ledgerChecker.check);
    await afterSlice(0);
  }
}

type Tallies = ReadonlyMap<number, RevisionTally>;

async function scrubDataset(
  reader: ScrubReader,
  dataset: Dataset,
  revision: number,
  tallies: Tallies,
  { reportFault, afterSlice }: ScrubOptions,
): Promise<void> {
  const table = getStorageTable(dataset);
  const checkHistory = createHistoryChecker(dataset.name, table, tallies, reportFault);
  const summaries = createSummaryScrubber(reader, dataset, revision, reportFault);
  for await (const slice of reader.slices(table, revision)) {
    for (const row of slice.rows) {
      const { started, ended } = checkHistory(row);
      if (started) started.startedRows++;
      if (ended) ended.endedRows++;
      checkRecord(dataset, row, reportFault);
    }
    await summaries.checkSlice(slice);
    await afterSlice(slice.rows.length);
  }
  await summaries.finish();
}
