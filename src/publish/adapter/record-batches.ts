import type { FileItem, LocationUnit } from '../../formats/read-contents.ts';
import { isPlainObject } from '../../shared/is-plain-object.ts';
import { encodePosition } from './messages.ts';
import type { OpenedFile, ReadingFile } from './opened-file.ts';
import { findRecordLocation, type Location } from './row.ts';
import type { RecordBatch } from './staged-batches.ts';

export type AdapterFunction = (file: OpenedFile) => unknown;

/** A file that is not an adapter; the message follows its name. */
export class InvalidAdapterError extends Error {}

export function toAdapterFunction(value: unknown): AdapterFunction {
  if (typeof value === 'function') return value as AdapterFunction;
  const found = value === undefined ? 'has no default export' : `exports ${describe(value)}`;
  throw new InvalidAdapterError(
    `${found}; its default export must be a function that takes the opened file and yields records`,
  );
}

const BATCH_RECORDS = 1024;

/** Runs the adapter on a file; `onRecord` is called for each record. */
export async function* streamRecordBatches(
  adapter: AdapterFunction,
  file: ReadingFile,
  onRecord: () => void,
): AsyncGenerator<RecordBatch> {
  let items: FileItem[] = [];
  let unit: LocationUnit = 'record';
  let count = 0;
  const takeBatch = (): RecordBatch => {
    const batch = { unit, sheets: file.sheetNames, items, detected: file.detected };
    items = [];
    return batch;
  };
  for await (const record of assertIterable(await adapter(file))) {
    count++;
    onRecord();
    const location = findRecordLocation(record) ?? file.current;
    const recordUnit = location ? (file.unit ?? 'record') : 'record';
    if (items.length === BATCH_RECORDS || (recordUnit !== unit && items.length > 0))
      yield takeBatch();
    unit = recordUnit;
    items.push(toFileItem(record, location ?? { position: count }));
  }
  yield takeBatch();
}

function toFileItem(record: unknown, { position, line, sheetNumber }: Location): FileItem {
  const located = {
    position: encodePosition(position, sheetNumber),
    ...(line !== undefined && { line }),
  };
  if (!isPlainObject(record)) return { ...located, value: toSendableValue('', record) };
  const names = Object.keys(record);
  const value = names.map((name) => toSendableValue(name, record[name]));
  return { ...located, names, value };
}

function assertIterable(value: unknown): AsyncIterable<unknown> | Iterable<unknown> {
  const isIterable =
    typeof value === 'object' &&
    value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value);
  if (isIterable) return value as AsyncIterable<unknown>;
  throw new InvalidAdapterError(
    `returns ${describe(value)}; its default export must yield records (async function*), or return a list of them`,
  );
}

/** JSON has no such numbers, which the checks are to find; functions are mistakes of the adapter. */
function toSendableValue(field: string, value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new InvalidAdapterError(`yields ${describe(value)}${field && ` as ${field}`}`);
  const isText =
    typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value));
  return isText ? String(value) : (value ?? null);
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' || typeof value === 'symbol'
    ? `a ${typeof value}`
    : `${value}`;
}
