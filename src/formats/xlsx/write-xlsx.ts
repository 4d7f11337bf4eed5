import type { FormatWriter } from '../file-contents.ts';
import { writeZip } from '../zip/write-zip.ts';
import { buildXlsxParts } from './build-xlsx-parts.ts';

/** A workbook. Numbers read back unchanged; a table beyond the limits of a sheet fails. */
export const writeXlsx: FormatWriter = (table) => writeZip(buildXlsxParts(table));
