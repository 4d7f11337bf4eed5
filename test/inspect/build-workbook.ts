import type { FileCell } from '../../src/formats/file-contents.ts';
import { buildParts, createZip } from '../formats/support/workbook.ts';

/** A workbook of sheets with these rows; an empty row is a blank one. */
export function buildWorkbook(
  sheets: Readonly<Record<string, readonly (readonly FileCell[])[]>>,
  hiddenSheet = '',
): Promise<Buffer> {
  const entries = Object.entries(sheets).map(([name, rows]) => [name, rows.map(toRow).join('')]);
  const states = { [hiddenSheet]: 'state="hidden"' };
  return createZip(buildParts({ sheets: Object.fromEntries(entries), states }));
}

const toRow = (cells: readonly FileCell[]) => `<row>${cells.map(toCell).join('')}</row>`;

function toCell(cell: FileCell): string {
  if (cell === null || cell === '') return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
}
