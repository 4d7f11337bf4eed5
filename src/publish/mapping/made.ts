import { FileRefused } from '../../formats/index.ts';
import type { Convert } from '../cells/index.ts';
import { sumOf } from './adjust.ts';
import type { Made } from './mapping.ts';

/** The cells of a row, in the order of its columns. */
export type Cells = readonly unknown[];
/** What a field is read from in a row. */
export type Get = (cells: Cells) => unknown;
/** The source of a named column; undefined where there is none of that name. */
export type Column = (name: string) => Get | undefined;

/** A column that a mapping uses and that the file does not have. */
export class NoSuchColumn extends FileRefused {
  constructor(readonly column: string) {
    super(`has no column "${column}", which the mapping uses`);
  }
}

/** The names of the columns that a made field is made from. */
export function columnsIn(made: Made): string[] {
  if (typeof made === 'string') return holesIn(made).flatMap((hole) => hole.split('|'));
  if ('sum' in made) return [...made.sum];
  return columnsIn('of' in made ? made.of : made.shareOf);
}

/** How a made field is read from a row; figures in texts are read as the file writes them. */
export function makerOf(made: Made, column: Column, toNumber: Convert): Get {
  if (typeof made === 'string') return template(made, column);
  if ('sum' in made) return columnSum(made.sum, column, toNumber);
  if ('shareOf' in made) return template(made.shareOf, column);
  const whole = template(made.of, column);
  const kinds = made.like.map(([pattern, text]) => [new RegExp(pattern), text] as const);
  return (cells) => {
    const text = String(whole(cells) ?? '');
    return kinds.find(([pattern]) => pattern.test(text))?.[1];
  };
}

const HOLE = /\{([^{}]+)\}/g;

function holesIn(text: string): string[] {
  return [...text.matchAll(HOLE)].map(([, hole = '']) => hole);
}

/** A text with cells in its holes; blank where one of them is. */
export function template(text: string, column: Column): Get {
  const holes = holesIn(text);
  const sources = holes.map((hole) => firstOf(hole.split('|'), column));
  const [only] = sources;
  // A hole alone is the cell itself: a number stays a number.
  if (only && text === `{${holes[0]}}`) return only;
  const between = text.split(HOLE).filter((_, place) => place % 2 === 0);
  return (cells) => {
    let filled = between[0] ?? '';
    for (const [place, source] of sources.entries()) {
      const cell = source(cells);
      if (isBlank(cell)) return undefined;
      filled += `${typeof cell === 'string' ? cell.trim() : cell}${between[place + 1]}`;
    }
    return filled;
  };
}

/** The first of several columns that is not blank. */
function firstOf(names: readonly string[], column: Column): Get {
  const sources = names.map((name) => sourceOf(name, column));
  const [only] = sources;
  if (only && sources.length === 1) return only;
  return (cells) => {
    for (const source of sources) {
      const cell = source(cells);
      if (!isBlank(cell)) return cell;
    }
    return undefined;
  };
}

/** Columns added up; blank where one of them is, and their texts where one is no number. */
function columnSum(names: readonly string[], column: Column, toNumber: Convert): Get {
  const sources = names.map((name) => sourceOf(name, column));
  return (cells) => {
    const values = sources.map((source) => toNumber(source(cells)));
    if (values.includes(undefined)) return undefined;
    if (values.every((value) => typeof value === 'number')) return sumOf(values);
    return sources.map((source) => source(cells)).join(' + ');
  };
}

function sourceOf(name: string, column: Column): Get {
  const source = column(name);
  if (!source) throw new NoSuchColumn(name);
  return source;
}

function isBlank(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}
