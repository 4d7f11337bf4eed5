import {
  type FileCell,
  InvalidFileError,
  type MetadataLine,
  type OutputColumn,
  type TableToWrite,
  type TableWriter,
} from '../file-contents.ts';
import { writeZip } from '../zip/write-zip.ts';
import { formatColumnName, MAX_COLUMNS, MAX_ROWS } from './cell-address.ts';
import { buildColumnsXml, buildNumberCellXml, buildTextCellXml } from './cell-xml.ts';
import { computeColumnWidths } from './column-widths.ts';
import { countDecimals, MAX_DECIMALS } from './decimals.ts';
import { toSerial } from './serial-date.ts';
import {
  ABOUT_PART,
  buildStylesXml,
  buildWorkbookParts,
  CELL_STYLES,
  HEADER_HEIGHT,
  isNumeric,
  SHEET_PART,
  SPREADSHEET_NAMESPACE,
  STYLES_PART,
  XML_DECLARATION,
} from './workbook-template.ts';

/**
 * A sheet with a frozen header and a filter, then a sheet about it where there is metadata. Numbers
 * read back the same; a table beyond its limits fails.
 */
export const writeXlsx: TableWriter = (table) => {
  const { title, columns, metadata } = table;
  const formats = columns.map((_, index) => createColumnFormat(columns, index));
  const encoder = new TextEncoder();
  const streamPart = (name: string, xml: () => Iterable<string> | AsyncIterable<string>) => {
    const chunks = (async function* () {
      for await (const text of xml()) yield encoder.encode(text);
    })();
    return { name, chunks };
  };
  return writeZip([
    ...buildWorkbookParts(title, metadata !== undefined).map(([name, xml]) =>
      streamPart(name, () => [xml]),
    ),
    streamPart(SHEET_PART, () => streamSheetXml(table, formats)),
    ...(metadata ? [streamPart(ABOUT_PART, () => [buildAboutSheetXml(metadata(), columns)])] : []),
    // How many decimals a column needs is known after its last row.
    streamPart(STYLES_PART, () => [buildStylesXml(formats.map(({ decimals }) => decimals))]),
  ]);
};

/** The styles of a column's cells, and how many decimals its numbers need. */
interface ColumnFormat {
  readonly number: number;
  readonly plain: number;
  readonly day: number;
  readonly header: number;
  decimals: number;
}

function createColumnFormat(columns: readonly OutputColumn[], index: number): ColumnFormat {
  const [previous, column] = [columns[index - 1], columns[index]];
  const isAfterNumbers = previous !== undefined && isNumeric(previous);
  const { plain, day, header } = isAfterNumbers ? CELL_STYLES.indented : CELL_STYLES;
  return {
    number: CELL_STYLES.firstColumn + index,
    plain,
    day,
    header: column && isNumeric(column) ? CELL_STYLES.numberHeader : header,
    decimals: 0,
  };
}

/** As many rows determine the widths of columns, which come before them. */
const SAMPLE_ROWS = 1_000;

async function* streamSheetXml(
  { columns, rows }: TableToWrite,
  formats: readonly ColumnFormat[],
): AsyncGenerator<string> {
  if (columns.length > MAX_COLUMNS) {
    throw new InvalidFileError(`has ${columns.length} columns; a sheet holds ${MAX_COLUMNS}`);
  }
  const columnNames = columns.map((_, index) => formatColumnName(index + 1));
  const start = { columns, columnNames, formats };
  const buildRowsXml = createRowsBuilder(columns, columnNames, formats);
  let rowCount = 0;
  let isStarted = false;
  let sample: Rows = [];
  for await (const batch of rows) {
    rowCount += batch.length;
    if (rowCount >= MAX_ROWS) throw new InvalidFileError(TOO_MANY_ROWS);
    sample = isStarted ? batch : [...sample, ...batch];
    if (!isStarted && rowCount < SAMPLE_ROWS) continue;
    if (!isStarted) yield buildSheetStart(start, sample, false);
    isStarted = true;
    yield buildRowsXml(sample);
  }
  if (!isStarted) {
    yield buildSheetStart(start, sample, true);
    yield buildRowsXml(sample);
  }
  yield `</sheetData>${buildFilterXml(columnNames, rowCount + 1)}</worksheet>`;
}

type Rows = readonly (readonly FileCell[])[];

const TOO_MANY_ROWS = `has more than ${(MAX_ROWS - 1).toLocaleString('en')} rows, which is all that \
a sheet of an .xlsx file can hold; write another format`;

/** Builds the rows that follow the header, batch by batch. */
function createRowsBuilder(
  columns: readonly OutputColumn[],
  columnNames: readonly string[],
  formats: readonly ColumnFormat[],
): (batch: Rows) => string {
  let row = 1;
  return (batch) => {
    const lines = batch.map((cells) => {
      row += 1;
      const cellsXml = columns.map(({ type }, index) => {
        const address = `${columnNames[index]}${row}`;
        return buildCellXml(address, cells[index] ?? null, type, formats[index] as ColumnFormat);
      });
      return `<row r="${row}">${cellsXml.join('')}</row>`;
    });
    return lines.join('');
  };
}

interface SheetStart {
  readonly columns: readonly OutputColumn[];
  readonly columnNames: readonly string[];
  readonly formats: readonly ColumnFormat[];
}

function buildSheetStart(
  { columns, columnNames, formats }: SheetStart,
  sample: Rows,
  isComplete: boolean,
): string {
  const names = columns.map((column, index) => {
    const { header } = formats[index] as ColumnFormat;
    return buildTextCellXml(`${columnNames[index]}1`, column.name, header);
  });
  return `${XML_DECLARATION}<worksheet xmlns="${SPREADSHEET_NAMESPACE}"><sheetViews><sheetView tabSelected="1" \
workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>\
<selection pane="bottomLeft"/></sheetView></sheetViews>\
${buildColumnsXml(computeColumnWidths(columns, sample, isComplete))}<sheetData>\
<row r="1" ht="${HEADER_HEIGHT}" customHeight="1">${names.join('')}</row>`;
}

/** Buttons in the header that sort and filter all rows. */
function buildFilterXml(columnNames: readonly string[], lastRow: number): string {
  const last = columnNames.at(-1);
  return last === undefined ? '' : `<autoFilter ref="A1:${last}${lastRow}"/>`;
}

function buildCellXml(
  address: string,
  value: FileCell,
  type: OutputColumn['type'],
  format: ColumnFormat,
): string {
  if (value === null) return '';
  if (type === 'boolean') return `<c r="${address}" t="b"><v>${value === 'true' ? 1 : 0}</v></c>`;
  if (type === 'day') {
    const serial = typeof value === 'string' ? toSerial(value) : undefined;
    if (serial !== undefined) return buildNumberCellXml(address, String(serial), format.day);
  } else if (type !== 'text' && typeof value === 'number' && Number.isFinite(value)) {
    const text = Object.is(value, -0) ? '-0' : String(value);
    if (format.decimals < MAX_DECIMALS)
      format.decimals = Math.max(format.decimals, countDecimals(value, text));
    return buildNumberCellXml(address, text, format.number);
  }
  return buildTextCellXml(address, String(value), format.plain);
}

/** Of the labels, the texts and the units, in characters. */
const ABOUT_WIDTHS = [30, 90, 30];

/** The sheet about a table: lines with a label, then the description and unit of each column. */
function buildAboutSheetXml(
  metadata: readonly MetadataLine[],
  columns: readonly OutputColumn[],
): string {
  const lines = metadata.map(([label, value], index) => {
    const row = index + 1;
    return buildRowXml(row, [
      buildTextCellXml(`A${row}`, label, CELL_STYLES.header),
      typeof value === 'number'
        ? buildNumberCellXml(`B${row}`, String(value), CELL_STYLES.count)
        : buildTextCellXml(`B${row}`, value, CELL_STYLES.wrapped),
    ]);
  });
  const headerRow = metadata.length + 2;
  const header = ABOUT_HEADER.map((name, index) =>
    buildTextCellXml(`${'ABC'[index]}${headerRow}`, name, CELL_STYLES.header),
  );
  const descriptions = columns.map(({ name, description, unit }, index) => {
    const row = headerRow + 1 + index;
    const cells = [name, description, unit].map((text, column) =>
      text === undefined
        ? ''
        : buildTextCellXml(`${'ABC'[column]}${row}`, text, CELL_STYLES.wrapped),
    );
    return buildRowXml(row, cells);
  });
  return `${XML_DECLARATION}<worksheet xmlns="${SPREADSHEET_NAMESPACE}">\
${buildColumnsXml(ABOUT_WIDTHS)}<sheetData>${lines.join('')}${buildRowXml(headerRow, header)}\
${descriptions.join('')}</sheetData></worksheet>`;
}

const ABOUT_HEADER = ['Column', 'Description', 'Unit'];

function buildRowXml(row: number, cells: readonly string[]): string {
  return `<row r="${row}">${cells.join('')}</row>`;
}
