import { Catalogue } from '../catalogue/catalogues.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import { getStorageTable } from '../schema/storage-table.ts';
import { type SealedEntry, type StoreInspector, UNREADABLE_DATASET } from '../store/open-store.ts';
import { getSealedText } from '../store/sealed-text.ts';
import { createTally, findSealFaults, type RevisionTally } from './check-ledger.ts';
import { DatasetChecker } from './dataset-checker.ts';
import { reportUnreadable } from './scrub-store.ts';
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
  reader: StoreInspector,
  catalogue: readonly Dataset[],
  maxRecords: number,
): Promise<SampleResult> {
  const sample = new StoreSample(reader, catalogue, maxRecords);
  await reportUnreadable(sample.reportFault, undefined, () => sample.check());
  return { ...sample.counts, faults: sample.faults };
}

class StoreSample {
  readonly faults: string[] = [];
  readonly counts = { records: 0, totalRecords: 0, revisions: 0, totalRevisions: 0 };

  constructor(
    private readonly reader: StoreInspector,
    private readonly catalogue: readonly Dataset[],
    private readonly maxRecords: number,
  ) {}

  readonly reportFault = (fault: string): void => {
    if (this.faults.length < MAX_LISTED_FAULTS) this.faults.push(fault);
  };

  async check(): Promise<void> {
    const { reader, counts } = this;
    const revision = await reader.revision();
    const tallies = new Map<number, RevisionTally>();
    const small: SealedEntry[] = [];
    for await (const entries of reader.ledger(revision)) {
      for (const entry of entries) {
        tallies.set(entry.revision, createTally(entry.dataset));
        counts.totalRevisions++;
        counts.totalRecords += entry.added + entry.corrected;
        const changes = entry.added + 2 * entry.corrected + entry.retired;
        const isReadable = entry.dataset !== UNREADABLE_DATASET;
        if (isReadable && changes <= this.maxRecords) small.push(entry);
      }
    }
    const readSummary: ReadSummary = (table, range) => reader.summaryRows(table, revision, range);
    const declared = await reader.declarations(revision);
    const datasets = new Catalogue(this.catalogue, declared).listWithRetired();
    for (const dataset of datasets) {
      const checker = new DatasetChecker(dataset, tallies, readSummary, this.reportFault);
      counts.records += await this.#checkSlices(dataset, revision, checker);
    }
    for (const entry of drawSome(small, MAX_REVISIONS)) {
      const dataset = datasets.find(({ name }) => name === entry.dataset);
      await this.#checkSeal(entry, dataset);
      counts.revisions++;
    }
  }

  /** Returns how many records it checked. */
  async #checkSlices(
    dataset: Dataset,
    revision: number | undefined,
    checker: DatasetChecker,
  ): Promise<number> {
    const { reader, maxRecords } = this;
    const table = getStorageTable(dataset);
    let records = 0;
    const slices = Math.ceil(maxRecords / SLICE_RECORDS);
    for await (const { rows, range } of reader.sampleSlices(table, revision, slices)) {
      for (const row of rows) checker.check(row);
      records += rows.length;
      await checker.summaries.compareDays(range);
      for (const fault of (await reader.indexFaults?.(table, range)) ?? [])
        this.reportFault(`structure: ${fault}`);
      if (records >= maxRecords) break;
    }
    return records;
  }

  /** Computes the checksum of one revision from its records. */
  async #checkSeal(entry: SealedEntry, dataset: Dataset | undefined): Promise<void> {
    const { revision } = entry;
    if (!dataset)
      return this.reportFault(`revision ${revision}: no dataset is called ${entry.dataset}`);
    const tally = createTally(entry.dataset);
    const table = getStorageTable(dataset);
    const { published, superseded } = await this.reader.revisionRows(table, revision);
    for (const row of published) tally.checksum.addPublished(getSealedText(table, row));
    for (const row of superseded)
      tally.checksum.addSuperseded(getSealedText(table, row), row.since);
    tally.startedRows = published.length;
    tally.endedRows = superseded.length;
    for (const fault of findSealFaults(entry, tally)) this.reportFault(fault);
  }
}

function drawSome<T>(values: readonly T[], count: number): T[] {
  return values
    .map((value) => [Math.random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, value]) => value);
}
