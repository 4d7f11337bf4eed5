import { type FileInput, InvalidFileError } from '../file-contents.ts';
import { type JsonCursor, openJson } from './json-cursor.ts';

/** A value that a path selects. */
export interface JsonPathValue {
  /** The names, or indexes from 0, that stand for each `*` of the path. */
  readonly keys: readonly string[];
  readonly value: unknown;
  /** Its first line. */
  readonly line: number;
}

/** Selects the values at a path of names and indexes, in which `*` stands for any. */
export async function* readJsonPath(
  input: FileInput,
  path: readonly string[],
): AsyncGenerator<JsonPathValue> {
  const cursor = await openJson(input);
  let count = 0;
  for (const value of selectValues(cursor, path, [])) {
    count++;
    yield value;
  }
  cursor.end();
  // With `*`, the path may be there without a value.
  if (count === 0 && !path.includes('*'))
    throw new InvalidFileError(`has no ${path.join('.')} in its JSON`);
}

function* selectValues(
  cursor: JsonCursor,
  [segment, ...rest]: readonly string[],
  keys: readonly string[],
): Generator<JsonPathValue> {
  if (segment === undefined) {
    yield { keys, ...cursor.readValue() };
    return;
  }
  const next = cursor.peek();
  if (next !== '{' && next !== '[') return cursor.skip();
  const seen = new Set<string>();
  for (const nameOrIndex of next === '{' ? cursor.memberNames() : cursor.elementIndexes()) {
    const key = String(nameOrIndex);
    if (segment !== '*' && segment !== key) {
      cursor.skip();
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
