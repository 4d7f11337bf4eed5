import { type FileInput, InvalidFileError } from '../file-contents.ts';
import { JsonCursor } from './json-cursor.ts';

/** A value that a path selects. */
export interface JsonPathValue {
  /** The names, or indexes from 0, that stand for each `*` of the path. */
  readonly keys: readonly string[];
  readonly value: unknown;
  /** Its first line. */
  readonly line: number;
}

/**
 * Streams the values at a path of names and indexes, in which `*` stands for any. Of the file no more
 * than one of the values is in memory.
 */
export async function* readJsonPath(
  input: FileInput,
  path: readonly string[],
): AsyncGenerator<JsonPathValue> {
  const cursor = new JsonCursor(input);
  try {
    let count = 0;
    for await (const value of selectValues(cursor, path, [])) {
      count++;
      yield value;
    }
    await cursor.end();
    // With `*`, the path may be there without a value.
    if (count === 0 && !path.includes('*'))
      throw new InvalidFileError(`has no ${path.join('.')} in its JSON`);
  } finally {
    await cursor.close();
  }
}

async function* selectValues(
  cursor: JsonCursor,
  [segment, ...rest]: readonly string[],
  keys: readonly string[],
): AsyncGenerator<JsonPathValue> {
  if (segment === undefined) {
    yield { keys, ...(await cursor.readValue()) };
    return;
  }
  const next = await cursor.peek();
  if (next !== '{' && next !== '[') return cursor.skip();
  const seen = new Set<string>();
  for await (const nameOrIndex of next === '{' ? cursor.memberNames() : cursor.elementIndexes()) {
    const key = String(nameOrIndex);
    if (segment !== '*' && segment !== key) {
      await cursor.skip();
      continue;
    }
    // Elements of a list are many, and never have the same index.
    if (next === '{') {
      if (seen.has(key))
        throw new InvalidFileError(
          `has ${JSON.stringify(key)} twice, again on line ${cursor.line}`,
        );
      seen.add(key);
    }
    yield* selectValues(cursor, rest, segment === '*' ? [...keys, key] : keys);
  }
}
