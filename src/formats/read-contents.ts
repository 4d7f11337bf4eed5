import { readDelimited } from './delimited/read-delimited.ts';
import { detectFormat } from './detect-format.ts';
import {
  assertNoEncoding,
  type FileContents,
  type FileFormat,
  type FileInput,
  InvalidFileError,
} from './file-contents.ts';
import { readJson, readNdjson } from './json/read-json.ts';

export { detectFormat } from './detect-format.ts';
export * from './file-contents.ts';
export { openFileInput, type SpooledFile, spoolToFile, toSpoolError } from './file-input.ts';
export { assertJsonDepth, assertJsonLimits } from './json/parse-value.ts';
export { type JsonPathValue, readJsonPath } from './json/read-json-path.ts';
export { readLines, readText } from './read-lines.ts';
export { type DetectedEncoding, TEXT_ENCODINGS, type TextEncoding } from './text-encoding.ts';

/** Reads a file in the given format, or in the detected one. */
export async function readContents(
  input: FileInput,
  {
    format,
    sheet,
  }: { readonly format?: FileFormat | undefined; readonly sheet?: string | undefined },
): Promise<FileContents> {
  const fileFormat = format ?? (await detectFormat(input));
  // Imported on demand: these two formats have most of the modules that read files.
  if (fileFormat === 'xlsx') return (await import('./xlsx/read-xlsx.ts')).readXlsx(input, sheet);
  if (sheet !== undefined)
    throw new InvalidFileError(`has no sheets to choose from: it is read as ${fileFormat}`);
  if (fileFormat === 'parquet') {
    assertNoEncoding(input, fileFormat);
    return (await import('./parquet/read-parquet.ts')).readParquet(input);
  }
  if (fileFormat === 'json') return readJson(input);
  if (fileFormat === 'ndjson') return readNdjson(input);
  return readDelimited(input, fileFormat);
}
