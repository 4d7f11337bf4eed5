import type { SealedEntry } from './ledger.ts';

/** A checksum of the rows that a revision changed, in whatever order they are added. */
export class RowChecksum {
  #sum = 0n;

  addPublished(json: string): void {
    this.#add(Bun.hash.xxHash64(json));
  }

  /** Adds a record that the revision superseded, and the revision that had published it. */
  addSuperseded(json: string, since: number): void {
    this.#add(Bun.hash.xxHash64(json, BigInt(since)));
  }

  get hex(): string {
    return this.#sum.toString(16);
  }

  #add(hash: bigint): void {
    this.#sum = BigInt.asUintN(64, this.#sum + hash);
  }
}

/** The checksum of a revision: of its entry in the ledger and of its rows. */
export function computeRevisionChecksum(
  entry: Omit<SealedEntry, 'checksum'>,
  rows: RowChecksum,
): string {
  const { revision, dataset, publishedAt, source, files, author, sample, report, newest } = entry;
  const { added, corrected, retired, unchanged, options } = entry;
  const counts = [added, corrected, retired, unchanged];
  const content = [revision, dataset, publishedAt, source, files, author, sample, counts, report];
  const sealedOptions = JSON.stringify(options) === '{}' ? [] : [options];
  const json = JSON.stringify([...content, newest, rows.hex, ...sealedOptions]);
  return new Bun.CryptoHasher('sha256').update(json).digest('hex');
}
