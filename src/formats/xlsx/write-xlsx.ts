import {
  type FileCell,
  InvalidFileError,
  type OutputColumn,
  type TableToWrite,
  type TableWriter,
} from '../file-contents.ts';
import { encodeEntities } from '../xml/xml-entities.ts';
import { writeZip } from '../zip/write-zip.ts';
import { formatColumnName, MAX_COLUMNS, MAX_ROWS } from './cell-address.ts';
import { escapeForOffice } from './office-escapes.ts';
import { toSerial } from './serial-date.ts';
import {
  buildWorkbookParts,
  CELL_STYLES,
  SHEET_PART,
  SPREADSHEET_NAMESPACE,
  XML_DECLARATION,
} from './workbook-template.ts';

/** One sheet with a frozen header. Numbers read back the same; a table beyond its limits fails. */
export const writeXlsx: TableWriter = (table) => {
  const encoder = new TextEncoder();
  const parts = buildWorkbookParts(table.title).map(([name, xml]) => {
    return { name, chunks: [encoder.encode(xml)] };
  });
  const sheet = async function* () {
    for await (const xml of streamSheetXml(table)) yield encoder.encode(xml);
  };
  return writeZip([...parts, { name: SHEET_PART, chunks: sheet() }]);
};

async function* streamSheetXml({ columns, rows }: TableToWrite): AsyncGenerator<string> {
  if (columns.length > MAX_COLUMNS) {
    throw new InvalidFileError(`has ${columns.length} columns; a sheet holds ${MAX_COLUMNS}`);
  }
  const columnNames = columns.map((_, index) => formatColumnName(index + 1));
  let row = 1;
  let isStarted = false;
  for await (const batch of rows) {
    if (!isStarted) yield buildSheetStart(columns, columnNames, batch);
    isStarted = true;
    const lines = batch.map((cells) => {
      row += 1;
      if (row > MAX_ROWS) throw new InvalidFileError(TOO_MANY_ROWS);
      const cellsXml = columns.map(({ type }, index) => {
        return buildCellXml(`${columnNames[index]}${row}`, cells[index] ?? null, type);
      });
      return `<row r="${row}">${cellsXml.join('')}</row>`;
    });
    yield lines.join('');
  }
  if (!isStarted) yield buildSheetStart(columns, columnNames, []);
  yield '</sheetData></worksheet>';
}

const TOO_MANY_ROWS = `has more than ${(MAX_ROWS - 1).toLocaleString('en')} rows, which is all that \
a sheet of an .xlsx file can hold; write another format`;

function buildSheetStart(
  columns: readonly OutputColumn[],
  columnNames: readonly string[],
  sample: readonly (readonly FileCell[])[],
): string {
  const widths = columns.map(({ name }, index) => {
    const width = estimateColumnWidth(
      name,
      sample.map((cells) => cells[index] ?? null),
    );
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const names = columns.map(({ name }, index) =>
    buildTextCellXml(`${columnNames[index]}1`, name, CELL_STYLES.header),
  );
  const cols = widths.length === 0 ? '' : `<cols>${widths.join('')}</cols>`;
  return `${XML_DECLARATION}<worksheet xmlns="${SPREADSHEET_NAMESPACE}"><sheetViews><sheetView tabSelected="1" \
workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>\
<selection pane="bottomLeft"/></sheetView></sheetViews>${cols}<sheetData>\
<row r="1">${names.join('')}</row>`;
}

function estimateColumnWidth(name: string, sample: readonly FileCell[]): number {
  const maxLength = sample.reduce<number>(
    (length, cell) => Math.max(length, String(cell ?? '').length),
    name.length,
  );
  return Math.min(60, Math.max(8, maxLength)) + 2;
}

function buildCellXml(address: string, value: FileCell, type: OutputColumn['type']): string {
  if (value === null) return '';
  if (type === 'day') {
    const serial = typeof value === 'string' ? toSerial(value) : undefined;
    if (serial !== undefined) return buildNumberCellXml(address, serial, CELL_STYLES.day);
  } else if (type !== 'text' && typeof value === 'number' && Number.isFinite(value)) {
    return buildNumberCellXml(
      address,
      value,
      type === 'integer' ? CELL_STYLES.integer : CELL_STYLES.plain,
    );
  }
  return buildTextCellXml(address, String(value), CELL_STYLES.plain);
}

function buildNumberCellXml(address: string, value: number, style: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return `<c r="${address}"${styleAttribute(style)}><v>${text}</v></c>`;
}

// Excel reports a file with more as damaged.
const MAX_CELL_TEXT = 32_767;

function buildTextCellXml(address: string, text: string, style: number): string {
  if (text.length > MAX_CELL_TEXT) {
    throw new InvalidFileError(
      `has a text of ${text.length} characters for cell ${address}; a cell holds ${MAX_CELL_TEXT}`,
    );
  }
  const xml = encodeEntities(escapeForOffice(text));
  return `<c r="${address}"${styleAttribute(style)} t="inlineStr">\
<is><t xml:space="preserve">${xml}</t></is></c>`;
}

const styleAttribute = (style: number) => (style === CELL_STYLES.plain ? '' : ` s="${style}"`);
