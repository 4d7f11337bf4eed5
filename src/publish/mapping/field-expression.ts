import { sumDecimals } from '../../shared/decimals.ts';
import type { ConvertCell } from '../cells/create-converter.ts';
import { MarkedCell, splitMarks } from '../cells/status-marks.ts';
import { MissingColumnError } from './column-names.ts';
import type { FieldExpression } from './mapping.ts';

export type RowCells = readonly unknown[];
export type ReadCell = (cells: RowCells) => unknown;
export type ResolveColumn = (name: string) => ReadCell | undefined;

export function getReferencedColumns(expression: FieldExpression): string[] {
  if (typeof expression === 'string')
    return findPlaceholders(expression).flatMap((placeholder) => placeholder.split('|'));
  if ('sum' in expression) return [...expression.sum];
  return getReferencedColumns('of' in expression ? expression.of : expression.shareOf);
}

/** `toNumber` parses the figures of a sum in the file's format. */
export function compileExpression(
  expression: FieldExpression,
  resolveColumn: ResolveColumn,
  toNumber: ConvertCell,
): ReadCell {
  if (typeof expression === 'string') return compileTemplate(expression, resolveColumn);
  if ('sum' in expression) return compileColumnSum(expression.sum, resolveColumn, toNumber);
  if ('shareOf' in expression) return compileTemplate(expression.shareOf, resolveColumn);
  const readText = compileTemplate(expression.of, resolveColumn);
  // The pattern matches the complete text, so that replacing it yields the other text with its groups filled in.
  const patterns = expression.like.map(
    ([pattern, text]) => [new RegExp(`^[^]*?(?:${pattern})[^]*$`), text] as const,
  );
  return (cells) => {
    const text = String(readText(cells) ?? '');
    const found = patterns.find(([pattern]) => pattern.test(text));
    return found && text.replace(...found);
  };
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

function findPlaceholders(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, placeholder = '']) => placeholder);
}

/** Fills a template with cells; blank if any cell is blank. */
export function compileTemplate(template: string, resolveColumn: ResolveColumn): ReadCell {
  const placeholders = findPlaceholders(template);
  const readers = placeholders.map((placeholder) =>
    compileFirstNonBlank(placeholder.split('|'), resolveColumn),
  );
  const [only] = readers;
  // A single placeholder yields the cell itself, so that numbers stay numbers.
  if (only && template === `{${placeholders[0]}}`) return only;
  const literals = template.split(PLACEHOLDER).filter((_, index) => index % 2 === 0);
  return (cells) => {
    let text = literals[0] ?? '';
    for (const [index, readCell] of readers.entries()) {
      const cell = readCell(cells);
      if (isBlankCell(cell)) return undefined;
      text += `${typeof cell === 'string' ? cell.trim() : cell}${literals[index + 1]}`;
    }
    return text;
  };
}

function compileFirstNonBlank(names: readonly string[], resolveColumn: ResolveColumn): ReadCell {
  const readers = names.map((name) => requireColumn(name, resolveColumn));
  const [only] = readers;
  if (only && readers.length === 1) return only;
  const isFilled = (cell: unknown) => !isBlankCell(cell);
  return (cells) =>
    readers
      .values()
      .map((readCell) => readCell(cells))
      .find(isFilled);
}

/** The sum of columns; blank if any of them is blank, and their texts if any is not a number. */
function compileColumnSum(
  names: readonly string[],
  resolveColumn: ResolveColumn,
  toNumber: ConvertCell,
): ReadCell {
  const readers = names.map((name) => requireColumn(name, resolveColumn));
  return (cells) => {
    const values = readers.map((readCell) => toNumber(readCell(cells)));
    if (values.includes(undefined)) return undefined;
    const texts = readers.map((readCell) => readCell(cells));
    if (!values.every((value) => typeof value === 'number')) return texts.join(' + ');
    const marks = texts.flatMap((text) => splitMarks(text, 'figure').marks);
    return marks.length > 0 ? new MarkedCell(sumDecimals(values), marks) : sumDecimals(values);
  };
}

function requireColumn(name: string, resolveColumn: ResolveColumn): ReadCell {
  const readCell = resolveColumn(name);
  if (!readCell) throw new MissingColumnError(name);
  return readCell;
}

export function isBlankCell(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}
