import { decodeText, TextDecodingError } from '../decode-text.ts';
import type { FileInput, FileItem, ItemStream } from '../file-contents.ts';
import { assertValueLength, isJsonWhitespace, JsonValueParser } from './json-value-parser.ts';

/** The values of an NDJSON file, one on each line; blank lines are skipped. */
export function readNdjson(input: FileInput): ItemStream {
  return { kind: 'items', locationUnit: 'line', items: streamNdjsonItems(input) };
}

async function* streamNdjsonItems(input: FileInput): AsyncGenerator<readonly FileItem[]> {
  let line = 1;
  let buffered = '';
  try {
    for await (const chunk of decodeText(input)) {
      const lines = chunk.split('\n');
      lines[0] = buffered + lines[0];
      buffered = lines.pop() ?? '';
      const items = lines.flatMap((text) => parseLine(line++, text));
      if (items.length > 0) yield items;
      assertValueLength(buffered, line);
    }
  } catch (error) {
    throw error instanceof TextDecodingError ? error.toInvalidFileError(line) : error;
  }
  const last = parseLine(line, buffered);
  if (last.length > 0) yield last;
}

function parseLine(line: number, text: string): FileItem[] {
  let start = 0;
  while (isJsonWhitespace(text.charCodeAt(start))) start++;
  if (start === text.length) return [];
  const parser = new JsonValueParser(line);
  parser.findEnd(text, start);
  parser.append(text);
  return [{ position: line, value: parser.parse() }];
}
