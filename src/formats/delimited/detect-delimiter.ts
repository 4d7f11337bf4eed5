import type { TextHead } from '../decode-text.ts';

/** How much of a text is enough to find its delimiter. */
export const HEAD_CHARACTERS = 64 * 1024;

// In the order in which they are taken where all else is equal: a comma is also a decimal sign.
const DELIMITERS = ['\t', ';', '|', ','];

/** The delimiter of a text: the one that cuts the most lines into the same number of cells. */
export function detectDelimiter(head: TextHead): string {
  const text = head.text.replace(QUOTED_CELL, '$1x');
  const lines = text.split(/\r\n|\r|\n/);
  if (!head.isComplete && lines.length > 1) lines.pop();
  const filled = lines.filter((line) => /[^\s;|,]/.test(line));
  const cuts = DELIMITERS.map((delimiter) => scoreDelimiter(delimiter, filled));
  // Commas between digits only are decimal signs, if anything else cuts as well.
  const decimal = !/(^|\D),|,(\D|$)/.test(text);
  const weight = ({ delimiter, cells }: DelimiterScore) =>
    delimiter === ',' && decimal ? 0 : cells;
  const [best] = cuts.toSorted((a, b) => b.alike - a.alike || weight(b) - weight(a));
  return best === undefined || best.alike === 0 ? ',' : best.delimiter;
}

/** The delimiter that a first line such as `sep=;` names, as Excel writes and reads it. */
export function parseSepLine(head: TextHead): string | undefined {
  return /^sep=([^"\r\n])(?=[\r\n]|$)/i.exec(head.text)?.[1];
}

/** A quoted cell, whichever the delimiter is: what it holds does not count. */
const QUOTED_CELL = /(^|[\t;|,\r\n])"[^"]*(?:""[^"]*)*(?:"|$)/g;

interface DelimiterScore {
  readonly delimiter: string;
  /** The number of cells that the most lines have, of those lines that have several. */
  readonly cells: number;
  /** How many lines have that number. */
  readonly alike: number;
}

function scoreDelimiter(delimiter: string, lines: readonly string[]): DelimiterScore {
  const widths = Map.groupBy(lines, (line) => line.split(delimiter).length);
  const several = [...widths].filter(([cells]) => cells > 1);
  const [most] = several.toSorted(([, a], [, b]) => b.length - a.length);
  const [cells, alike] = most ?? [1, []];
  return { delimiter, cells, alike: alike.length };
}
