import type { FileItem, LocationUnit } from '../../formats/read-contents.ts';
import { type AdapterBatch, encodePosition, type ReadingProgress } from './messages.ts';
import type { OpenedFile, ReadingFile } from './opened-file.ts';
import { findRecordLocation } from './record-location.ts';

export type AdapterFunction = (file: OpenedFile) => unknown;

/** An adapter that is none; the message follows its name. */
export class InvalidAdapterError extends Error {}

export function toAdapterFunction(value: unknown): AdapterFunction {
  if (typeof value === 'function') return value as AdapterFunction;
  const found = value === undefined ? 'has no default export' : `exports ${describe(value)}`;
  throw new InvalidAdapterError(
    `${found}; its default export must be a function that takes the opened file and yields records`,
  );
}

const BATCH_RECORDS = 1024;

/** Runs the adapter on a file. */
export async function* streamRecordBatches(
  adapter: AdapterFunction,
  file: ReadingFile,
  takeProgress: () => ReadingProgress,
): AsyncGenerator<AdapterBatch> {
  let items: FileItem[] = [];
  let unit: LocationUnit = 'record';
  let count = 0;
  const takeBatch = (): AdapterBatch => {
    const text = JSON.stringify(items);
    items = [];
    return { kind: 'batch', unit, sheets: file.sheetNames, items: text, ...takeProgress() };
  };
  for await (const record of assertIterable(await adapter(file))) {
    count++;
    const location = findRecordLocation(record) ?? file.current;
    const recordUnit = location ? (file.unit ?? 'record') : 'record';
    if (items.length === BATCH_RECORDS || (recordUnit !== unit && items.length > 0))
      yield takeBatch();
    unit = recordUnit;
    const { position = count, line, sheetNumber } = location ?? {};
    const value = toSendableRecord(record);
    items.push({
      position: encodePosition(position, sheetNumber),
      ...(line !== undefined && { line }),
      value,
    });
  }
  if (count === 0) throw new InvalidAdapterError(`yields no record from ${file.name}`);
  yield takeBatch();
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
function toSendableRecord(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return toSendableValue('', record);
  const values = record as Record<string, unknown>;
  for (const field in values) {
    const value = values[field];
    const type = typeof value;
    if (type === 'string' || (type === 'number' && Number.isFinite(value))) continue;
    if (type === 'object' || type === 'boolean' || type === 'undefined') continue;
    return Object.fromEntries(
      Object.entries(values).map(([name, member]) => [name, toSendableValue(name, member)]),
    );
  }
  return values;
}

function toSendableValue(field: string, value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new InvalidAdapterError(`yields ${describe(value)}${field && ` as ${field}`}`);
  const isText =
    typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value));
  return isText ? String(value) : value;
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' || typeof value === 'symbol'
    ? `a ${typeof value}`
    : `${value}`;
}
