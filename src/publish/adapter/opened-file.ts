import { basename } from 'node:path';
import {
  type DetectedEncoding,
  detectFormat,
  type FileInput,
  InvalidFileError,
  type LocationUnit,
  type NamedFile,
  openFileInput,
  readContents,
  readLines,
  readText,
} from '../../formats/read-contents.ts';
import { type OpenWorkbook, openWorkbook } from '../../formats/xlsx/read-xlsx.ts';
import { onceAsync } from '../../shared/memoize.ts';
import { type JsonValue, streamJsonValues } from './json-values.ts';
import type { OpenFileOptions } from './messages.ts';
import type { Location, Row } from './row.ts';
import {
  flattenBatches,
  type OpenRows,
  streamRowBatches,
  streamTableBatches,
  type TableOptions,
} from './table-batches.ts';

/** Rows of cells: a file, or a sheet of a workbook. Each call reads from the start. */
export interface RowSource {
  /** All rows as they stand, titles and header included. */
  rows(): AsyncIterable<Row>;
  /** The rows below the first row with these columns, whose cells have names. */
  table(columns: readonly string[], options?: TableOptions): AsyncIterable<Row>;
}

/** A sheet that people see; a file that is no workbook is one sheet without a name. */
export interface Sheet extends RowSource {
  readonly name: string;
}

/** A file as an adapter reads it. Each call reads from the start, and streams. */
export interface OpenedFile extends RowSource {
  /** Without folders. */
  readonly name: string;
  readonly path: string;
  /** The sheets that people see, or the one that `--sheet` names. */
  sheets(): AsyncIterable<Sheet>;
  /** The values at a path such as `data.*`, in which `*` is any name or index; without one, all. */
  json(path?: string | readonly string[]): AsyncIterable<JsonValue>;
  lines(): AsyncIterable<Line>;
  /** The whole text, of a file that is not large. */
  text(): Promise<string>;
}

export interface Line extends Location {
  readonly text: string;
}

/** Follows how far an adapter has read, because that is where its next record comes from. */
export class ReadingFile implements OpenedFile {
  readonly name: string;
  readonly path: string;
  /** The item that the adapter was given last. */
  current: Location | undefined;
  unit: LocationUnit | undefined;
  /** The names of the sheets, in the order of their numbers. */
  readonly sheetNames: string[] = [];
  /** The encoding of its text if it was found and is not UTF-8. */
  detected: DetectedEncoding | undefined;
  readonly #getFormat = onceAsync(async () => this.options.format ?? detectFormat(this.input));
  readonly #openWorkbook = onceAsync(() => openWorkbook(this.input));

  private constructor(
    { name, path }: NamedFile,
    private readonly input: FileInput,
    private readonly options: OpenFileOptions,
  ) {
    this.name = basename(name);
    this.path = path;
  }

  static async open(file: NamedFile, options: OpenFileOptions, onRead: (bytes: number) => void) {
    const { encoding } = options;
    const onDetected = (detected: DetectedEncoding) => {
      reading.detected = detected;
    };
    const input = await openFileInput(file.path, onRead, { encoding, onDetected });
    const reading = new ReadingFile(file, input, options);
    return reading;
  }

  close(): void {
    this.input.close();
  }

  rows(): AsyncIterable<Row> {
    return this.#createSheet('', () => this.#openRows()).rows();
  }

  table(columns: readonly string[], options?: TableOptions): AsyncIterable<Row> {
    return this.#createSheet('', () => this.#openRows()).table(columns, options);
  }

  async *sheets(): AsyncGenerator<Sheet> {
    if ((await this.#getFormat()) !== 'xlsx') {
      yield this.#createSheet('', () => this.#openRows());
      return;
    }
    const workbook = await this.#openWorkbook();
    const { sheet: chosen } = this.options;
    const sheets =
      chosen === undefined ? workbook.visibleSheets : [await workbook.chooseSheet(chosen)];
    for (const sheet of sheets)
      yield this.#createSheet(sheet.name, () => this.#openSheet(workbook, sheet));
  }

  async *json(path: string | readonly string[] = []): AsyncGenerator<JsonValue> {
    const segments = typeof path === 'string' ? path.split('.') : path;
    const isNdjson = (await this.#getFormat()) === 'ndjson';
    this.unit = isNdjson ? 'line' : 'record';
    for await (const value of streamJsonValues(this.input, segments, isNdjson))
      yield this.#follow(value);
  }

  async *lines(): AsyncGenerator<Line> {
    this.unit = 'line';
    for await (const line of readLines(this.input)) yield this.#follow(line);
  }

  text(): Promise<string> {
    return readText(this.input);
  }

  #createSheet(name: string, open: OpenRows): Sheet {
    const follow = (row: Row) => this.#follow(row);
    return {
      name,
      rows: () => flattenBatches(streamRowBatches(open), follow),
      table: (columns, options) =>
        flattenBatches(streamTableBatches(open, columns, options), follow),
    };
  }

  /** The rows of the file: of a workbook, those of the sheet that is chosen. */
  async #openRows(): ReturnType<OpenRows> {
    const { sheet } = this.options;
    const format = await this.#getFormat();
    if (format === 'xlsx') {
      const workbook = await this.#openWorkbook();
      return this.#openSheet(workbook, await workbook.chooseSheet(sheet));
    }
    const contents = await readContents(this.input, { format, sheet });
    if (contents.kind !== 'table')
      throw new InvalidFileError('holds JSON, which has no rows; an adapter reads it with json()');
    this.unit = contents.locationUnit;
    return { rows: contents.rows, sheet: { number: 0 } };
  }

  async #openSheet(workbook: OpenWorkbook, sheet: OpenWorkbook['visibleSheets'][number]) {
    const { rows, locationUnit } = await workbook.readSheet(sheet);
    this.unit = locationUnit;
    const { name } = sheet;
    return { rows, sheet: { name, number: this.#getSheetNumber(name) } };
  }

  #follow<T extends Location>(location: T): T {
    this.current = location;
    return location;
  }

  #getSheetNumber(name: string): number {
    const index = this.sheetNames.indexOf(name);
    return index < 0 ? this.sheetNames.push(name) - 1 : index;
  }
}
