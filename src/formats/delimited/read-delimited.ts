import { decodeText, readTextHead, TextDecodingError } from '../decode-text.ts';
import type { CellRow, CellTable, FileInput } from '../file-contents.ts';
import { detectDelimiter, HEAD_CHARACTERS, parseSepLine } from './detect-delimiter.ts';
import { DelimitedRowParser } from './row-parser.ts';

/**
 * The rows of a CSV or TSV file, cells exactly as written. The delimiter of CSV is found by
 * looking, that of TSV is the tab; a first line such as `sep=;` names either. Blank lines are left
 * out. What has no one meaning is refused, by its line: bad bytes, stray quotes, endless lines.
 */
export async function readDelimited(input: FileInput, format: 'csv' | 'tsv'): Promise<CellTable> {
  const head = await readTextHead(input, HEAD_CHARACTERS);
  const named = parseSepLine(head);
  const delimiter = named ?? (format === 'tsv' ? '\t' : detectDelimiter(head));
  const rows = streamDelimitedRows(input, new DelimitedRowParser(delimiter), named !== undefined);
  return { kind: 'table', locationUnit: 'line', delimiter, rows };
}

async function* streamDelimitedRows(
  input: FileInput,
  records: DelimitedRowParser,
  isNamed: boolean,
): AsyncGenerator<readonly CellRow[]> {
  const take = () => {
    const rows = records.takeRows();
    return isNamed && rows[0]?.position === 1 ? rows.slice(1) : rows;
  };
  try {
    for await (const text of decodeText(input.readBytes())) {
      records.feed(text);
      const rows = take();
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    throw error instanceof TextDecodingError ? error.toInvalidFileError(records.line) : error;
  }
  records.finish();
  const rows = take();
  if (rows.length > 0) yield rows;
}
