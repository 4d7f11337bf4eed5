import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import {
  type CellRow,
  type FileInput,
  InvalidFileError,
} from '../../../src/formats/file-contents.ts';
import { readXlsx } from '../../../src/formats/xlsx/read-xlsx.ts';
import { writeZip } from '../../../src/formats/zip/write-zip.ts';

/** What a test sets in a workbook; everything else is minimal. */
export interface WorkbookParts {
  /** The content of `sheetData` of each sheet, by its name. */
  readonly sheets?: Readonly<Record<string, string>>;
  /** XML after `sheetData`. */
  readonly afterSheetData?: string;
  /** Attributes of the `sheet` elements, by the sheet's name, such as `state="hidden"`. */
  readonly states?: Readonly<Record<string, string>>;
  /** `si` elements. */
  readonly strings?: string;
  /** Number formats of the cell styles: built-in ones by id, custom ones by code. */
  readonly formats?: readonly (number | string)[];
  /** XML of `workbook` before its sheets. */
  readonly workbookXml?: string;
  /** Parts to replace, add, or with undefined remove. */
  readonly parts?: Readonly<Record<string, string | undefined>>;
}

export function buildParts(workbook: WorkbookParts): Record<string, string> {
  const sheets = Object.entries(workbook.sheets ?? {});
  const relations = sheets.map(
    (_, index) =>
      `<Relationship Id="s${index}" Type="x/worksheet" Target="worksheets/${index}.xml"/>`,
  );
  const sheetElements = sheets.map(
    ([name], index) => `<sheet name="${name}" r:id="s${index}" ${workbook.states?.[name] ?? ''}/>`,
  );
  const parts: Record<string, string | undefined> = {
    '_rels/.rels':
      '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml': `<workbook>${workbook.workbookXml ?? ''}<sheets>${sheetElements.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}
      <Relationship Id="t" Type="x/sharedStrings" Target="sharedStrings.xml"/>
      <Relationship Id="u" Type="x/styles" Target="/xl/styles.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst>${workbook.strings ?? ''}</sst>`,
    'xl/styles.xml': buildStylesXml(workbook.formats ?? []),
  };
  sheets.forEach(([, data], index) => {
    parts[`xl/worksheets/${index}.xml`] =
      `<worksheet><sheetData>${data}</sheetData>${workbook.afterSheetData ?? ''}</worksheet>`;
  });
  const entries = Object.entries({ ...parts, ...workbook.parts });
  return Object.fromEntries(
    entries.filter((part): part is [string, string] => part[1] !== undefined),
  );
}

function buildStylesXml(formats: readonly (number | string)[]): string {
  const customFormats = formats.map((format, index) =>
    typeof format === 'string'
      ? `<numFmt numFmtId="${200 + index}" formatCode="${format.replaceAll('"', '&quot;')}"/>`
      : '',
  );
  const styles = formats.map((format, index) => {
    return `<xf numFmtId="${typeof format === 'string' ? 200 + index : format}"/>`;
  });
  return `<styleSheet><numFmts>${customFormats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs>${styles.join('')}</cellXfs><dxfs><dxf><numFmt numFmtId="0" formatCode="yyyy"/></dxf></dxfs></styleSheet>`;
}

export async function createZip(
  parts: Readonly<Record<string, string | Uint8Array>>,
): Promise<Buffer> {
  const listed = Object.entries(parts).map(([name, content]) => {
    return { name, chunks: [typeof content === 'string' ? Buffer.from(content) : content] };
  });
  return concatChunks(writeZip(listed));
}

/** A ZIP archive of one file, with any values in its central directory. */
export function createSingleFileZip(
  name: string,
  content: string | Uint8Array,
  header: { size?: number; method?: number; flags?: number; wide?: boolean; crc?: number } = {},
): Buffer {
  const method = header.method ?? 8;
  const bytes = Buffer.from(content);
  const packed = method === 8 ? deflateRawSync(bytes) : bytes;
  const size = header.size ?? bytes.length;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const extra = Buffer.alloc(header.wide ? 28 : 0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(header.flags ?? 0, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(header.crc ?? crc32(bytes), 16);
  entry.writeUInt32LE(header.wide ? 0xffffffff : packed.length, 20);
  entry.writeUInt32LE(header.wide ? 0xffffffff : size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(header.wide ? 0xffffffff : 0, 42);
  if (header.wide) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(size), 4);
    extra.writeBigUInt64LE(BigInt(packed.length), 12);
  }
  const before = Buffer.concat([local, Buffer.from(name), packed]);
  const directory = Buffer.concat([entry, Buffer.from(name), extra]);
  return Buffer.concat([
    before,
    directory,
    buildEndOfDirectory(before.length, directory.length, header.wide),
  ]);
}

function buildEndOfDirectory(offset: number, size: number, wide = false): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(wide ? 0xffffffff : size, 12);
  end.writeUInt32LE(wide ? 0xffffffff : offset, 16);
  if (!wide) return end;
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  return Buffer.concat([record, locator, end]);
}

export async function concatChunks(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

export async function withTempFile<T>(bytes: Uint8Array, use: (path: string) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-xlsx-'));
  const path = join(folder, 'book.xlsx');
  writeFileSync(path, bytes);
  try {
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function readBatchesFrom(
  path: string,
  sheet?: string,
): Promise<(readonly CellRow[])[]> {
  const input: FileInput = {
    getPath: async () => path,
    readBytes: () => {
      throw new Error('a workbook is read by its path');
    },
    close: () => {},
  };
  const table = await readXlsx(input, sheet);
  const batches: (readonly CellRow[])[] = [];
  for await (const batch of table.rows) batches.push(batch);
  return batches;
}

export async function readWorkbookRows(
  book: WorkbookParts | Uint8Array,
  sheet?: string,
): Promise<CellRow[]> {
  const bytes = book instanceof Uint8Array ? book : await createZip(buildParts(book));
  return withTempFile(bytes, async (path) => (await readBatchesFrom(path, sheet)).flat());
}

export async function readWorkbookError(
  book: WorkbookParts | Uint8Array,
  sheet?: string,
): Promise<string> {
  try {
    await readWorkbookRows(book, sheet);
  } catch (error) {
    if (error instanceof InvalidFileError) return error.message;
    throw error;
  }
  throw new Error('the workbook was not rejected');
}
