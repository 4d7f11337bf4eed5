import { containsBytes } from '../contains-bytes.ts';
import { InvalidFileError } from '../file-contents.ts';
import { readAttribute } from '../xml/xml-attributes.ts';
import { MAX_SHEET_BYTES, readPart } from '../xml/xml-parts.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { formatColumnName, parseColumnNumber, parseRowNumber } from './cell-address.ts';

export type MergedRange = ReturnType<typeof parseMergedRange>;

/** From the top. They follow the cells in the file, so the sheet is scanned once before. */
export async function readMergedRanges(
  zip: ZipArchive,
  part: string,
): Promise<readonly MergedRange[]> {
  // Searching bytes is many times faster than parsing XML, and most sheets have no merged range.
  if (!(await containsBytes(zip.readBytes(part, MAX_SHEET_BYTES), Buffer.from('mergeCell'))))
    return [];
  const ranges: MergedRange[] = [];
  const open = (name: string, attributes: string, parent: string) => {
    if (name !== 'mergeCell' || parent !== 'mergeCells') return;
    const range = parseMergedRange(readAttribute(attributes, 'ref') ?? '');
    if (range.top < range.bottom || range.left < range.right) ranges.push(range);
    if (ranges.length > MAX_MERGED_RANGES) throw new InvalidFileError(TOO_MANY_MERGED_CELLS);
  };
  await readPart(zip, part, { open }, MAX_SHEET_BYTES);
  return ranges.sort((a, b) => a.top - b.top);
}

/** The merged ranges of a row, as `B3:C3`, if there are any. Row numbers must increase. */
export function createMergedRangeLookup(
  ranges: readonly MergedRange[],
): (row: number) => string[] | undefined {
  let next = 0;
  let overlapping: MergedRange[] = [];
  return (row) => {
    overlapping = overlapping.filter(({ bottom }) => bottom >= row);
    for (let range = ranges[next]; range && range.top <= row; range = ranges[next]) {
      if (range.bottom >= row) overlapping.push(range);
      next += 1;
    }
    if (overlapping.length > MAX_RANGES_PER_ROW) throw new InvalidFileError(TOO_MANY_MERGED_CELLS);
    if (overlapping.length === 0) return undefined;
    return overlapping.map(
      ({ top, bottom, left, right }) =>
        `${formatColumnName(left)}${top}:${formatColumnName(right)}${bottom}`,
    );
  };
}

const MAX_MERGED_RANGES = 250_000;
// Ranges that do not overlap have at least two columns each, or share rows with few others.
const MAX_RANGES_PER_ROW = 16_384;
const TOO_MANY_MERGED_CELLS = 'has far too many merged cells; unmerge them';

function parseMergedRange(range: string) {
  const [from = '', to = from] = range.split(':');
  const rows = [parseRowNumber(from), parseRowNumber(to)];
  const columns = [parseColumnNumber(from), parseColumnNumber(to)];
  if (![...rows, ...columns].every((number) => number >= 1))
    throw new InvalidFileError(`is damaged: ${range.slice(0, 40)} is no range of cells`);
  return {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...columns),
    right: Math.max(...columns),
  };
}
