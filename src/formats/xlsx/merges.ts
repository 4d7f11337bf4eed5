import { FileRefused } from '../format.ts';
import { columnName, columnOf, rowOf } from './address.ts';
import { attribute } from './attributes.ts';
import { SHEET_BYTES, scanPart } from './parts.ts';
import type { Zip } from './unzip.ts';

/** A merged range of more than one cell. */
export interface Merge {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/**
 * The merged ranges of a sheet, from the top. They stand behind the cells in the file, so a sheet
 * is looked through for them once before its rows are read.
 */
export async function mergesOf(zip: Zip, part: string): Promise<readonly Merge[]> {
  // Looking for bytes is many times faster than reading XML, and most sheets have no such range.
  if (!(await mentions(zip.bytes(part, SHEET_BYTES), 'mergeCell'))) return [];
  const merges: Merge[] = [];
  const open = (name: string, attributes: string, parent: string) => {
    if (name !== 'mergeCell' || parent !== 'mergeCells') return;
    const merge = mergeOf(attribute(attributes, 'ref') ?? '');
    if (merge.top < merge.bottom || merge.left < merge.right) merges.push(merge);
    if (merges.length > MOST_MERGES) throw new FileRefused(TOO_MANY);
  };
  const ignore = () => {};
  const reader = { open, text: ignore, close: ignore };
  for await (const _ of scanPart(zip, part, SHEET_BYTES, reader));
  return merges.sort((one, other) => one.top - other.top);
}

/**
 * Tells the merged ranges that a row is a part of, as `B3:C3`, or undefined where there are none.
 * Rows must be asked for from the top down.
 */
export function mergesByRow(merges: readonly Merge[]): (row: number) => string[] | undefined {
  let next = 0;
  let touching: Merge[] = [];
  return (row) => {
    touching = touching.filter(({ bottom }) => bottom >= row);
    for (let merge = merges[next]; merge && merge.top <= row; merge = merges[next]) {
      if (merge.bottom >= row) touching.push(merge);
      next += 1;
    }
    if (touching.length > MOST_ABREAST) throw new FileRefused(TOO_MANY);
    return touching.length === 0 ? undefined : touching.map(rangeText);
  };
}

/** Whether a word of ASCII stands in the bytes, wherever they are cut. */
export async function mentions(pieces: AsyncIterable<Uint8Array>, word: string): Promise<boolean> {
  let end = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    if (bytes.includes(word)) return true;
    // The word may be cut in two.
    if (Buffer.concat([end, bytes.subarray(0, word.length)]).includes(word)) return true;
    end = Buffer.concat([end, bytes.subarray(-word.length)]).subarray(-word.length);
  }
  return false;
}

const MOST_MERGES = 250_000;
// Ranges that do not overlap have at least two columns each, or share rows with few others.
const MOST_ABREAST = 16_384;
const TOO_MANY = 'has far too many merged cells; unmerge them';

function mergeOf(range: string): Merge {
  const [from = '', to = from] = range.split(':');
  const rows = [rowOf(from), rowOf(to)];
  const columns = [columnOf(from), columnOf(to)];
  if (![...rows, ...columns].every((number) => number >= 1)) {
    throw new FileRefused(`is damaged: ${range.slice(0, 40)} is no range of cells`);
  }
  return {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...columns),
    right: Math.max(...columns),
  };
}

const rangeText = ({ top, bottom, left, right }: Merge) =>
  `${columnName(left)}${top}:${columnName(right)}${bottom}`;
