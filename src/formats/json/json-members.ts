import { InvalidFileError } from '../file-contents.ts';
import type { JsonCursor } from './json-cursor.ts';

/** The names in an object; the consumer reads or skips the value after each. */
export async function* streamMemberNames(cursor: JsonCursor): AsyncGenerator<string> {
  await cursor.expect('{');
  if ((await cursor.peek()) === '}') {
    await cursor.expect('}');
    return;
  }
  do {
    const { value: name } = await cursor.readValue();
    if (typeof name !== 'string')
      throw new InvalidFileError(`has broken JSON on line ${cursor.line}`);
    await cursor.expect(':');
    yield name;
  } while ((await cursor.expect(',', '}')) === ',');
}

/** The indexes of a list; the consumer reads or skips the element at each. */
export async function* streamElementIndexes(cursor: JsonCursor): AsyncGenerator<string> {
  await cursor.expect('[');
  if ((await cursor.peek()) === ']') {
    await cursor.expect(']');
    return;
  }
  let index = 0;
  do yield String(index++);
  while ((await cursor.expect(',', ']')) === ',');
}
