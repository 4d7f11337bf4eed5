import { InvalidFileError } from '../file-contents.ts';
import { encodeEntities } from '../xml/xml-attributes.ts';
import { MAX_DECIMALS } from './column-widths.ts';
import { escapeForOffice } from './office-escapes.ts';

/** Indexes into the `cellXfs` of the styles part; from `firstColumn` on, one per column. */
export const CELL_STYLES = {
  plain: 0,
  header: 1,
  numberHeader: 2,
  day: 3,
  wrapped: 4,
  count: 5,
  /** As the first, second and day style, for a column that follows a column of numbers. */
  indented: { plain: 6, header: 7, day: 8 },
  firstColumn: 9,
} as const;

/** In points: two lines, of which the lower one holds the filter buttons. */
export const HEADER_HEIGHT = 30;

export const SHEET_PART = 'xl/worksheets/sheet1.xml';
export const ABOUT_PART = 'xl/worksheets/sheet2.xml';
export const STYLES_PART = 'xl/styles.xml';

/** The name of the sheet about a table. Readers of the table skip it. */
export const ABOUT_SHEET = 'About';

/** The parts of a workbook other than its sheets and styles, in file order. */
export function buildWorkbookParts(
  title: string,
  hasAboutSheet: boolean,
): readonly (readonly [name: string, xml: string])[] {
  const sheets = [toSheetName(title), ...(hasAboutSheet ? [ABOUT_SHEET] : [])];
  const sheetTargets = sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`);
  return [
    ['[Content_Types].xml', buildContentTypesXml(sheetTargets)],
    ['_rels/.rels', buildRelationshipsXml([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', buildWorkbookXml(sheets)],
    [
      'xl/_rels/workbook.xml.rels',
      buildRelationshipsXml([
        ...sheetTargets.map((target) => ['worksheet', target] as const),
        ['styles', 'styles.xml'],
      ]),
    ],
  ];
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const SPREADSHEET_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const RELATIONSHIPS_NAMESPACE =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006';
const SPREADSHEET_MIME_PREFIX = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function buildContentTypesXml(sheetTargets: readonly string[]): string {
  const sheets = sheetTargets.map((target) => buildOverrideXml(`xl/${target}`, 'worksheet'));
  return `${XML_DECLARATION}<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" \
ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" \
ContentType="application/xml"/>${buildOverrideXml('xl/workbook.xml', 'sheet.main')}\
${sheets.join('')}${buildOverrideXml(STYLES_PART, 'styles')}</Types>`;
}

const DAY_FORMAT_ID = 164;
const FIRST_NUMBER_FORMAT_ID = 165;
// Column names stand above the filter buttons, which are at the lower right.
const TOP = '<alignment vertical="top"/>';
const TOP_RIGHT = '<alignment horizontal="right" vertical="top"/>';
const TOP_WRAPPED = '<alignment vertical="top" wrapText="1"/>';
const LEFT = '<alignment horizontal="left"/>';
// Indented, to keep texts apart from right-aligned numbers in the previous column.
const INDENTED = '<alignment horizontal="left" indent="1"/>';
const TOP_INDENTED = '<alignment horizontal="left" vertical="top" indent="1"/>';
const RIGHT = '<alignment horizontal="right"/>';

/** Styles with a format for each column, by the number of decimals. */
export function buildStylesXml(decimals: readonly number[]): string {
  const numberFormats = Array.from({ length: MAX_DECIMALS + 1 }, (_, count) => {
    const code = count === 0 ? '#,##0' : `#,##0.${'0'.repeat(count)}`;
    return `<numFmt numFmtId="${FIRST_NUMBER_FORMAT_ID + count}" formatCode="${code}"/>`;
  });
  const cellFormats = [
    buildCellFormatXml({}),
    buildCellFormatXml({ font: 1, alignment: TOP }),
    buildCellFormatXml({ font: 1, alignment: TOP_RIGHT }),
    buildCellFormatXml({ format: DAY_FORMAT_ID, alignment: LEFT }),
    buildCellFormatXml({ alignment: TOP_WRAPPED }),
    buildCellFormatXml({ format: FIRST_NUMBER_FORMAT_ID, alignment: LEFT }),
    buildCellFormatXml({ alignment: INDENTED }),
    buildCellFormatXml({ font: 1, alignment: TOP_INDENTED }),
    buildCellFormatXml({ format: DAY_FORMAT_ID, alignment: INDENTED }),
    ...decimals.map((count) =>
      buildCellFormatXml({ format: FIRST_NUMBER_FORMAT_ID + count, alignment: RIGHT }),
    ),
  ];
  // The header has a font of its own; Excel expects these two fills first.
  return `${XML_DECLARATION}<styleSheet xmlns="${SPREADSHEET_NAMESPACE}">\
<numFmts count="${numberFormats.length + 1}"><numFmt numFmtId="${DAY_FORMAT_ID}" \
formatCode="yyyy\\-mm\\-dd"/>${numberFormats.join('')}</numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="${cellFormats.length}">${cellFormats.join('')}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

function buildCellFormatXml({ format = 0, font = 0, alignment = '' }): string {
  const applied = [
    ...(format ? [' applyNumberFormat="1"'] : []),
    ...(font ? [' applyFont="1"'] : []),
    ...(alignment ? [' applyAlignment="1"'] : []),
  ];
  const attributes = `numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"`;
  return `<xf ${attributes}${applied.join('')}>${alignment}</xf>`;
}

function buildWorkbookXml(sheetNames: readonly string[]): string {
  const sheets = sheetNames.map((name, index) => {
    const id = index + 1;
    return `<sheet name="${encodeEntities(escapeForOffice(name))}" sheetId="${id}" r:id="rId${id}"/>`;
  });
  return `${XML_DECLARATION}<workbook xmlns="${SPREADSHEET_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}"><bookViews><workbookView/>\
</bookViews><sheets>${sheets.join('')}</sheets></workbook>`;
}

function buildRelationshipsXml(targets: readonly (readonly [type: string, target: string])[]) {
  const list = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIPS_NAMESPACE}/${type}" Target="${target}"/>`,
  );
  return `${XML_DECLARATION}<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships">${list.join('')}</Relationships>`;
}

function buildOverrideXml(part: string, type: string): string {
  return `<Override PartName="/${part}" ContentType="${SPREADSHEET_MIME_PREFIX}.${type}+xml"/>`;
}

/** The name that Excel reserves, and the name of the other sheet. */
const RESERVED_NAMES = ['history', ABOUT_SHEET.toLowerCase()];

/** Excel's rules: 31 characters, some of them forbidden, no apostrophe at either end. */
function toSheetName(title: string): string {
  const allowed = title.toWellFormed().replaceAll(/[[\]:*?/\\]|\p{Cc}/gu, '-');
  const short = allowed
    .trim()
    .slice(0, 31)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const name = short.replaceAll(/^'+|(?<!')'+$/g, '').trim();
  if (RESERVED_NAMES.includes(name.toLowerCase())) return `${name}-`;
  return name === '' ? 'Sheet1' : name;
}

/** A cell with a number, as its shortest decimal. */
export function buildNumberCellXml(address: string, text: string, style: number): string {
  return `<c r="${address}"${buildStyleAttribute(style)}><v>${text}</v></c>`;
}

// Excel reports files with longer texts as damaged.
const MAX_CELL_TEXT = 32_767;

export function buildTextCellXml(address: string, text: string, style: number): string {
  if (text.length > MAX_CELL_TEXT)
    throw new InvalidFileError(
      `has a text of ${text.length} characters for cell ${address}; a cell holds ${MAX_CELL_TEXT}`,
    );
  const xml = encodeEntities(escapeForOffice(text));
  return `<c r="${address}"${buildStyleAttribute(style)} t="inlineStr">\
<is><t xml:space="preserve">${xml}</t></is></c>`;
}

/** Widths in characters, from the first column on. */
export function buildColumnsXml(widths: readonly number[]): string {
  if (widths.length === 0) return '';
  const columns = widths.map((width, index) => {
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  return `<cols>${columns.join('')}</cols>`;
}

const buildStyleAttribute = (style: number) => (style === CELL_STYLES.plain ? '' : ` s="${style}"`);
