import type { LedgerEntry, RevisionSeal } from './ledger.ts';

/**
 * Adds up what a revision did to the rows of its dataset. The sum does not depend on the order, so
 * a load makes it in the order of its file, and a check in the order of the table.
 */
export interface RowChecksum {
  /** A record's text that begins to stand with the revision. */
  addStarted(text: string): void;
  /** A record's text that the revision replaced or retired, and since when it had stood. */
  addEnded(text: string, since: number): void;
  readonly hex: string;
}

/** An empty sum. */
export function createRowChecksum(): RowChecksum {
  let sum = 0n;
  const add = (hash: bigint) => {
    sum = BigInt.asUintN(64, sum + hash);
  };
  return {
    addStarted: (text) => add(Bun.hash.xxHash64(text)),
    addEnded: (text, since) => add(Bun.hash.xxHash64(text, BigInt(since))),
    get hex() {
      return sum.toString(16);
    },
  };
}

/** The checksum of a revision: over its entry in the ledger and over what it did to the rows. */
export function computeRevisionChecksum(
  entry: LedgerEntry & Pick<RevisionSeal, 'newest'>,
  sum: RowChecksum,
): string {
  const { revision, dataset, publishedAt, source, files, author, sample, report, newest } = entry;
  const { added, corrected, retired, unchanged } = entry;
  const counts = [added, corrected, retired, unchanged];
  const content = [revision, dataset, publishedAt, source, files, author, sample, counts, report];
  const sealed = JSON.stringify([...content, newest, sum.hex]);
  return new Bun.CryptoHasher('sha256').update(sealed).digest('hex');
}
