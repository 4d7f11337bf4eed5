import { encodeEntities } from '../xml/xml-entities.ts';
import { escapeForOffice } from './office-escapes.ts';

/** Indexes into the `cellXfs` of the styles part. */
export const CELL_STYLES = { plain: 0, header: 1, day: 2, integer: 3 } as const;

export const SHEET_PART = 'xl/worksheets/sheet1.xml';

/** The parts of a workbook other than its only sheet, in file order. */
export function buildWorkbookParts(
  title: string,
): readonly (readonly [name: string, xml: string])[] {
  return [
    ['[Content_Types].xml', CONTENT_TYPES],
    ['_rels/.rels', buildRelationshipsXml([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', buildWorkbookXml(toSheetName(title))],
    [
      'xl/_rels/workbook.xml.rels',
      buildRelationshipsXml([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', STYLES],
  ];
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const SPREADSHEET_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const RELATIONSHIPS_NAMESPACE =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006';
const SPREADSHEET_MIME_PREFIX = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = `${XML_DECLARATION}<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" \
ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" \
ContentType="application/xml"/>${buildOverrideXml('xl/workbook.xml', 'sheet.main')}\
${buildOverrideXml(SHEET_PART, 'worksheet')}${buildOverrideXml('xl/styles.xml', 'styles')}</Types>`;

// The header has a font of its own; Excel expects these two fills first.
const STYLES = `${XML_DECLARATION}<styleSheet xmlns="${SPREADSHEET_NAMESPACE}">\
<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>\
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function buildWorkbookXml(name: string): string {
  return `${XML_DECLARATION}<workbook xmlns="${SPREADSHEET_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}"><bookViews><workbookView/>\
</bookViews><sheets><sheet name="${encodeEntities(escapeForOffice(name))}" sheetId="1" r:id="rId1"/></sheets>\
</workbook>`;
}

function buildRelationshipsXml(
  targets: readonly (readonly [type: string, target: string])[],
): string {
  const list = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIPS_NAMESPACE}/${type}" Target="${target}"/>`,
  );
  return `${XML_DECLARATION}<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships">${list.join('')}</Relationships>`;
}

function buildOverrideXml(part: string, type: string): string {
  return `<Override PartName="/${part}" ContentType="${SPREADSHEET_MIME_PREFIX}.${type}+xml"/>`;
}

/** The rules of Excel: 31 characters, some of them forbidden, no apostrophe at either end. */
function toSheetName(title: string): string {
  const allowed = title.toWellFormed().replaceAll(/[[\]:*?/\\]|\p{Cc}/gu, '-');
  const short = allowed
    .trim()
    .slice(0, 31)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const name = short.replaceAll(/^'+|'+$/g, '').trim();
  // A reserved name.
  if (name.toLowerCase() === 'history') return `${name}-`;
  return name === '' ? 'Sheet1' : name;
}
