import { readDelimited } from './delimited/read-delimited.ts';
import { detectFormat } from './detect-format.ts';
import {
  type FileContents,
  type FileFormat,
  type FileInput,
  InvalidFileError,
} from './file-contents.ts';
import { readJson } from './json/read-json.ts';
import { readNdjson } from './json/read-ndjson.ts';
import { readParquet } from './parquet/read-parquet.ts';
import { readXlsx } from './xlsx/read-xlsx.ts';

export { detectFormat } from './detect-format.ts';
export * from './file-contents.ts';
export { openFileInput, type SpooledFile, spoolToFile } from './file-input.ts';

/** What a file holds, read as the format that is named, or else as the one that it is in. */
export async function readContents(
  input: FileInput,
  {
    format,
    sheet,
  }: { readonly format?: FileFormat | undefined; readonly sheet?: string | undefined },
): Promise<FileContents> {
  const chosen = format ?? (await detectFormat(input));
  if (chosen === 'xlsx') return readXlsx(input, { sheet });
  if (sheet !== undefined) {
    throw new InvalidFileError(`has no sheets to choose from: it is read as ${chosen}`);
  }
  if (chosen === 'parquet') return readParquet(input);
  if (chosen === 'json') return readJson(input);
  if (chosen === 'ndjson') return readNdjson(input);
  return readDelimited(input, chosen);
}
