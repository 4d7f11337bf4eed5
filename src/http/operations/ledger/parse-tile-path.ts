/** A part of a log by C2SP tlog-tiles: the first hashes of a tile, or of a bundle of entries. */
export interface Tile {
  readonly level: number;
  readonly hasEntries: boolean;
  readonly index: number;
  /** How many of its hashes, up to 256. */
  readonly width: number;
}

export const TILE_WIDTH = 256;
const MAX_LEVEL = 63;

/** More groups than these would be no exact number; the first one has a digit other than zero. */
const INDEX_SOURCE = String.raw`(?:x(?!000)\d{3}/(?:x\d{3}/){0,3})?\d{3}`;
const TILE_PATTERN = new RegExp(
  String.raw`^(entries|0|[1-9]\d?)/(${INDEX_SOURCE})(?:\.p/([1-9]\d{0,2}))?$`,
);

/** The tile of a path; undefined where no tile has it, or where it is not written as it should be. */
export function parseTilePath(path: string): Tile | undefined {
  const [, kind = '', index = '', partialWidth] = TILE_PATTERN.exec(path) ?? [];
  const level = kind === 'entries' ? 0 : Number(kind);
  const width = Number(partialWidth ?? TILE_WIDTH);
  // A full tile is not to be named by its width.
  const isWide = partialWidth !== undefined && width >= TILE_WIDTH;
  if (kind === '' || level > MAX_LEVEL || isWide) return undefined;
  const hasEntries = kind === 'entries';
  return { level, hasEntries, index: Number(index.replaceAll(/\D/g, '')), width };
}
