import { buildZip } from './build-zip.ts';
import { type ShownTable, toFileCell } from './shown-table.ts';

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A workbook with one sheet: numbers as numbers, everything else as text. */
export function buildXlsx({ header, rows }: ShownTable): Uint8Array<ArrayBuffer>[] {
  const sheetRows = [header, ...rows].map(
    (cells) => `<row>${cells.map((cell) => buildCell(toFileCell(cell))).join('')}</row>`,
  );
  const files = {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/sheet.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/></Types>`,
    '_rels/.rels': buildRelationship('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="Tenor" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': buildRelationship('worksheet', 'sheet.xml'),
    'xl/sheet.xml': `<worksheet xmlns="${SHEET}"><sheetData>${sheetRows.join('')}</sheetData></worksheet>`,
  };
  return buildZip(
    new Map(Object.entries(files).map(([name, text]) => [name, XML_DECLARATION + text])),
  );
}

function buildRelationship(type: string, target: string): string {
  return `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;
}

function buildCell(cell: string | number | null): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
}

/** XML allows no control characters, not even escaped. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r -\uFFFD]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
