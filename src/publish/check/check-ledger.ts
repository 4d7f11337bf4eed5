import {
  computeRevisionChecksum,
  createRowChecksum,
  type RowChecksum,
} from '../../store/checksum.ts';
import type { LedgerEntry, RevisionSeal } from '../../store/open-store.ts';

export type ReportFault = (line: string) => void;

/** Rows that start or end with a revision, counted during the check. */
export interface RevisionTally {
  readonly dataset: string;
  readonly checksum: RowChecksum;
  startedRows: number;
  endedRows: number;
}

export function createTally(dataset: string): RevisionTally {
  return { dataset, checksum: createRowChecksum(), startedRows: 0, endedRows: 0 };
}

/** Compares the ledger with the counted rows; returns notes on what cannot be checked. */
export function checkLedger(
  ledger: readonly (LedgerEntry & RevisionSeal)[],
  tallies: ReadonlyMap<number, RevisionTally>,
  reportFault: ReportFault,
): string[] {
  const unsealed: number[] = [];
  let previousInstant = '';
  for (const [index, entry] of ledger.entries()) {
    const { revision, publishedAt, added, corrected, retired, checksum } = entry;
    const tally = tallies.get(revision) ?? createTally(entry.dataset);
    if (revision !== index + 1)
      reportFault(`ledger: revision ${index + 1} is missing before ${revision}`);
    if (publishedAt < previousInstant)
      reportFault(`revision ${revision}: published before the one it follows`);
    previousInstant = publishedAt;
    if (tally.startedRows !== added + corrected || tally.endedRows !== corrected + retired) {
      const counts = `${added} added, ${corrected} corrected, ${retired} retired`;
      reportFault(
        `revision ${revision}: the ledger says ${counts}; ${tally.startedRows} records begin with it and ${tally.endedRows} end`,
      );
    }
    if (checksum === null) {
      // From the first checksum on, every revision has one.
      if (unsealed.length < index) reportFault(`revision ${revision}: its checksum is gone`);
      unsealed.push(revision);
    } else if (computeRevisionChecksum(entry, tally.checksum) !== checksum) {
      reportFault(
        `revision ${revision}: its checksum does not match: the ledger or a record was altered`,
      );
    }
  }
  if (unsealed.length === 0) return [];
  return [`revisions from before checksums were kept: ${unsealed.join(', ')}`];
}
