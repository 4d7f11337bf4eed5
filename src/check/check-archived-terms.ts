import type { ReportFault, RevisionTally } from './check-ledger.ts';

/** Rows of the table of archived terms. */
export type ArchivedTerms = readonly (readonly (string | number)[])[];

/**
 * Adds the terms from before they were records of `securities` to the checksums of the quotes that
 * they were published with; returns the revisions of `securities` that took them over.
 */
export function checkArchivedTerms(
  rows: ArchivedTerms,
  tallies: ReadonlyMap<number, RevisionTally>,
  reportFault: ReportFault,
): ReadonlySet<number> {
  const takenOver = new Set<number>();
  for (const [json, since, until] of rows) {
    const [started, ended] = [tallies.get(Number(since)), tallies.get(Number(until))];
    if (!started || !ended) {
      reportFault(`archived terms, from ${since} to ${until}: not revisions in the ledger`);
      continue;
    }
    started.checksum.addPublished(String(json));
    if (ended.dataset === started.dataset)
      ended.checksum.addSuperseded(String(json), Number(since));
    else takenOver.add(Number(until));
  }
  return takenOver;
}
