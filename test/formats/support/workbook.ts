import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import {
  type CellRow,
  type FileInput,
  InvalidFileError,
} from '../../../src/formats/file-contents.ts';
import { readXlsx } from '../../../src/formats/xlsx/read-xlsx.ts';
import { writeZip } from '../../../src/formats/zip/write-zip.ts';

/** The parts of a workbook that a test is about; what it leaves out is as plain as can be. */
export interface Made {
  /** What stands in `sheetData` of each sheet, by its name. */
  readonly sheets?: Readonly<Record<string, string>>;
  /** What stands behind `sheetData`. */
  readonly behind?: string;
  /** Attributes of the `sheet` elements, by the sheet's name, such as `state="hidden"`. */
  readonly states?: Readonly<Record<string, string>>;
  /** `si` elements. */
  readonly strings?: string;
  /** Number formats of the styles that cells can name: built-in ones by number, own ones by code. */
  readonly formats?: readonly (number | string)[];
  /** What stands in `workbook` before its sheets. */
  readonly about?: string;
  /** Parts that are replaced, added, or with undefined left out. */
  readonly parts?: Readonly<Record<string, string | undefined>>;
}

/** The parts of a workbook, by their names. */
export function partsOf(made: Made): Record<string, string> {
  const sheets = Object.entries(made.sheets ?? {});
  const relations = sheets.map(
    (_, index) =>
      `<Relationship Id="s${index}" Type="x/worksheet" Target="worksheets/${index}.xml"/>`,
  );
  const named = sheets.map(
    ([name], at) => `<sheet name="${name}" r:id="s${at}" ${made.states?.[name] ?? ''}/>`,
  );
  const parts: Record<string, string | undefined> = {
    '_rels/.rels':
      '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml': `<workbook>${made.about ?? ''}<sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}
      <Relationship Id="t" Type="x/sharedStrings" Target="sharedStrings.xml"/>
      <Relationship Id="u" Type="x/styles" Target="/xl/styles.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst>${made.strings ?? ''}</sst>`,
    'xl/styles.xml': stylesXml(made.formats ?? []),
  };
  sheets.forEach(([, data], at) => {
    const behind = made.behind ?? '';
    parts[`xl/worksheets/${at}.xml`] =
      `<worksheet><sheetData>${data}</sheetData>${behind}</worksheet>`;
  });
  const kept = Object.entries({ ...parts, ...made.parts });
  return Object.fromEntries(kept.filter((part): part is [string, string] => part[1] !== undefined));
}

function stylesXml(formats: readonly (number | string)[]): string {
  const own = formats.map((format, index) =>
    typeof format === 'string'
      ? `<numFmt numFmtId="${200 + index}" formatCode="${format.replaceAll('"', '&quot;')}"/>`
      : '',
  );
  const styles = formats.map((format, at) => {
    return `<xf numFmtId="${typeof format === 'string' ? 200 + at : format}"/>`;
  });
  return `<styleSheet><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs>${styles.join('')}</cellXfs><dxfs><dxf><numFmt numFmtId="0" formatCode="yyyy"/></dxf></dxfs></styleSheet>`;
}

/** A ZIP file of these parts. */
export async function zipOf(parts: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const listed = Object.entries(parts).map(([name, content]) => {
    return { name, chunks: [typeof content === 'string' ? Buffer.from(content) : content] };
  });
  return collected(writeZip(listed));
}

/** A ZIP file of one part, whose directory tells whatever a test wants it to. */
export function zipTelling(
  name: string,
  content: string | Uint8Array,
  told: { size?: number; method?: number; flags?: number; wide?: boolean } = {},
): Buffer {
  const method = told.method ?? 8;
  const bytes = Buffer.from(content);
  const packed = method === 8 ? deflateRawSync(bytes) : bytes;
  const size = told.size ?? bytes.length;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const extra = Buffer.alloc(told.wide ? 28 : 0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(told.flags ?? 0, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(told.wide ? 0xffffffff : packed.length, 20);
  entry.writeUInt32LE(told.wide ? 0xffffffff : size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(told.wide ? 0xffffffff : 0, 42);
  if (told.wide) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(size), 4);
    extra.writeBigUInt64LE(BigInt(packed.length), 12);
  }
  const before = Buffer.concat([local, Buffer.from(name), packed]);
  const directory = Buffer.concat([entry, Buffer.from(name), extra]);
  return Buffer.concat([before, directory, endOf(before.length, directory.length, told.wide)]);
}

function endOf(offset: number, size: number, wide = false): Buffer {
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

/** All of it in one. */
export async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** Calls back with the path of a file of these bytes, which is gone afterwards. */
export async function withFile<T>(bytes: Uint8Array, use: (path: string) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-xlsx-'));
  const path = join(folder, 'book.xlsx');
  writeFileSync(path, bytes);
  try {
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The rows of a workbook at a path. */
export async function rowsAt(path: string, sheet?: string): Promise<CellRow[]> {
  return (await batchesAt(path, sheet)).flat();
}

/** The rows of a workbook at a path, in the batches that they come in. */
export async function batchesAt(path: string, sheet?: string): Promise<(readonly CellRow[])[]> {
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

/** The rows of a workbook of these bytes, or of these parts. */
export async function rowsOf(book: Made | Uint8Array, sheet?: string): Promise<CellRow[]> {
  const bytes = book instanceof Uint8Array ? book : await zipOf(partsOf(book));
  return withFile(bytes, (path) => rowsAt(path, sheet));
}

/** The line that a workbook is refused with. */
export async function refusalOf(book: Made | Uint8Array, sheet?: string): Promise<string> {
  try {
    await rowsOf(book, sheet);
  } catch (error) {
    if (error instanceof InvalidFileError) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}
