import {
  type FileInput,
  InvalidFileError,
  type JsonPathValue,
  readContents,
  readJsonPath,
} from '../../formats/read-contents.ts';
import type { Location } from './row.ts';

/** A value in a JSON file, at the path that an adapter names. */
export interface JsonValue extends Location {
  /** The names, or indexes from 0, that stand for each `*` of the path. */
  readonly keys: readonly string[];
  /** Untyped: what it holds is for the adapter to know. */
  // biome-ignore lint/suspicious/noExplicitAny: an adapter knows the shape of its source.
  readonly value: any;
}

export async function* streamJsonValues(
  input: FileInput,
  path: readonly string[],
  isNdjson: boolean,
): AsyncGenerator<JsonValue> {
  if (isNdjson) yield* streamNdjsonValues(input, path);
  else {
    let position = 1;
    for await (const value of readJsonPath(input, path)) yield { position: position++, ...value };
  }
}

/** The lines are the elements of a list: `*` stands for each of them. */
async function* streamNdjsonValues(input: FileInput, [first, ...rest]: readonly string[]) {
  if (first !== '*')
    throw new InvalidFileError("has one JSON value a line; an adapter reads them with json('*')");
  const contents = await readContents(input, { format: 'ndjson' });
  if (contents.kind !== 'items') return;
  for await (const batch of contents.items)
    for (const { position, value } of batch)
      for (const found of selectWithin(value, rest, [String(position - 1)]))
        yield { position, ...found };
}

function* selectWithin(
  value: unknown,
  [segment, ...rest]: readonly string[],
  keys: readonly string[],
): Generator<Pick<JsonPathValue, 'keys' | 'value'>> {
  if (segment === undefined) {
    yield { keys, value };
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (segment === '*') yield* selectWithin(member, rest, [...keys, key]);
    else if (segment === key) yield* selectWithin(member, rest, keys);
  }
}
