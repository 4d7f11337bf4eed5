import { InvalidFileError } from '../../formats/read-contents.ts';
import type { ConvertCell } from '../cells/create-converter.ts';
import type { FieldExpression } from './mapping.ts';
import { sumDecimals } from './scale-figures.ts';

/** The cells of a row, in the order of its columns. */
export type RowCells = readonly unknown[];
/** What a field is read from in a row. */
export type ReadCell = (cells: RowCells) => unknown;
/** The source of a named column; undefined where there is none of that name. */
export type ResolveColumn = (name: string) => ReadCell | undefined;

/** A column that a mapping uses and that the file does not have. */
export class MissingColumnError extends InvalidFileError {
  constructor(readonly column: string) {
    super(`has no column "${column}", which the mapping uses`);
  }
}

/** The names of the columns that a made field is made from. */
export function getReferencedColumns(expression: FieldExpression): string[] {
  if (typeof expression === 'string')
    return findPlaceholders(expression).flatMap((hole) => hole.split('|'));
  if ('sum' in expression) return [...expression.sum];
  return getReferencedColumns('of' in expression ? expression.of : expression.shareOf);
}

/** How a made field is read from a row; figures in texts are read as the file writes them. */
export function compileExpression(
  expression: FieldExpression,
  column: ResolveColumn,
  toNumber: ConvertCell,
): ReadCell {
  if (typeof expression === 'string') return compileTemplate(expression, column);
  if ('sum' in expression) return compileColumnSum(expression.sum, column, toNumber);
  if ('shareOf' in expression) return compileTemplate(expression.shareOf, column);
  const whole = compileTemplate(expression.of, column);
  const kinds = expression.like.map(([pattern, text]) => [new RegExp(pattern), text] as const);
  return (cells) => {
    const text = String(whole(cells) ?? '');
    return kinds.find(([pattern]) => pattern.test(text))?.[1];
  };
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

function findPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, hole = '']) => hole);
}

/** A text with cells in its holes; blank where one of them is. */
export function compileTemplate(text: string, column: ResolveColumn): ReadCell {
  const holes = findPlaceholders(text);
  const sources = holes.map((hole) => compileFirstNonBlank(hole.split('|'), column));
  const [only] = sources;
  // A hole alone is the cell itself: a number stays a number.
  if (only && text === `{${holes[0]}}`) return only;
  const between = text.split(PLACEHOLDER).filter((_, index) => index % 2 === 0);
  return (cells) => {
    let filled = between[0] ?? '';
    for (const [place, source] of sources.entries()) {
      const cell = source(cells);
      if (isBlankCell(cell)) return undefined;
      filled += `${typeof cell === 'string' ? cell.trim() : cell}${between[place + 1]}`;
    }
    return filled;
  };
}

/** The first of several columns that is not blank. */
function compileFirstNonBlank(names: readonly string[], column: ResolveColumn): ReadCell {
  const sources = names.map((name) => requireColumn(name, column));
  const [only] = sources;
  if (only && sources.length === 1) return only;
  return (cells) => {
    for (const source of sources) {
      const cell = source(cells);
      if (!isBlankCell(cell)) return cell;
    }
    return undefined;
  };
}

/** Columns added up; blank where one of them is, and their texts where one is no number. */
function compileColumnSum(
  names: readonly string[],
  column: ResolveColumn,
  toNumber: ConvertCell,
): ReadCell {
  const sources = names.map((name) => requireColumn(name, column));
  return (cells) => {
    const values = sources.map((source) => toNumber(source(cells)));
    if (values.includes(undefined)) return undefined;
    if (values.every((value) => typeof value === 'number')) return sumDecimals(values);
    return sources.map((source) => source(cells)).join(' + ');
  };
}

function requireColumn(name: string, column: ResolveColumn): ReadCell {
  const source = column(name);
  if (!source) throw new MissingColumnError(name);
  return source;
}

function isBlankCell(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}
