import type { LedgerEntry, RevisionSeal } from './ledger.ts';

/** A checksum of the rows that a revision changed, in whatever order they are added. */
export interface RowChecksum {
  addPublished(json: string): void;
  /** Adds a record that the revision superseded, and the revision that had published it. */
  addSuperseded(json: string, since: number): void;
  readonly hex: string;
}

export function createRowChecksum(): RowChecksum {
  let sum = 0n;
  const add = (hash: bigint) => {
    sum = BigInt.asUintN(64, sum + hash);
  };
  return {
    addPublished: (json) => add(Bun.hash.xxHash64(json)),
    addSuperseded: (json, since) => add(Bun.hash.xxHash64(json, BigInt(since))),
    get hex() {
      return sum.toString(16);
    },
  };
}

/** The checksum of a revision: of its entry in the ledger and of its rows. */
export function computeRevisionChecksum(
  entry: LedgerEntry & Pick<RevisionSeal, 'newest'>,
  rows: RowChecksum,
): string {
  const { revision, dataset, publishedAt, source, files, author, sample, report, newest } = entry;
  const { added, corrected, retired, unchanged, options } = entry;
  const counts = [added, corrected, retired, unchanged];
  const content = [revision, dataset, publishedAt, source, files, author, sample, counts, report];
  // Revisions of before options were stored keep their checksums.
  const sealedOptions = JSON.stringify(options) === '{}' ? [] : [options];
  const json = JSON.stringify([...content, newest, rows.hex, ...sealedOptions]);
  return new Bun.CryptoHasher('sha256').update(json).digest('hex');
}
