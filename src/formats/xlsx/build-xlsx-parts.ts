import { countDecimals } from '../../shared/count-decimals.ts';
import {
  type FileCell,
  InvalidFileError,
  type MetadataLine,
  type OutputColumn,
  type TableToWrite,
} from '../file-contents.ts';
import { formatColumnName, MAX_COLUMNS, MAX_ROWS } from './cell-address.ts';
import { computeColumnWidths, isNumeric, MAX_DECIMALS } from './column-widths.ts';
import { toSerial } from './serial-date.ts';
import {
  ABOUT_PART,
  buildColumnsXml,
  buildNumberCellXml,
  buildStylesXml,
  buildTextCellXml,
  buildWorkbookParts,
  CELL_STYLES,
  HEADER_HEIGHT,
  SHEET_PART,
  SPREADSHEET_NAMESPACE,
  STYLES_PART,
  XML_DECLARATION,
} from './workbook-template.ts';

/** The parts of a workbook: the sheet with a frozen header and a filter, then one about it if there is metadata. */
export function buildXlsxParts(table: TableToWrite): Iterable<XlsxPart> {
  const { title, columns: outputColumns, rows, metadata } = table;
  const columns = outputColumns.map(toSheetColumn);
  const encoder = new TextEncoder();
  const streamPart = (name: string, xml: () => Iterable<string> | AsyncIterable<string>) => {
    const chunks = (async function* () {
      for await (const text of xml()) yield encoder.encode(text);
    })();
    return { name, chunks };
  };
  return [
    ...buildWorkbookParts(title, metadata !== undefined).map(([name, xml]) =>
      streamPart(name, () => [xml]),
    ),
    streamPart(SHEET_PART, () => streamSheetXml(columns, rows)),
    ...(metadata ? [streamPart(ABOUT_PART, () => [buildAboutSheetXml(metadata(), columns)])] : []),
    // The decimals of a column are known only after its last row.
    streamPart(STYLES_PART, () => [buildStylesXml(columns.map(({ decimals }) => decimals))]),
  ];
}

interface XlsxPart {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** A column of the sheet: its letters, and the styles of its cells. */
interface SheetColumn extends OutputColumn {
  readonly letters: string;
  readonly styles: Readonly<Record<'number' | 'plain' | 'day' | 'header', number>>;
  decimals: number;
}

function toSheetColumn(column: OutputColumn, index: number, columns: readonly OutputColumn[]) {
  const previous = columns[index - 1];
  const isAfterNumbers = previous !== undefined && isNumeric(previous);
  const { plain, day, header: textHeader } = isAfterNumbers ? CELL_STYLES.indented : CELL_STYLES;
  const header = isNumeric(column) ? CELL_STYLES.numberHeader : textHeader;
  const decimals = Math.min(column.decimals ?? 0, MAX_DECIMALS);
  const styles = { number: CELL_STYLES.firstColumn + index, plain, day, header };
  return { ...column, letters: formatColumnName(index + 1), styles, decimals };
}

/** The number of rows that determine the widths of columns, which precede the rows in the file. */
const SAMPLE_ROWS = 1_000;

async function* streamSheetXml(columns: readonly SheetColumn[], batches: AsyncIterable<Rows>) {
  if (columns.length > MAX_COLUMNS)
    throw new InvalidFileError(`has ${columns.length} columns; a sheet holds ${MAX_COLUMNS}`);
  let lastRow = 1;
  let isStarted = false;
  let rows: Rows = [];
  for await (const batch of batches) {
    lastRow += batch.length;
    if (lastRow > MAX_ROWS) throw new InvalidFileError(TOO_MANY_ROWS);
    rows = isStarted ? batch : [...rows, ...batch];
    if (!isStarted && lastRow <= SAMPLE_ROWS) continue;
    if (!isStarted) yield buildSheetStart(columns, rows, false);
    isStarted = true;
    yield buildRowsXml(columns, rows, lastRow);
  }
  if (!isStarted) {
    yield buildSheetStart(columns, rows, true);
    yield buildRowsXml(columns, rows, lastRow);
  }
  // Header buttons that sort and filter all rows.
  const last = columns.at(-1);
  const filter = last ? `<autoFilter ref="A1:${last.letters}${lastRow}"/>` : '';
  yield `</sheetData>${filter}</worksheet>`;
}

type Rows = readonly (readonly FileCell[])[];

const TOO_MANY_ROWS = `has more than ${(MAX_ROWS - 1).toLocaleString('en')} rows, which is all that \
a sheet of an .xlsx file can hold; write another format`;

function buildRowsXml(columns: readonly SheetColumn[], rows: Rows, lastRow: number): string {
  const firstRow = lastRow - rows.length + 1;
  const lines = rows.map((cells, index) => {
    const row = firstRow + index;
    const cellsXml = columns.map((column, position) =>
      buildCellXml(`${column.letters}${row}`, cells[position] ?? null, column),
    );
    return buildRowXml(row, cellsXml);
  });
  return lines.join('');
}

function buildSheetStart(columns: readonly SheetColumn[], sample: Rows, isComplete: boolean) {
  const names = columns.map(({ name, letters, styles }) =>
    buildTextCellXml(`${letters}1`, name, styles.header),
  );
  return `${XML_DECLARATION}<worksheet xmlns="${SPREADSHEET_NAMESPACE}"><sheetViews><sheetView tabSelected="1" \
workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>\
<selection pane="bottomLeft"/></sheetView></sheetViews>\
${buildColumnsXml(computeColumnWidths(columns, sample, isComplete))}<sheetData>\
<row r="1" ht="${HEADER_HEIGHT}" customHeight="1">${names.join('')}</row>`;
}

function buildCellXml(address: string, value: FileCell, column: SheetColumn): string {
  const { type, styles, decimals } = column;
  if (value === null) return '';
  if (type === 'boolean') return `<c r="${address}" t="b"><v>${value === 'true' ? 1 : 0}</v></c>`;
  if (type === 'day') {
    const serial = typeof value === 'string' ? toSerial(value) : undefined;
    if (serial !== undefined) return buildNumberCellXml(address, String(serial), styles.day);
  } else if (type !== 'text' && typeof value === 'number' && Number.isFinite(value)) {
    const text = Object.is(value, -0) ? '-0' : String(value);
    if (decimals < MAX_DECIMALS)
      column.decimals = Math.max(decimals, countDecimals(value, MAX_DECIMALS, text));
    return buildNumberCellXml(address, text, styles.number);
  }
  return buildTextCellXml(address, String(value), styles.plain);
}

/** In characters, of the labels, the texts and the units. */
const ABOUT_WIDTHS = [30, 90, 30];

/** The sheet about a table: labelled lines, then the description and unit of each column. */
function buildAboutSheetXml(metadata: readonly MetadataLine[], columns: readonly OutputColumn[]) {
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
