import { memoize } from '../../shared/memoize.ts';

/** How dates other than YYYY-MM-DD are read: 03/04/2026, or the number by which spreadsheets store a day. */
export const DATE_ORDERS = ['dmy', 'mdy', 'serial'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export interface ValueFormat {
  readonly decimal: '.' | ',';
  /** Whether the decimal sign is a guess: 98,125 may be either of two numbers. */
  readonly isDecimalGuessed?: boolean;
  /** Whether figures of the file settle it, and the two readings of one that leaves it open. */
  readonly decimalEvidence?: { isSettled: boolean; open?: string };
  /** sbp: converts labels as the State Bank of Pakistan writes them. */
  readonly periodStyle: 'sbp' | undefined;
  /** Called with each quarter named by its months, and its label; may repeat. */
  readonly onQuarterByMonths?: (text: string, label: string) => void;
  /** Undefined: only YYYY-MM-DD is valid. */
  readonly dateOrder: DateOrder | undefined;
  /** Texts that mean no value, besides empty cells, such as "-" and "n.a."; letter case is ignored. */
  readonly blanks: readonly string[];
  /** Whether periods and figures may have marks that give the status of their record. */
  readonly hasMarks?: boolean;
}

/**
 * Converts a cell to a value of the field's type: undefined if the cell is blank, an `InvalidCell` if it
 * cannot be read. The field must still validate the value: 1.5 is read from "1.5" for a count, too. Booleans
 * and lists are returned unchanged.
 */
export type ConvertCell = (cell: unknown) => unknown;

/** The same for text that is trimmed and not blank. */
export type ParseText = (text: string) => unknown;

export class InvalidCell {
  constructor(
    /** The requirement for the cell, with advice if available. */
    readonly rule: string,
  ) {}
}

export function quoteShort(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);
}

const MAX_MEMOIZED_TEXTS = 10_000;
const MAX_MEMOIZED_LENGTH = 12;

/**
 * Memoizes a parser: columns repeat their days and periods, and a lookup is ten times as fast as parsing.
 * Long texts are not memoized, because a slice keeps its complete source text in memory.
 */
export function memoizeByText<T>(parse: (text: string) => T): (text: string) => T {
  const parseCached = memoize(MAX_MEMOIZED_TEXTS, parse);
  return (text) => (text.length > MAX_MEMOIZED_LENGTH ? parse(text) : parseCached(text));
}

/** Whether a text is one that sources usually write for no value: `-`, `..`, `n.a.`, `nil`. */
export function isBlankMark(text: string): boolean {
  return BLANK_MARK.test(text);
}

const BLANK_MARK = /^(?:[-–—.…*]+|n\.? ?[/.]? ?[ad]\.?|nil\.?|null|none|#n\/a)$/i;
