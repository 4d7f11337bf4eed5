import { decodeText, readTextHead, TextDecodingError } from '../decode-text.ts';
import type { CellRow, CellTable, FileInput } from '../file-contents.ts';
import { detectDelimiter, HEAD_CHARACTERS, parseSepLine } from './detect-delimiter.ts';
import { DelimitedRowParser } from './row-parser.ts';

/**
 * The rows of a CSV or TSV file, cells exactly as written, without blank lines. The delimiter of CSV
 * is detected; a first line such as `sep=;` names it. Bad bytes, stray quotes and endless lines are
 * rejected, with their line.
 */
export async function readDelimited(input: FileInput, format: 'csv' | 'tsv'): Promise<CellTable> {
  const head = await readTextHead(input, HEAD_CHARACTERS);
  const sepDelimiter = parseSepLine(head);
  const delimiter = sepDelimiter ?? (format === 'tsv' ? '\t' : detectDelimiter(head));
  const hasSepLine = sepDelimiter !== undefined;
  const rows = streamDelimitedRows(input, new DelimitedRowParser(delimiter), hasSepLine);
  return { kind: 'table', locationUnit: 'line', delimiter, rows };
}

async function* streamDelimitedRows(
  input: FileInput,
  parser: DelimitedRowParser,
  hasSepLine: boolean,
): AsyncGenerator<readonly CellRow[]> {
  const takeRows = () => {
    const rows = parser.takeRows();
    return hasSepLine && rows[0]?.position === 1 ? rows.slice(1) : rows;
  };
  try {
    for await (const text of decodeText(input)) {
      parser.feed(text);
      const rows = takeRows();
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    throw error instanceof TextDecodingError ? error.toInvalidFileError(parser.line) : error;
  }
  parser.finish();
  const rows = takeRows();
  if (rows.length > 0) yield rows;
}
