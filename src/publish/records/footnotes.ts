import { createConverter, InvalidCell } from '../cells/create-converter.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';

/**
 * Detects rows that may be footnotes below the data of a spreadsheet: a single cell that is no key,
 * or two cells of text that are no key.
 */
export function createFootnoteDetector(
  { fields }: ColumnPlan,
  keyFields: readonly string[],
  width: number,
): (cells: RowCells) => boolean {
  // A constant of the mapping says nothing about a row.
  const keys = fields.filter(
    ({ name, readCell }) => keyFields.includes(name) && !isNonBlank(readCell([])),
  );
  const keyReaders = keys.map(({ field, readCell }) => {
    // Lenient, because a label that only needs an option is an invalid record, not a footnote.
    const convert = createConverter(field, LENIENT_FORMAT);
    const isReadable = (cells: RowCells) => {
      const value = convert(readCell(cells));
      return value !== undefined && !(value instanceof InvalidCell);
    };
    return { isReadable, isText: field.kind === 'text' };
  });
  return (cells) => {
    const filled = cells.filter(isNonBlank);
    if (filled.length > 2 || filled.length >= width) return false;
    // Any text can be read as a key of text.
    if (keyReaders.some(({ isText, isReadable }) => !isText && isReadable(cells))) return false;
    if (filled.length === 1) return true;
    const hasKey = keys.length > 0 && keyReaders.every(({ isReadable }) => isReadable(cells));
    return filled.every(isNonNumericText) && !hasKey;
  };
}

const LENIENT_FORMAT = { decimal: '.', periodStyle: 'sbp', dateOrder: 'dmy', blanks: [] } as const;

function isNonNumericText(cell: unknown): boolean {
  return typeof cell === 'string' && !/^[-+(]?[\d.,\s]+%?\)?$/.test(cell.trim());
}

export function isNonBlank(cell: unknown): boolean {
  return cell !== null && cell !== undefined && String(cell).trim() !== '';
}
