import { basename } from 'node:path';
import {
  assertJsonDepth,
  assertJsonLimits,
  type CellRow,
  type CellTable,
  type DetectedEncoding,
  detectFormat,
  type FileFormat,
  type FileInput,
  type FileItem,
  InvalidFileError,
  type NamedFile,
  openFileInput,
  readContents,
  type TextEncoding,
} from '../formats/read-contents.ts';
import { openWorkbook } from '../formats/xlsx/read-xlsx.ts';
import { findDate } from '../publish/adapter/parse-cells.ts';
import { FORMATS } from '../shared/formats.ts';
import { findHeaders } from './find-header.ts';
import { findJsonShapes, type JsonShape } from './json-shape.ts';
import { profileTable, type TableProfile } from './profile-table.ts';
import { sampleRows } from './sample-rows.ts';

/** The contents of a file: its tables, or the objects in its JSON. */
export interface FileProfile {
  readonly name: string;
  readonly format: FileFormat;
  /** For text files. */
  readonly encoding?: DetectedEncoding;
  readonly delimiter?: string;
  /** A day in the name of the file. */
  readonly day?: string;
  /** The requested sheet; the others are described as well. */
  readonly sheet?: string;
  /** The visible sheets of a workbook, or the file as a single unnamed sheet; none for JSON. */
  readonly sheets: readonly SheetProfile[];
  readonly hiddenSheets: readonly string[];
  /** The objects in JSON. */
  readonly shapes: readonly JsonShape[];
  /** For JSON read record by record: the first records are examined, the others counted. */
  readonly records?: { readonly count: number; readonly sampledCount: number };
}

export interface SheetProfile extends TableProfile {
  readonly name: string;
  /** A day in the name of the sheet. */
  readonly day?: string;
}

export interface InspectOptions {
  readonly format?: FileFormat | undefined;
  readonly encoding?: TextEncoding | undefined;
  /** The sheet to write a draft for, by name or number. */
  readonly sheet?: string | undefined;
  /** The row that names the columns, if not the likeliest one. */
  readonly headerRow?: number | undefined;
  /** Called between batches; may throw to stop reading. */
  readonly onBatch?: () => void;
}

export async function inspectFile(file: NamedFile, options: InspectOptions): Promise<FileProfile> {
  const { encoding, onBatch = () => {} } = options;
  let detected: DetectedEncoding = { encoding: encoding ?? 'utf-8' };
  const onDetected = (found: DetectedEncoding) => {
    detected = found;
  };
  const input = await openFileInput(file.path, onBatch, { encoding, onDetected });
  try {
    const format = options.format ?? (await detectFormat(input));
    const name = basename(file.name);
    const day = findDate(name);
    const contents = await readProfile(input, format, { ...options, onBatch });
    return {
      name,
      format,
      ...(FORMATS[format].traits.isText && { encoding: detected }),
      ...(day && { day }),
      ...contents,
    };
  } finally {
    input.close();
  }
}

/** Whether only a part of the rows or records was examined. */
export const isSampled = ({ records, sheets, shapes }: FileProfile) =>
  sheets.some(({ rowCount, sampledRows }) => rowCount > sampledRows) ||
  [...shapes, ...(records ? [records] : [])].some((each) => each.count > each.sampledCount);

type Contents = Omit<FileProfile, 'name' | 'format' | 'encoding' | 'day'>;
const NO_TABLES = { sheets: [], hiddenSheets: [], shapes: [] };

async function readProfile(
  input: FileInput,
  format: FileFormat,
  options: InspectOptions,
): Promise<Contents> {
  if (format === 'xlsx') return { ...NO_TABLES, ...(await profileSheets(input, options)) };
  if (options.sheet !== undefined)
    throw new InvalidFileError(`has no sheets to choose from: it is read as ${format}`);
  if (format === 'json') return profileJson(await readJsonHead(input));
  const contents = await readContents(input, { format });
  if (contents.kind === 'items') return profileJson(await readItemsHead(contents.items));
  const table = await profileSheet('', contents, options);
  const { delimiter } = contents;
  return { ...NO_TABLES, sheets: [table], ...(delimiter !== undefined && { delimiter }) };
}

const profileJson = ({ value, ...records }: Awaited<ReturnType<typeof readJsonHead>>) => ({
  ...NO_TABLES,
  ...records,
  shapes: findJsonShapes(value),
});

async function profileSheets(input: FileInput, options: InspectOptions) {
  const workbook = await openWorkbook(input);
  const sheet = options.sheet === undefined ? undefined : await workbook.chooseSheet(options.sheet);
  const sheets: SheetProfile[] = [];
  for (const sheet of workbook.visibleSheets)
    sheets.push(await profileSheet(sheet.name, await workbook.readSheet(sheet), options));
  if (sheets.every(({ width }) => width === 0))
    throw new InvalidFileError('has no cells in any visible sheet');
  const hiddenSheets = workbook.hiddenSheets.map(({ name }) => name);
  return { sheets, hiddenSheets, ...(sheet && { sheet: sheet.name }) };
}

async function profileSheet(name: string, table: CellTable, options: InspectOptions) {
  const day = findDate(name);
  const { onBatch = () => {}, headerRow } = options;
  const onHead = (rows: readonly CellRow[]) => {
    if (!table.isSpreadsheet && findHeaders(rows, headerRow).length === 0)
      throw new InvalidFileError(NO_HEADER);
  };
  const sample = await sampleRows(table, { onBatch, onHead });
  return { name, ...(day && { day }), ...profileTable(sample, headerRow) };
}

const NO_HEADER =
  'has no row in its first MiB that names the columns; add a header line, or name a row by --header-row';

const MAX_JSON_CHARACTERS = 64 * 1024 ** 2;
const MAX_ITEMS = 2_000;

/** A complete JSON file; the first records of the list if it is large. */
async function readJsonHead(input: FileInput) {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for await (const chunk of input.readBytes()) {
      const decoded = decoder.decode(chunk, { stream: true });
      if (text === '') assertJsonDepth(decoded);
      text += decoded;
      if (text.length > MAX_JSON_CHARACTERS) break;
    }
    if (text.length <= MAX_JSON_CHARACTERS) {
      text += decoder.decode();
      assertJsonLimits(text);
      return { value: JSON.parse(text) };
    }
  } catch {
    // The reader below names the line of an error, knows other encodings, and reads record by record.
  }
  const contents = await readContents(input, { format: 'json' });
  return contents.kind === 'items' ? readItemsHead(contents.items) : { value: [] };
}

/** The first records; the others are counted, and invalid ones rejected, as in a load. */
async function readItemsHead(items: AsyncIterable<readonly FileItem[]>) {
  const value: unknown[] = [];
  let count = 0;
  for await (const batch of items) {
    count += batch.length;
    value.push(...batch.slice(0, MAX_ITEMS - value.length).map((item) => item.value));
  }
  return { value, records: { count, sampledCount: value.length } };
}
