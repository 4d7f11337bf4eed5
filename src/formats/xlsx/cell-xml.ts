import { InvalidFileError } from '../file-contents.ts';
import { encodeEntities } from '../xml/xml-entities.ts';
import { escapeForOffice } from './office-escapes.ts';
import { CELL_STYLES } from './workbook-template.ts';

/** A cell with a number, by its shortest decimal. */
export function buildNumberCellXml(address: string, text: string, style: number): string {
  return `<c r="${address}"${buildStyleAttribute(style)}><v>${text}</v></c>`;
}

// Excel reports a file with more as damaged.
const MAX_CELL_TEXT = 32_767;

export function buildTextCellXml(address: string, text: string, style: number): string {
  if (text.length > MAX_CELL_TEXT) {
    throw new InvalidFileError(
      `has a text of ${text.length} characters for cell ${address}; a cell holds ${MAX_CELL_TEXT}`,
    );
  }
  const xml = encodeEntities(escapeForOffice(text));
  return `<c r="${address}"${buildStyleAttribute(style)} t="inlineStr">\
<is><t xml:space="preserve">${xml}</t></is></c>`;
}

/** Widths in characters, for the columns from the first on. */
export function buildColumnsXml(widths: readonly number[]): string {
  if (widths.length === 0) return '';
  const columns = widths.map((width, index) => {
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  return `<cols>${columns.join('')}</cols>`;
}

const buildStyleAttribute = (style: number) => (style === CELL_STYLES.plain ? '' : ` s="${style}"`);
