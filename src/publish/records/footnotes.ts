import { createConverter, InvalidCell } from '../cells/create-converter.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';

/**
 * Tells what may be a note below the data of a spreadsheet from what is surely data: a single cell
 * that is no key, or two of text beside no key.
 */
export function createFootnoteDetector(
  { fields }: ColumnPlan,
  keys: readonly string[],
  width: number,
): (cells: RowCells) => boolean {
  // What the mapping gives by itself says nothing of a row.
  const keyed = fields.filter(
    ({ name, readCell }) => keys.includes(name) && !isNonBlank(readCell([])),
  );
  const readers = keyed.map(({ field, readCell: get }) => {
    // A label that only wants an option is a record gone wrong all the same.
    const convert = createConverter(field, LENIENT_FORMAT);
    const reads = (cells: RowCells) => isReadableKey(convert(get(cells)));
    // Any text would do for a key that is a text.
    return { reads, isTelling: field.kind !== 'text' };
  });
  const telling = readers.filter(({ isTelling }) => isTelling);
  return (cells) => {
    const filled = cells.filter(isNonBlank);
    if (filled.length > 2 || filled.length >= width) return false;
    if (telling.some(({ reads }) => reads(cells))) return false;
    if (filled.length === 1) return true;
    return (
      filled.every(isNonNumericText) &&
      !(keyed.length > 0 && readers.every(({ reads }) => reads(cells)))
    );
  };
}

const LENIENT_FORMAT = { decimal: '.', periodStyle: 'sbp', dateOrder: 'dmy', blanks: [] } as const;

function isReadableKey(value: unknown): boolean {
  return value !== undefined && !(value instanceof InvalidCell);
}

/** Text that is no figure. */
function isNonNumericText(cell: unknown): boolean {
  return typeof cell === 'string' && !/^[-+(]?[\d.,\s]+%?\)?$/.test(cell.trim());
}

/** Whether there is something in a cell. */
export function isNonBlank(cell: unknown): boolean {
  return cell !== null && cell !== undefined && String(cell).trim() !== '';
}
