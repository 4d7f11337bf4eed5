import type { ColumnMetaData, FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
import { Encodings } from 'hyparquet/src/constants.js';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { assertEncodedValues, assertRuns } from './encoding-bounds.ts';

/*
 * A page of a few bytes can say that a value is repeated a billion times, or inflate to gigabytes.
 * The memory that a row group takes is bounded here, before any of it is decoded.
 */

const MIB = 1_048_576;
const MAX_GROUP_ROWS = 16 * MIB;
const MAX_PAGE_BYTES = 256 * MIB;
/** The bytes that a group may inflate to: this, and a multiple of its compressed bytes. */
const FREE_GROUP_BYTES = 256 * MIB;
const MAX_COMPRESSION_RATIO = 200;

/** A Parquet file would take too much memory, or is damaged. */
export class BoundsError extends Error {}

export interface BoundedFile {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer;
  decompress(codec: string, bytes: Uint8Array, size: number): Uint8Array;
  /** What a row group may inflate to. */
  readonly maxGroupBytes: number;
}

/** Rejects row groups that are too large, and columns that share bytes of the file. */
export function assertFooterBounds(footer: FileMetaData): void {
  const large = footer.row_groups.find(({ num_rows }) => num_rows > MAX_GROUP_ROWS);
  if (large)
    throw new BoundsError(
      `has a row group of ${large.num_rows} rows; write at most ${MAX_GROUP_ROWS} into each`,
    );
  const ranges = footer.row_groups
    .flatMap(({ columns }) => columns.flatMap(({ meta_data }) => meta_data ?? []))
    .map(getChunkRange)
    .sort((a, b) => a.start - b.start);
  let end = 0;
  for (const range of ranges) {
    if (range.start < end || range.end < range.start)
      throw new BoundsError('is damaged: its columns share bytes');
    end = range.end;
  }
}

function getChunkRange(chunk: ColumnMetaData): { readonly start: number; readonly end: number } {
  const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
  return { start, end: start + Number(chunk.total_compressed_size) };
}

/** The bytes of a row group's pages; rejects those that would take too much memory, or do not fit its rows. */
export function assertGroupBounds(
  file: BoundedFile,
  { columns, num_rows }: RowGroup,
  elements: readonly SchemaElement[],
): number {
  const compressedBytes = columns.reduce(
    (sum, { meta_data }) => sum + Number(meta_data?.total_compressed_size ?? 0),
    0,
  );
  const maxBytes = FREE_GROUP_BYTES + MAX_COMPRESSION_RATIO * compressedBytes;
  const allowedBytes = Math.min(file.maxGroupBytes, maxBytes);
  let remainingBytes = allowedBytes;
  for (const { meta_data: chunk } of columns) {
    const element = elements.find(({ name }) => name === chunk?.path_in_schema[0]);
    if (!chunk || !element) continue;
    const { start, end } = getChunkRange(chunk);
    const bytes = file.slice(start, end);
    try {
      const limits = { element, num_rows, maxBytes: remainingBytes };
      remainingBytes -= measureColumn(file, bytes, chunk, limits);
    } catch (cause) {
      if (cause instanceof BoundsError) throw cause;
      const column = toSingleLine(element.name);
      throw new BoundsError(`column ${column} cannot be read: ${toSingleLine(cause)}`, {
        cause,
      });
    }
  }
  return allowedBytes - remainingBytes;
}

/** The bytes of the decompressed pages of a column; throws if they are more than allowed. */
function measureColumn(
  file: BoundedFile,
  columnBytes: ArrayBuffer,
  chunk: ColumnMetaData,
  limits: { readonly element: SchemaElement; readonly num_rows: bigint; readonly maxBytes: number },
): number {
  let bytes = 0;
  let values = 0;
  for (const page of readPages(columnBytes)) {
    bytes += page.uncompressedBytes;
    if (page.uncompressedBytes > MAX_PAGE_BYTES || bytes > limits.maxBytes)
      throw new BoundsError(
        `inflates to far more than its ${file.byteLength} bytes; write smaller row groups`,
      );
    if (!page.isDictionary) values += page.count;
    if (values > limits.num_rows) throw new Error('it has more values than rows');
    assertPage(file, page, chunk, limits.element);
  }
  return bytes;
}

/** The fields of a page header, by their numbers in the specification of Parquet. */
type Header = Readonly<Record<'field_2' | 'field_3', unknown>> &
  Readonly<Partial<Record<'field_5' | 'field_7' | 'field_8', Fields>>>;
type Fields = Readonly<Record<`field_${number}`, unknown>>;

/** Walks the pages of a column, as hyparquet does. */
function* readPages(buffer: ArrayBuffer): Generator<ParquetPage> {
  const reader = { view: new DataView(buffer), offset: 0 };
  while (reader.offset < buffer.byteLength - 1) {
    const header = deserializeTCompactProtocol(reader) as Header;
    const size = toCount(header.field_3);
    const bytes = new Uint8Array(buffer, reader.offset, size);
    reader.offset += size;
    yield toPage(header, bytes);
  }
}

type ParquetPage = ReturnType<typeof toPage>;

function toPage(header: Header, bytes: Uint8Array) {
  const { field_5: data, field_7: dictionary, field_8: dataV2 } = header;
  const fields = dataV2 ?? data ?? dictionary ?? {};
  return {
    isDictionary: dictionary !== undefined && !data && !dataV2,
    count: toCount(fields.field_1),
    encoding: Encodings[Number(dataV2 ? dataV2.field_4 : fields.field_2)],
    uncompressedBytes: toCount(header.field_2),
    /** Levels that are not compressed, before the values; undefined in the older kind of page. */
    levels: dataV2 && {
      definitionBytes: toCount(dataV2.field_5),
      repetitionBytes: toCount(dataV2.field_6),
    },
    isCompressed: dataV2?.field_7 !== false,
    bytes,
  };
}

function toCount(value: unknown): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw new Error('a page has no valid header');
}

function assertPage(
  file: BoundedFile,
  page: ParquetPage,
  { codec }: ColumnMetaData,
  element: SchemaElement,
): void {
  const { levels, count, encoding } = page;
  const levelBytes = levels ? levels.repetitionBytes + levels.definitionBytes : 0;
  const packed = page.bytes.subarray(levelBytes);
  const valueBytes = page.uncompressedBytes - levelBytes;
  const values = page.isCompressed ? file.decompress(codec, packed, valueBytes) : packed;
  if (page.isDictionary) {
    if (count > values.length) throw new Error('its dictionary has fewer values than it says');
    return;
  }
  const reader = { view: new DataView(values.buffer, values.byteOffset, values.length), offset: 0 };
  if (element.repetition_type !== 'REQUIRED') {
    if (levels) {
      const { buffer, byteOffset } = page.bytes;
      const offset = byteOffset + levels.repetitionBytes;
      const view = new DataView(buffer, offset, levels.definitionBytes);
      assertRuns({ view, offset: 0 }, { width: 1, count, bytes: levels.definitionBytes });
    } else {
      const bytes = reader.view.getUint32(0, true);
      reader.offset = 4;
      assertRuns(reader, { width: 1, count, bytes });
      reader.offset = 4 + bytes;
    }
  }
  assertEncodedValues(reader, { encoding, count, element, maxBytes: MAX_PAGE_BYTES });
}

/** A name, or the message of an error, in one line. */
export function toSingleLine(text: unknown): string {
  const line = String(text instanceof Error ? text.message : text).replace(/\s+/g, ' ');
  // What the engine says of damaged bytes is about the code that reads them.
  const isOfEngine = [TypeError, RangeError, SyntaxError].some((kind) => text instanceof kind);
  const isUnclear = isOfEngine || (text instanceof Error && /undefined|NaN/.test(line));
  return isUnclear ? 'it is damaged' : line;
}
