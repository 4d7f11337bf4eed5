import { TILE_WIDTH, type Tile } from '../../store/log-reader.ts';

/** The first of several groups is not zero, and more than five would be no exact number. */
const TILE_PATTERN =
  /^(entries|[0-9]|[1-5]\d|6[0-3])\/((?:x(?!000)\d{3}\/(?:x\d{3}\/){0,3})?\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile of a path; undefined where no tile has it, or where it is not written as it should be. */
export function parseTilePath(path: string): Tile | undefined {
  const [, kind, groups = '', partialWidth] = TILE_PATTERN.exec(path) ?? [];
  const width = Number(partialWidth ?? TILE_WIDTH);
  // A full tile is not to be named by its width.
  if (kind === undefined || (partialWidth && width >= TILE_WIDTH)) return undefined;
  const hasEntries = kind === 'entries';
  const index = Number(groups.replaceAll(/\D/g, ''));
  return { level: hasEntries ? 0 : Number(kind), hasEntries, index, width };
}
