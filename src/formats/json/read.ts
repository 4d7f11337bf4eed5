import { FileRefused, type Input, type Item, type Items } from '../format.ts';
import { Cursor } from './cursor.ts';

/**
 * The items of a JSON file: the elements of a list; the `data` of an envelope as this service
 * sends it; or the one record that an object is. At no time is more than one piece of the file in
 * memory. A file that is not whole and sound is refused, though maybe behind its first items.
 */
export function readJson(input: Input): Items {
  return { kind: 'items', place: 'record', items: itemsOf(input) };
}

async function* itemsOf(input: Input): AsyncGenerator<readonly Item[]> {
  const isEnvelope = await hasStatusAndData(input);
  const cursor = new Cursor(input);
  try {
    if (isEnvelope) yield* dataOf(cursor);
    else if ((await cursor.peek()) === '[') yield* elementsOf(cursor);
    else yield [await recordOf(cursor)];
    await cursor.end();
  } finally {
    await cursor.close();
  }
}

/** In a reading of its own, for the status may stand behind the data. */
async function hasStatusAndData(input: Input): Promise<boolean> {
  const cursor = new Cursor(input);
  try {
    if ((await cursor.peek()) !== '{') return false;
    const names = new Set<string>();
    for await (const name of namesOf(cursor)) {
      names.add(name);
      if (names.has('status') && names.has('data')) return true;
      await cursor.skip();
    }
    return false;
  } finally {
    await cursor.close();
  }
}

async function* elementsOf(cursor: Cursor): AsyncGenerator<readonly Item[]> {
  await cursor.take('[');
  if ((await cursor.peek()) === ']') {
    await cursor.take(']');
    return;
  }
  let batch: Item[] = [];
  let { pieces } = cursor;
  let at = 1;
  do {
    batch.push({ at: at++, ...(await cursor.value()) });
    if (cursor.pieces > pieces) {
      yield batch;
      batch = [];
      pieces = cursor.pieces;
    }
  } while ((await cursor.take(',', ']')) === ',');
  if (batch.length > 0) yield batch;
}

async function recordOf(cursor: Cursor): Promise<Item> {
  const next = await cursor.peek();
  if (next === '') throw new FileRefused('is empty');
  if (next !== '{') throw new FileRefused('has neither a list nor an object as its JSON');
  const item = await cursor.value();
  refuseFailure(item.value as Members);
  return { at: 1, ...item };
}

async function* dataOf(cursor: Cursor): AsyncGenerator<readonly Item[]> {
  const members = new Map<string, unknown>();
  for await (const name of namesOf(cursor)) {
    if (members.has(name)) {
      throw new FileRefused(`has ${JSON.stringify(name)} twice, again on line ${cursor.line}`);
    }
    members.set(name, []);
    if (name === 'data' && (await cursor.peek()) === '[') {
      yield* elementsOf(cursor);
      continue;
    }
    const item = await cursor.value();
    members.set(name, item.value);
    if (name === 'data' && isObject(item.value)) yield [{ at: 1, ...item }];
  }
  refuseFailure(Object.fromEntries(members));
  if (members.get('status') !== 'ok') throw new FileRefused('has a status other than "ok"');
  if (isObject(members.get('data'))) return;
  throw new FileRefused('has neither a list nor an object as its data');
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A failure as this service sends it has a message, and mostly no data. */
function refuseFailure({ status, message }: Members): void {
  if (status !== 'error' || typeof message !== 'string') return;
  throw new FileRefused(`is the reply to a request that failed: ${JSON.stringify(message)}`);
}

/** The names in an object; between one and the next, whoever asks reads the value. */
async function* namesOf(cursor: Cursor): AsyncGenerator<string> {
  await cursor.take('{');
  if ((await cursor.peek()) === '}') {
    await cursor.take('}');
    return;
  }
  do {
    const { value: name } = await cursor.value();
    if (typeof name !== 'string') throw new FileRefused(`has broken JSON on line ${cursor.line}`);
    await cursor.take(':');
    yield name;
  } while ((await cursor.take(',', '}')) === ',');
}
