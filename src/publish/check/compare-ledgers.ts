import type { LedgerEntry, RevisionSeal } from '../../store/open-store.ts';

type SealedEntry = Pick<LedgerEntry, 'revision'> & RevisionSeal;

/** Why a replica is not one of the same history; a replica may lack the newest revisions. */
export function findLedgerDifference(
  primary: readonly SealedEntry[],
  replica: readonly SealedEntry[],
): string | undefined {
  const checksums = new Map(primary.map(({ revision, checksum }) => [revision, checksum]));
  const different = replica.find(
    ({ revision, checksum }) => checksums.has(revision) && checksums.get(revision) !== checksum,
  );
  return different && `ledger: revision ${different.revision} is another one on the first server`;
}
