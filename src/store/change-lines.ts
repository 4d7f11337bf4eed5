import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { ChangeName } from '../catalogue/operations/changes.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import { getStorageTable } from '../schema/storage-table.ts';
import { splitSealedText } from './sealed-text.ts';

/** The sealed texts of a record before and after a change; null where there was no such record. */
export interface TextChange {
  readonly old: string | null;
  readonly new: string | null;
}

/** One change as JSON, or two where another record took the place: of another label, or letter case. */
export function createChangeSerializer(dataset: Dataset): (change: TextChange) => string[] {
  // Columns of the key that are fields as they are need not be compared again.
  const columns = getStorageTable(dataset).key.map(({ column }) => column);
  const fields = getKeyFields(dataset).filter((field) => !columns.includes(field));
  const isSameRecord = (old: string, replacement: string) => {
    if (fields.length === 0) return true;
    const [a, b] = [old, replacement].map(
      (text) => JSON.parse(splitSealedText(text).json) as AnyRecord,
    );
    return fields.every((field) => a?.[field] === b?.[field]);
  };
  const hasOwnStatus = Object.hasOwn(dataset.fields, 'status');
  const serializeChange = (change: ChangeName, sealedText: string) => {
    const { json, status } = splitSealedText(sealedText);
    return `{"change":"${change}","record":${json}${serializeStatus(status, hasOwnStatus)}}`;
  };
  return ({ old, new: replacement }) => {
    if (old === null) return replacement === null ? [] : [serializeChange('added', replacement)];
    if (replacement === null) return [serializeChange('retired', old)];
    return isSameRecord(old, replacement)
      ? [serializeChange('corrected', replacement)]
      : [serializeChange('retired', old), serializeChange('added', replacement)];
  };
}

/** The status of a record that has none itself, as a member of an object. */
export function serializeStatus(status: string | undefined, hasOwnStatus: boolean): string {
  return status === undefined || hasOwnStatus ? '' : `,"status":"${status}"`;
}

const DIGEST_BYTES = 32;

/** The digest of the lines of a revision's changes, in whatever order they are added. */
export class ChangeDigest {
  #digests = new Uint8Array(8 * DIGEST_BYTES);
  #count = 0;
  readonly #toLines: (change: TextChange) => string[];

  constructor(dataset: Dataset) {
    this.#toLines = createChangeSerializer(dataset);
  }

  add(change: TextChange): void {
    for (const line of this.#toLines(change)) {
      const start = this.#count++ * DIGEST_BYTES;
      if (start === this.#digests.length) this.#grow();
      Bun.SHA256.hash(line, this.#digests.subarray(start, start + DIGEST_BYTES));
    }
  }

  /** SHA-256 over the ascending digests of all lines. */
  get hex(): string {
    const hasher = new Bun.CryptoHasher('sha256');
    for (const index of this.#sortIndexes()) hasher.update(this.#getDigest(index));
    return hasher.digest('hex');
  }

  #grow(): void {
    const digests = this.#digests;
    this.#digests = new Uint8Array(2 * digests.length);
    this.#digests.set(digests);
  }

  #getDigest(index: number): Uint8Array {
    return this.#digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES);
  }

  /** By the first four bytes as numbers, which is fast; the few that have the same ones by the rest. */
  #sortIndexes(): Uint32Array {
    const view = new DataView(this.#digests.buffer);
    const numbers = new BigUint64Array(this.#count);
    const halves = new DataView(numbers.buffer);
    for (let index = 0; index < this.#count; index++) {
      halves.setUint32(8 * index, index, true);
      halves.setUint32(8 * index + 4, view.getUint32(index * DIGEST_BYTES), true);
    }
    numbers.sort();
    const indexes = Uint32Array.from({ length: this.#count }, (_, rank) =>
      halves.getUint32(8 * rank, true),
    );
    const isBefore = (a = 0, b = 0) => Buffer.compare(this.#getDigest(a), this.#getDigest(b)) < 0;
    for (let rank = 1; rank < indexes.length; rank++) {
      for (let at = rank; at > 0 && isBefore(indexes[at], indexes[at - 1]); at--)
        [indexes[at - 1], indexes[at]] = [indexes[at] as number, indexes[at - 1] as number];
    }
    return indexes;
  }
}
