import {
  type FileInput,
  type FileItem,
  InvalidFileError,
  type ItemStream,
} from '../file-contents.ts';
import { readLineBatches } from '../read-lines.ts';
import { type JsonCursor, openJson } from './json-cursor.ts';
import {
  assertValueLength,
  findValueEnd,
  isJsonWhitespace,
  MAX_NAMES,
  parseValue,
} from './parse-value.ts';

/** The elements of a list, the `data` of a response of this service, or a single object. */
export function readJson(input: FileInput): ItemStream {
  return { kind: 'items', locationUnit: 'record', items: streamJsonItems(input) };
}

async function* streamJsonItems(input: FileInput): AsyncGenerator<readonly FileItem[]> {
  const cursor = await openJson(input);
  if (hasEnvelope(cursor.copy())) yield* readEnvelopeData(cursor);
  else if (cursor.peek() === '[') yield* readElements(cursor);
  else yield [readSingleRecord(cursor)];
  cursor.end();
}

/** Reads ahead, because the status may follow the data. */
function hasEnvelope(cursor: JsonCursor): boolean {
  if (cursor.peek() !== '{') return false;
  let [hasStatus, hasData] = [false, false];
  for (const name of cursor.memberNames()) {
    hasStatus ||= name === 'status';
    hasData ||= name === 'data';
    if (hasStatus && hasData) return true;
    cursor.skip();
  }
  return false;
}

const BATCH_SIZE = 1_000;

function* readElements(cursor: JsonCursor): Generator<readonly FileItem[]> {
  let batch: FileItem[] = [];
  for (const index of cursor.elementIndexes()) {
    batch.push({ position: index + 1, ...cursor.readValue() });
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function readSingleRecord(cursor: JsonCursor): FileItem {
  const next = cursor.peek();
  if (next === '') throw new InvalidFileError('is empty');
  if (next !== '{') throw new InvalidFileError('has neither a list nor an object as its JSON');
  const item = cursor.readValue();
  assertNotErrorResponse(item.value as ObjectMembers);
  return { position: 1, ...item };
}

function* readEnvelopeData(cursor: JsonCursor): Generator<readonly FileItem[]> {
  const members = new Map<string, unknown>();
  for (const name of cursor.memberNames()) {
    if (members.has(name))
      throw new InvalidFileError(`has ${JSON.stringify(name)} twice, again on line ${cursor.line}`);
    members.set(name, []);
    if (members.size > MAX_NAMES)
      throw new InvalidFileError(
        `has more than ${MAX_NAMES.toLocaleString('en')} names at its top`,
      );
    if (name === 'data' && cursor.peek() === '[') {
      yield* readElements(cursor);
      continue;
    }
    const item = cursor.readValue();
    members.set(name, item.value);
    if (name === 'data' && isObjectOrArray(item.value)) yield [{ position: 1, ...item }];
  }
  assertNotErrorResponse(Object.fromEntries(members));
  if (members.get('status') !== 'ok') throw new InvalidFileError('has a status other than "ok"');
  if (isObjectOrArray(members.get('data'))) return;
  throw new InvalidFileError('has neither a list nor an object as its data');
}

type ObjectMembers = Readonly<Record<string, unknown>>;

function isObjectOrArray(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** An error response of this service has a message, and mostly no data. */
function assertNotErrorResponse({ status, message }: ObjectMembers): void {
  if (status !== 'error' || typeof message !== 'string') return;
  throw new InvalidFileError(`is the reply to a request that failed: ${JSON.stringify(message)}`);
}

/** The values of an NDJSON file, one on each line; blank lines are skipped. */
export function readNdjson(input: FileInput): ItemStream {
  return { kind: 'items', locationUnit: 'line', items: streamNdjsonItems(input) };
}

async function* streamNdjsonItems(input: FileInput): AsyncGenerator<readonly FileItem[]> {
  for await (const { position, texts } of readLineBatches(input, assertValueLength)) {
    const items = texts.flatMap((text, index) => parseLine(position + index, text));
    if (items.length > 0) yield items;
  }
}

function parseLine(line: number, text: string): FileItem[] {
  let start = 0;
  while (isJsonWhitespace(text.charCodeAt(start))) start++;
  if (start === text.length) return [];
  const { colons } = findValueEnd(text, start, line);
  return [{ position: line, value: parseValue(text, colons, line) }];
}
