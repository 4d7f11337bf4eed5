import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { ObservationStatus } from '../catalogue/model/observation-status.ts';
import type { ChangeName } from '../operations/changes/changes-operation.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import { getStorageTable } from '../schema/storage-table.ts';
import { splitSealedText } from './sealed-text.ts';

/** The sealed texts of a record before and after a change; null if there was no such record. */
export interface TextChange {
  readonly old: string | null;
  readonly new: string | null;
}

/** One change as JSON, or two if another record took the place: of another label, or letter case. */
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
    if (sealedText.startsWith('{')) return `{"change":"${change}","record":${sealedText}}`;
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

/** A line of a change, taken apart again: with the text of the record as it is there. */
export function parseChangeLine(line: string) {
  const { change, record, status } = JSON.parse(line) as ParsedChange;
  const start = `{"change":"${change}","record":`.length;
  const end = serializeStatus(status, false).length + '}'.length;
  return { change, record, status, json: line.slice(start, -end) };
}

interface ParsedChange {
  readonly change: ChangeName;
  readonly record: AnyRecord;
  readonly status?: ObservationStatus;
}

/** The status of a record that has none itself, as a member of an object. */
export function serializeStatus(status: string | undefined, hasOwnStatus: boolean): string {
  return status === undefined || hasOwnStatus ? '' : `,"status":"${status}"`;
}

const DIGEST_BYTES = 32;
const DIGEST_WORDS = DIGEST_BYTES / 4;
/** How many digests are hashed at once. */
const HASHED_DIGESTS = 4_096;

/** The digest of the lines of a revision's changes, in whatever order they are added. */
export class ChangeDigest {
  readonly #toLines: (change: TextChange) => string[];
  readonly #added = new Uint8Array(DIGEST_BYTES);
  #digests = new Uint8Array(16 * DIGEST_BYTES);
  #count = 0;
  #hex: string | undefined;

  constructor(dataset: Dataset) {
    this.#toLines = createChangeSerializer(dataset);
  }

  /** Returns the lines of the change. */
  add(change: TextChange): readonly string[] {
    const lines = this.#toLines(change);
    this.#hex = undefined;
    for (const line of lines) {
      const start = this.#count++ * DIGEST_BYTES;
      if (start === this.#digests.length) {
        const grown = new Uint8Array(2 * start);
        grown.set(this.#digests);
        this.#digests = grown;
      }
      Bun.SHA256.hash(line, this.#added);
      this.#digests.set(this.#added, start);
    }
    return lines;
  }

  /** SHA-256 over the ascending digests of all lines. */
  get hex(): string {
    this.#hex ??= this.#compute();
    return this.#hex;
  }

  #compute(): string {
    const hasher = new Bun.CryptoHasher('sha256');
    const words = new Uint32Array(this.#digests.buffer);
    const sorted = new Uint32Array(Math.min(this.#count, HASHED_DIGESTS) * DIGEST_WORDS);
    let end = 0;
    for (const index of this.#sortIndexes()) {
      const start = index * DIGEST_WORDS;
      for (let word = 0; word < DIGEST_WORDS; word++) sorted[end++] = words[start + word] ?? 0;
      if (end < sorted.length) continue;
      hasher.update(sorted);
      end = 0;
    }
    return hasher.update(sorted.subarray(0, end)).digest('hex');
  }

  /** By their first four bytes as numbers, which is fast; the few with the same ones by all bytes. */
  #sortIndexes(): Uint32Array {
    const digests = new DataView(this.#digests.buffer);
    const numbers = new BigUint64Array(this.#count);
    const halves = new DataView(numbers.buffer);
    for (let index = 0; index < this.#count; index++) {
      halves.setUint32(8 * index, index, true);
      halves.setUint32(8 * index + 4, digests.getUint32(index * DIGEST_BYTES), true);
    }
    numbers.sort();
    const indexes = new Uint32Array(this.#count);
    for (let rank = 0; rank < this.#count; rank++) {
      const index = halves.getUint32(8 * rank, true);
      let at = rank;
      for (; at > 0 && this.#isBefore(index, indexes[at - 1] as number); at--)
        indexes[at] = indexes[at - 1] as number;
      indexes[at] = index;
    }
    return indexes;
  }

  #isBefore(index: number, other: number): boolean {
    for (let byte = 0; byte < DIGEST_BYTES; byte++) {
      const difference =
        (this.#digests[index * DIGEST_BYTES + byte] ?? 0) -
        (this.#digests[other * DIGEST_BYTES + byte] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return false;
  }
}
