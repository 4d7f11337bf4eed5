import type { StorageTable } from '../schema/storage-table.ts';
import { computeRevisionChecksum, RowChecksum } from '../store/checksum.ts';
import type { LedgerEntry, RevisionSeal, StoredRow } from '../store/open-store.ts';

export type ReportFault = (line: string) => void;

/** Rows that start or end with a revision, counted during the check. */
export interface RevisionTally {
  readonly dataset: string;
  readonly checksum: RowChecksum;
  startedRows: number;
  endedRows: number;
}

export function createTally(dataset: string): RevisionTally {
  return { dataset, checksum: new RowChecksum(), startedRows: 0, endedRows: 0 };
}

/**
 * Compares the entries of the ledger, oldest first, with the counted rows. Revisions that took over
 * archived terms were made by a migration, without a checksum.
 */
export function createLedgerChecker(
  tallies: ReadonlyMap<number, RevisionTally>,
  takenOver: ReadonlySet<number>,
  reportFault: ReportFault,
) {
  const unsealed: number[] = [];
  let previousInstant = '';
  let count = 0;
  return {
    check(entry: LedgerEntry & RevisionSeal): void {
      const { revision, publishedAt, checksum } = entry;
      const tally = tallies.get(revision) ?? createTally(entry.dataset);
      if (revision !== count + 1)
        reportFault(`ledger: revision ${count + 1} is missing before ${revision}`);
      if (publishedAt < previousInstant)
        reportFault(`revision ${revision}: published before the one it follows`);
      previousInstant = publishedAt;
      for (const fault of findSealFaults(entry, tally)) reportFault(fault);
      if (checksum === null && !takenOver.has(revision)) {
        // From the first checksum on, every revision has one.
        if (unsealed.length < count) reportFault(`revision ${revision}: its checksum is gone`);
        unsealed.push(revision);
      }
      count++;
    },
    /** Notes on what cannot be checked. */
    listNotes(): string[] {
      if (unsealed.length === 0) return [];
      return [`revisions from before checksums were kept: ${unsealed.join(', ')}`];
    },
  };
}

/** How the rows of a revision differ from its entry in the ledger: their number, their texts. */
export function findSealFaults(
  entry: LedgerEntry & RevisionSeal,
  { startedRows, endedRows, checksum }: RevisionTally,
): string[] {
  const { revision, added, corrected, retired } = entry;
  const faults: string[] = [];
  if (startedRows !== added + corrected || endedRows !== corrected + retired) {
    const counts = `${added} added, ${corrected} corrected, ${retired} retired`;
    faults.push(
      `revision ${revision}: the ledger says ${counts}; ${startedRows} records begin with it and ${endedRows} end`,
    );
  }
  if (entry.checksum !== null && computeRevisionChecksum(entry, checksum) !== entry.checksum) {
    faults.push(
      `revision ${revision}: its checksum does not match: the ledger or a record was altered`,
    );
  }
  return faults;
}

/** Checks the rows of a table, ordered by key: the revisions of one key must not overlap. */
export function createHistoryChecker(
  dataset: string,
  { columns, key }: StorageTable,
  tallies: ReadonlyMap<number, RevisionTally>,
  reportFault: ReportFault,
) {
  const keyIndexes = key.map(({ column }) => columns.findIndex(({ name }) => name === column));
  let previous: { key: string; until: number | null } | undefined;
  const findTally = (revision: number, row: StoredRow) => {
    const tally = tallies.get(revision);
    if (tally?.dataset === dataset) return tally;
    const location = `${dataset}, ${describeRow(row)}`;
    reportFault(`${location}: revision ${revision} is not in the ledger for it`);
    return undefined;
  };
  return (row: StoredRow) => {
    const { json, since, until } = row;
    const rowKey = keyIndexes.map((index) => row.columns[index]).join('\0');
    const overlaps =
      previous?.key === rowKey && (previous.until === null || previous.until > since);
    if (overlaps || (until !== null && until <= since)) {
      const location = `${dataset}, ${describeRow(row)}`;
      reportFault(`${location}: it stands from ${since} to ${until}, which cannot be`);
    }
    previous = { key: rowKey, until };
    const started = findTally(since, row);
    started?.checksum.addPublished(json);
    const endTally = until === null ? undefined : findTally(until, row);
    // A start outside the ledger is a fault already, and may not even be a number.
    const ended = started && endTally;
    ended?.checksum.addSuperseded(json, since);
    return { started, ended };
  };
}

export function describeRow({ columns, since }: StoredRow): string {
  return `record ${columns.slice(0, 2).join(' ')} of revision ${since}`;
}
