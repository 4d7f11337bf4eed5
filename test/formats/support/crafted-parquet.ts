import type { ColumnChunk, Encoding, PageHeader, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';

type PageFields = Omit<PageHeader, 'uncompressed_page_size' | 'compressed_page_size'>;

interface CraftedPage {
  readonly header: PageFields;
  readonly bytes: Uint8Array;
  /** Where it is compressed. */
  readonly uncompressedBytes?: number;
}

export interface CraftedFile {
  readonly rows: number;
  readonly pages: readonly CraftedPage[];
  readonly element?: Partial<SchemaElement>;
  readonly codec?: 'UNCOMPRESSED' | 'ZSTD';
  /** How many row groups name the same bytes. */
  readonly groups?: number;
}

/** A file of one column whose pages say anything. */
export function buildCrafted({
  rows,
  pages,
  element,
  codec = 'UNCOMPRESSED',
  groups = 1,
}: CraftedFile) {
  const out = new ByteWriter();
  out.appendUint32(0x31524150);
  const start = out.offset;
  for (const { header, bytes, uncompressedBytes = bytes.length } of pages) {
    const sizes = { uncompressed_page_size: uncompressedBytes, compressed_page_size: bytes.length };
    writePageHeader(out, { ...header, ...sizes });
    out.appendBytes(bytes);
  }
  const size = BigInt(out.offset - start);
  const column: ColumnChunk = {
    file_offset: BigInt(start),
    meta_data: {
      type: element?.type ?? 'INT32',
      encodings: ['PLAIN'],
      path_in_schema: ['a'],
      codec,
      num_values: BigInt(rows),
      total_uncompressed_size: size,
      total_compressed_size: size,
      data_page_offset: BigInt(start),
    },
  };
  const schema: SchemaElement[] = [
    { name: 'schema', num_children: 1 },
    { name: 'a', type: 'INT32', repetition_type: 'OPTIONAL', ...element },
  ];
  writeMetadata(out, {
    version: 2,
    schema,
    num_rows: BigInt(rows * groups),
    row_groups: Array.from({ length: groups }, () => ({
      columns: [column],
      total_byte_size: size,
      num_rows: BigInt(rows),
    })),
    metadata_length: 0,
  });
  out.appendUint32(0x31524150);
  return out.getBytes();
}

/** An unsigned number as Parquet writes lengths. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** A run of one value in a byte. */
const run = (count: number, value: number) => [...varint(count * 2), value];

/** A list of deltas that are all the same, behind its first value. */
const deltas = (count: number, first: number, delta: number) => {
  const block = 2 ** Math.ceil(Math.log2(Math.max(128, count)));
  return [...varint(block), 1, ...varint(count), ...varint(first * 2), ...varint(delta * 2), 0];
};

export const pageV1 = (
  count: number,
  encoding: Encoding,
  bytes: readonly number[],
): CraftedPage => ({
  header: {
    type: 'DATA_PAGE',
    data_page_header: {
      num_values: count,
      encoding,
      definition_level_encoding: 'RLE',
      repetition_level_encoding: 'RLE',
    },
  },
  bytes: Uint8Array.from(bytes),
});

const pageV2 = (
  count: number,
  encoding: Encoding,
  { levels = [], values }: { levels?: readonly number[]; values: readonly number[] },
): CraftedPage => ({
  header: {
    type: 'DATA_PAGE_V2',
    data_page_header_v2: {
      num_values: count,
      num_nulls: 0,
      num_rows: count,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: false,
    },
  },
  bytes: Uint8Array.from([...levels, ...values]),
});

const dictionary = (count: number): CraftedPage => ({
  header: {
    type: 'DICTIONARY_PAGE',
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  },
  bytes: new Uint8Array(4),
});

const BILLION = 1_000_000_000;
const levels = run(10, 1);
const levelsV1 = [levels.length, 0, 0, 0, ...levels];
const required = { repetition_type: 'REQUIRED' } as const;
export const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...required } as const;

/** Files of a few bytes that would fill the memory, and why each is rejected. */
export const BOMBS: readonly (readonly [string, CraftedFile, string])[] = [
  [
    'a row group of a billion rows',
    { rows: BILLION, pages: [pageV2(BILLION, 'PLAIN', { levels: run(BILLION, 0), values: [] })] },
    'has a row group of 1000000000 rows; write at most 16777216 into each',
  ],
  [
    'a page of a billion values',
    { rows: 10, pages: [pageV2(BILLION, 'PLAIN', { levels: run(BILLION, 0), values: [] })] },
    'column a cannot be read: it has more values than rows',
  ],
  [
    'a billion nulls',
    { rows: 10, pages: [pageV2(10, 'PLAIN', { levels: run(BILLION, 0), values: [] })] },
    'column a cannot be read: a run has more values than rows',
  ],
  [
    'a billion nulls in a page of the older kind',
    { rows: 10, pages: [pageV1(10, 'PLAIN', [6, 0, 0, 0, ...run(BILLION, 0)])] },
    'column a cannot be read: a run has more values than rows',
  ],
  [
    'a billion references to one value',
    {
      rows: 10,
      pages: [dictionary(1), pageV1(10, 'RLE_DICTIONARY', [...levelsV1, 1, ...run(BILLION, 0)])],
    },
    'column a cannot be read: a run has more values than rows',
  ],
  [
    'a billion references of no bits',
    {
      rows: 10,
      pages: [
        dictionary(1),
        pageV2(10, 'RLE_DICTIONARY', { levels, values: [0, ...varint(2 * BILLION)] }),
      ],
    },
    'column a cannot be read: a run has more values than rows',
  ],
  [
    'a dictionary of a billion values',
    { rows: 10, pages: [dictionary(BILLION), pageV1(10, 'RLE_DICTIONARY', [...levelsV1, 0])] },
    'column a cannot be read: its dictionary has fewer values than it says',
  ],
  [
    'a billion miniblocks',
    {
      rows: 10,
      element: required,
      pages: [
        pageV2(10, 'DELTA_BINARY_PACKED', { values: [128, 1, ...varint(BILLION), 10, 2, 0] }),
      ],
    },
    'column a cannot be read: it has no valid blocks',
  ],
  [
    'values that each repeat a long one',
    {
      rows: 100_000,
      element: text,
      pages: [
        pageV2(100_000, 'DELTA_BYTE_ARRAY', {
          values: [
            ...deltas(100_000, 0, 1),
            ...deltas(100_000, 1, 0),
            ...new Uint8Array(100_000).fill(65),
          ],
        }),
      ],
    },
    'column a cannot be read: its values are too large',
  ],
  [
    'values of a billion bytes each',
    {
      rows: 10,
      element: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: BILLION, ...required },
      pages: [pageV2(10, 'BYTE_STREAM_SPLIT', { values: [1, 2, 3] })],
    },
    'column a cannot be read: its values are too large',
  ],
  [
    'row groups that share their bytes',
    { rows: 10, groups: 100, pages: [pageV2(10, 'PLAIN', { levels: run(10, 0), values: [] })] },
    'is damaged: its columns share bytes',
  ],
];
