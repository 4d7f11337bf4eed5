import { readDelimited } from './delimited/read.ts';
import { detect } from './detect.ts';
import { type Contents, FileRefused, type FormatName, type Input } from './format.ts';
import { readNdjson } from './json/lines.ts';
import { readJson } from './json/read.ts';
import { readParquet } from './parquet/read.ts';
import { readXlsx } from './xlsx/read.ts';

export { detect } from './detect.ts';
export * from './format.ts';
export { openInput, type Spooled, spool } from './input.ts';

/** What a file holds, read as the format that is named, or else as the one that it is in. */
export async function readContents(
  input: Input,
  { format, sheet }: { readonly format?: FormatName; readonly sheet?: string },
): Promise<Contents> {
  const chosen = format ?? (await detect(input));
  if (chosen === 'xlsx') return readXlsx(input, sheet === undefined ? {} : { sheet });
  if (sheet !== undefined) {
    throw new FileRefused(`has no sheets to choose from: it is read as ${chosen}`);
  }
  if (chosen === 'parquet') return readParquet(input);
  if (chosen === 'json') return readJson(input);
  if (chosen === 'ndjson') return readNdjson(input);
  return readDelimited(input, chosen);
}
