import type { MetadataLine, OutputColumn } from '../file-contents.ts';
import { buildColumnsXml, buildNumberCellXml, buildTextCellXml } from './cell-xml.ts';
import { CELL_STYLES, SPREADSHEET_NAMESPACE, XML_DECLARATION } from './workbook-template.ts';

/** Of the labels, the texts and the units, in characters. */
const WIDTHS = [30, 90, 30];

/** The sheet about a table: lines with a label, then the description and unit of each column. */
export function buildAboutSheetXml(
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
  const header = HEADER.map((name, index) =>
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
${buildColumnsXml(WIDTHS)}<sheetData>${lines.join('')}${buildRowXml(headerRow, header)}\
${descriptions.join('')}</sheetData></worksheet>`;
}

const HEADER = ['Column', 'Description', 'Unit'];

function buildRowXml(row: number, cells: readonly string[]): string {
  return `<row r="${row}">${cells.join('')}</row>`;
}
