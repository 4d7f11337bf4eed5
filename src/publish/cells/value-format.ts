/** How a file writes its values. */
export interface ValueFormat {
  readonly decimal: '.' | ',';
  /** The decimal sign is only supposed: 98,125 may be meant as either of two numbers. */
  readonly isDecimalGuessed?: boolean;
  /** sbp: labels as the State Bank of Pakistan writes them are converted. */
  readonly periodStyle: 'sbp' | undefined;
  /** Which comes first in dates such as 03/04/2026; undefined: only YYYY-MM-DD is taken. */
  readonly dateOrder: 'dmy' | 'mdy' | undefined;
  /** Texts that mean no value, besides nothing at all: "-", "n.a."; letter case is ignored. */
  readonly blanks: readonly string[];
}

/**
 * Gives the value that a field takes for a cell of a file: undefined where the cell is blank, an
 * `Unfit` where it cannot be read. The value is of the field's type, but whether the field takes
 * it is still for the field to say: 1.5 is read from "1.5" for a count too.
 * A cell of another type, such as a boolean or a list, comes back as it is.
 */
export type ConvertCell = (cell: unknown) => unknown;

/** The same for text that is trimmed and not blank. */
export type ParseText = (text: string) => unknown;

/** Stands in for the value of a cell that cannot be read. */
export class InvalidCell {
  constructor(
    /** What the cell must be, in words that follow "must be", with advice where there is some. */
    readonly rule: string,
  ) {}
}

/** The text in quotes, cut where it is long. */
export function quoteShort(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);
}

const MAX_MEMOIZED_TEXTS = 10_000;
const MAX_MEMOIZED_LENGTH = 12;

/**
 * The same reading, remembered: a column repeats its days and periods, and finding one again is
 * ten times as fast as taking it apart. Long texts are left out, since a piece of text can keep
 * all of the text that it was cut from in memory.
 */
export function memoizeByText<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > MAX_MEMOIZED_LENGTH) return read(text);
    let result = known.get(text);
    if (result === undefined) {
      result = read(text);
      if (known.size === MAX_MEMOIZED_TEXTS) known.clear();
      known.set(text, result);
    }
    return result;
  };
}
