import { computeRevisionChecksum, RowChecksum } from '../store/checksum.ts';
import type { SealedEntry } from '../store/open-store.ts';

/** Called with a fault, and the names of the datasets that it damages: all if none are given. */
export type ReportFault = (line: string, datasets?: readonly string[]) => void;

/**
 * Stands for the ledger among names of datasets. Whether an entry or one of its records was altered
 * is not known, so that what other datasets read from the ledger is in doubt as well.
 */
export const LEDGER = 'ledger';

/** Rows that start or end with a revision, counted during the check. */
export interface RevisionTally {
  readonly dataset: string;
  readonly checksum: RowChecksum;
  startedRows: number;
  endedRows: number;
}

export type RevisionTallies = ReadonlyMap<number, RevisionTally>;

export function createTally(dataset: string): RevisionTally {
  return { dataset, checksum: new RowChecksum(), startedRows: 0, endedRows: 0 };
}

/** Compares the entries of the ledger, oldest first, with the counted rows. */
export function createLedgerChecker(tallies: RevisionTallies, reportFault: ReportFault) {
  let previousInstant = '';
  let count = 0;
  return (entry: SealedEntry): void => {
    const { revision, publishedAt, checksum } = entry;
    const tally = tallies.get(revision) ?? createTally(entry.dataset);
    if (revision !== count + 1)
      reportFault(`ledger: revision ${count + 1} is missing before ${revision}`);
    if (publishedAt < previousInstant)
      reportFault(`revision ${revision}: published before the one it follows`);
    previousInstant = publishedAt;
    for (const fault of findSealFaults(entry, tally)) reportFault(fault, [entry.dataset, LEDGER]);
    if (checksum === null) reportFault(`revision ${revision}: its checksum is gone`);
    count++;
  };
}

/** How the rows of a revision differ from its entry in the ledger: their number, their texts. */
function findSealFaults(
  entry: SealedEntry,
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
