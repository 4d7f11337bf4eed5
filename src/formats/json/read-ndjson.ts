import type { FileInput, FileItem, ItemStream } from '../file-contents.ts';
import { readLineBatches } from '../read-lines.ts';
import { assertValueLength, isJsonWhitespace, JsonValueParser } from './json-value-parser.ts';

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
  const parser = new JsonValueParser(line);
  parser.findEnd(text, start);
  parser.append(text);
  return [{ position: line, value: parser.parse() }];
}
