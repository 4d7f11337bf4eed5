import { InvalidFileError } from '../file-contents.ts';
import { readAttribute } from '../xml/xml-attributes.ts';
import { MAX_SHEET_BYTES, scanPart } from '../xml/xml-parts.ts';
import type { ZipArchive } from '../zip/unzip.ts';
import { formatColumnName, parseColumnNumber, parseRowNumber } from './cell-address.ts';

/** A merged range of more than one cell. */
export interface MergedRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/**
 * The merged ranges of a sheet, from the top. They stand behind the cells in the file, so a sheet
 * is looked through for them once before its rows are read.
 */
export async function readMergedRanges(
  zip: ZipArchive,
  part: string,
): Promise<readonly MergedRange[]> {
  // Looking for bytes is many times faster than reading XML, and most sheets have no such range.
  if (!(await containsWord(zip.readBytes(part, MAX_SHEET_BYTES), 'mergeCell'))) return [];
  const merges: MergedRange[] = [];
  const open = (name: string, attributes: string, parent: string) => {
    if (name !== 'mergeCell' || parent !== 'mergeCells') return;
    const merge = parseMergedRange(readAttribute(attributes, 'ref') ?? '');
    if (merge.top < merge.bottom || merge.left < merge.right) merges.push(merge);
    if (merges.length > MAX_MERGED_RANGES) throw new InvalidFileError(TOO_MANY_MERGED_CELLS);
  };
  const ignore = () => {};
  const reader = { open, text: ignore, close: ignore };
  for await (const _ of scanPart(zip, part, MAX_SHEET_BYTES, reader));
  return merges.sort((one, other) => one.top - other.top);
}

/**
 * Tells the merged ranges that a row is a part of, as `B3:C3`, or undefined where there are none.
 * Rows must be asked for from the top down.
 */
export function createMergedRangeLookup(
  merges: readonly MergedRange[],
): (row: number) => string[] | undefined {
  let next = 0;
  let touching: MergedRange[] = [];
  return (row) => {
    touching = touching.filter(({ bottom }) => bottom >= row);
    for (let merge = merges[next]; merge && merge.top <= row; merge = merges[next]) {
      if (merge.bottom >= row) touching.push(merge);
      next += 1;
    }
    if (touching.length > MAX_RANGES_PER_ROW) throw new InvalidFileError(TOO_MANY_MERGED_CELLS);
    return touching.length === 0 ? undefined : touching.map(formatMergedRange);
  };
}

/** Whether a word of ASCII stands in the bytes, wherever they are cut. */
export async function containsWord(
  chunks: AsyncIterable<Uint8Array>,
  word: string,
): Promise<boolean> {
  let end = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (bytes.includes(word)) return true;
    // The word may be cut in two.
    if (Buffer.concat([end, bytes.subarray(0, word.length)]).includes(word)) return true;
    end = Buffer.concat([end, bytes.subarray(-word.length)]).subarray(-word.length);
  }
  return false;
}

const MAX_MERGED_RANGES = 250_000;
// Ranges that do not overlap have at least two columns each, or share rows with few others.
const MAX_RANGES_PER_ROW = 16_384;
const TOO_MANY_MERGED_CELLS = 'has far too many merged cells; unmerge them';

function parseMergedRange(range: string): MergedRange {
  const [from = '', to = from] = range.split(':');
  const rows = [parseRowNumber(from), parseRowNumber(to)];
  const columns = [parseColumnNumber(from), parseColumnNumber(to)];
  if (![...rows, ...columns].every((number) => number >= 1)) {
    throw new InvalidFileError(`is damaged: ${range.slice(0, 40)} is no range of cells`);
  }
  return {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...columns),
    right: Math.max(...columns),
  };
}

const formatMergedRange = ({ top, bottom, left, right }: MergedRange) =>
  `${formatColumnName(left)}${top}:${formatColumnName(right)}${bottom}`;
