import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { ObservationStatus } from '../catalogue/model/observation-status.ts';
import type { ChangeName } from '../operations/changes/changes-operation.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import { getStorageTable } from '../schema/storage-table.ts';
import { splitSealedText } from './sealed-text.ts';
import { DIGEST_BYTES, SortedDigests } from './sorted-digests.ts';

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

/** The digest of the lines of a revision's changes, in whatever order they are added. */
export class ChangeDigest implements Disposable {
  readonly #toLines: (change: TextChange) => string[];
  readonly #added = new Uint8Array(DIGEST_BYTES);
  readonly #digests: SortedDigests;
  #hex: string | undefined;

  /** With a folder, those of many lines are in a temporary file there until it is disposed of. */
  constructor(dataset: Dataset, folder?: string) {
    this.#toLines = createChangeSerializer(dataset);
    this.#digests = new SortedDigests(folder);
  }

  /** Returns the lines of the change. */
  add(change: TextChange): readonly string[] {
    const lines = this.#toLines(change);
    this.#hex = undefined;
    for (const line of lines) this.#digests.add(Bun.SHA256.hash(line, this.#added) as Uint8Array);
    return lines;
  }

  /** SHA-256 over the ascending digests of all lines. */
  get hex(): string {
    this.#hex ??= this.#compute();
    return this.#hex;
  }

  [Symbol.dispose](): void {
    this.#digests.close();
  }

  #compute(): string {
    const hasher = new Bun.CryptoHasher('sha256');
    for (const chunk of this.#digests.readChunks()) hasher.update(chunk);
    return hasher.digest('hex');
  }
}
