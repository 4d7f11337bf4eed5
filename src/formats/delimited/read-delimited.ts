import { decodeText, readTextHead, TextDecodingError, type TextHead } from '../decode-text.ts';
import {
  type CellRow,
  type CellTable,
  type FileInput,
  InvalidFileError,
} from '../file-contents.ts';
import { DelimitedRowParser } from './row-parser.ts';

/**
 * The rows of a CSV or TSV file, without blank lines and without the apostrophes that escape formulas; other
 * cells are exactly as written. The delimiter of CSV is detected; a first line such as `sep=;` names it. Invalid
 * bytes, stray quotes and endless lines are rejected with their line.
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
  let blankCharacters = 0;
  try {
    for await (const text of decodeText(input)) {
      parser.feed(text);
      const rows = takeRows();
      if (rows.length > 0) yield rows;
      blankCharacters += rows.length > 0 || parser.hasText ? -Infinity : text.length;
      if (blankCharacters > MAX_HEAD_CHARACTERS)
        throw new InvalidFileError('has no row in its first MiB that could name the columns');
    }
  } catch (error) {
    throw error instanceof TextDecodingError ? error.toInvalidFileError(parser.line) : error;
  }
  parser.finish();
  const rows = takeRows();
  if (rows.length > 0) yield rows;
}

/** A file begins with titles and a header; more blank lines are no table. */
const MAX_HEAD_CHARACTERS = 1024 ** 2;

/** The length of the text from which a delimiter is detected. */
export const HEAD_CHARACTERS = 64 * 1024;

// In order of preference; a comma may be a decimal sign.
const DELIMITERS = ['\t', ';', '|', ','];
const RARE_DELIMITERS = ['^', '@', '~', '#', '!'];

/** The delimiter that splits the most lines into the same number of cells. */
export function detectDelimiter(head: TextHead): string {
  const text = head.text.replace(QUOTED_CELL, '$1x');
  const lines = text.split(/\r\n|\r|\n/);
  if (!head.isComplete && lines.length > 1) lines.pop();
  const filled = lines.filter((line) => /[^\s;|,]/.test(line));
  const scores = DELIMITERS.map((delimiter) => scoreDelimiter(delimiter, filled));
  // Commas that only stand between digits are decimal signs, if another delimiter splits as well.
  const isDecimalComma = !/(^|\D),|,(\D|$)/.test(text);
  const weight = ({ delimiter, cells }: ReturnType<typeof scoreDelimiter>) =>
    delimiter === ',' && isDecimalComma ? 0 : cells;
  const [best] = scores.toSorted((a, b) => b.lines - a.lines || weight(b) - weight(a));
  const { lines: most = 0, delimiter = ',' } = best ?? {};
  // In nearly all lines; titles are excepted.
  const rare = RARE_DELIMITERS.map((sign) => scoreDelimiter(sign, filled)).find(
    ({ cells, lines }) => cells > 2 && lines > 1 && lines > most && lines > filled.length * 0.9 - 2,
  );
  return rare?.delimiter ?? (most === 0 ? ',' : delimiter);
}

/** The delimiter in a first line such as `sep=;`, which Excel writes and reads. */
export function parseSepLine(head: TextHead): string | undefined {
  return /^sep=([^"\r\n])(?=[\r\n]|$)/i.exec(head.text)?.[1];
}

const QUOTED_CELL = /(^|[\t;|,\r\n])"[^"]*(?:""[^"]*)*(?:"|$)/g;

/** The most frequent number of cells among lines with several, and how many lines have it. */
function scoreDelimiter(delimiter: string, lines: readonly string[]) {
  const widths = Map.groupBy(lines, (line) => line.split(delimiter).length);
  const several = [...widths].filter(([cells]) => cells > 1);
  const [mostFrequent] = several.toSorted(([, a], [, b]) => b.length - a.length);
  const [cells, matching] = mostFrequent ?? [1, []];
  return { delimiter, cells, lines: matching.length };
}
