import type { Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable } from '../schema/storage-table.ts';
import {
  type LedgerEntry,
  type RevisionSeal,
  type ScrubReader,
  StoreDamagedError,
  type SummaryRows,
} from '../store/open-store.ts';
import { ARCHIVED_TERMS_TABLE } from '../store/sql/archived-terms.ts';
import {
  createTally,
  findSealFaults,
  type ReportFault,
  type RevisionTallies,
  type RevisionTally,
} from './check-ledger.ts';
import { DatasetChecker } from './dataset-checker.ts';
import type { ReadSummary } from './summary-checker.ts';

export interface SampleResult {
  readonly records: number;
  /** All that are stored, history included. */
  readonly totalRecords: number;
  /** Revisions whose checksum was computed from their records. */
  readonly revisions: number;
  readonly totalRevisions: number;
  readonly faults: readonly string[];
}

const SLICE_RECORDS = 1_000;
const MAX_REVISIONS = 10;
const MAX_LISTED_FAULTS = 100;

/** Checks records, index entries and revisions that are drawn at random, in bounded time. */
export async function sampleStore(
  reader: ScrubReader,
  catalogue: readonly Dataset[],
  maxRecords: number,
): Promise<SampleResult> {
  const faults: string[] = [];
  const reportFault = (fault: string) => {
    if (faults.length < MAX_LISTED_FAULTS) faults.push(fault);
  };
  const counts = { records: 0, totalRecords: 0, revisions: 0, totalRevisions: 0 };
  try {
    const revision = await reader.revision();
    const tallies = new Map<number, RevisionTally>();
    const small: SealedEntry[] = [];
    for await (const entries of reader.ledger(revision)) {
      for (const entry of entries) {
        tallies.set(entry.revision, createTally(entry.dataset));
        counts.totalRevisions++;
        counts.totalRecords += entry.added + entry.corrected;
        const changes = entry.added + 2 * entry.corrected + entry.retired;
        if (changes <= maxRecords) small.push(entry);
      }
    }
    for (const dataset of catalogue)
      counts.records += await sampleDataset(reader, dataset, {
        revision,
        tallies,
        maxRecords,
        reportFault,
      });
    const archived = await reader.summaryRows(ARCHIVED_TERMS_TABLE, revision);
    for (const entry of drawSome(small, MAX_REVISIONS)) {
      await checkSeal(reader, catalogue, { entry, archived }, reportFault);
      counts.revisions++;
    }
  } catch (cause) {
    if (!(cause instanceof StoreDamagedError)) throw cause;
    reportFault(`the database cannot be read: ${cause.message}`);
  }
  return { ...counts, faults };
}

type SealedEntry = LedgerEntry & RevisionSeal;

interface SampleOptions {
  readonly revision: number;
  readonly tallies: RevisionTallies;
  readonly maxRecords: number;
  readonly reportFault: ReportFault;
}

/** Returns how many records it checked. */
async function sampleDataset(
  reader: ScrubReader,
  dataset: Dataset,
  { revision, tallies, maxRecords, reportFault }: SampleOptions,
): Promise<number> {
  const table = getStorageTable(dataset);
  const readSummary: ReadSummary = (summary, range) => reader.summaryRows(summary, revision, range);
  const checker = new DatasetChecker(dataset, tallies, readSummary, reportFault);
  let records = 0;
  const slices = Math.ceil(maxRecords / SLICE_RECORDS);
  for await (const { rows, range } of reader.sampleSlices(table, revision, slices)) {
    for (const row of rows) checker.check(row);
    records += rows.length;
    await checker.summaries.compareDays(range);
    for (const fault of await reader.indexFaults(table, range)) reportFault(`structure: ${fault}`);
    if (records >= maxRecords) break;
  }
  return records;
}

/** Computes the checksum of one revision from its records. */
async function checkSeal(
  reader: ScrubReader,
  catalogue: readonly Dataset[],
  { entry, archived }: { entry: SealedEntry; archived: SummaryRows },
  reportFault: ReportFault,
): Promise<void> {
  const dataset = catalogue.find(({ name }) => name === entry.dataset);
  if (!dataset)
    return reportFault(`revision ${entry.revision}: no dataset is called ${entry.dataset}`);
  const tally = createTally(entry.dataset);
  const { revision } = entry;
  const { published, superseded } = await reader.revisionRows(getStorageTable(dataset), revision);
  for (const { json } of published) tally.checksum.addPublished(json);
  for (const { json, since } of superseded) tally.checksum.addSuperseded(json, since);
  for (const [json, since, until] of archived) {
    if (since === revision) tally.checksum.addPublished(String(json));
    if (until === revision && entry.checksum !== null)
      tally.checksum.addSuperseded(String(json), Number(since));
  }
  tally.startedRows = published.length;
  tally.endedRows = superseded.length;
  for (const fault of findSealFaults(entry, tally)) reportFault(fault);
}

function drawSome<T>(values: readonly T[], count: number): T[] {
  return values
    .map((value) => [Math.random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, value]) => value);
}
