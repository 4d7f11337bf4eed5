import type { LocationUnit } from '../../formats/read-contents.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import { findControlCharacter } from '../../shared/control-characters.ts';
import { copyText } from '../../shared/copy-text.ts';

export interface SourceLocation {
  readonly file: string;
  readonly place: LocationUnit;
  readonly at: number;
  /** The sheet, if an adapter reads a workbook. */
  readonly sheet?: string;
  /** The line, if the unit is a record and its line is known. */
  readonly line?: number;
}

/** A file as named in problems and warnings. */
export interface FileContext {
  readonly file: string;
  readonly locationUnit: LocationUnit;
  /** Details of a position in the current batch: its line, sheet and row. */
  readonly locate?: (position: number) => Partial<SourceLocation>;
}

export function toLocation(
  { file, locationUnit, locate }: FileContext,
  position: number,
): SourceLocation {
  const location = { file, place: locationUnit, at: position };
  return locate ? { ...location, ...locate(position) } : location;
}

export interface LocatedProblem extends FieldProblem, SourceLocation {}

/** Shared by all valid records, so that none allocates a list. */
export const NO_PROBLEMS: readonly FieldProblem[] = [];

/** The number of problems listed one by one; the others are counted. */
export const MAX_LISTED_PROBLEMS = 100;

/** Collects the first problems, and counts all of them. */
export class ProblemCollector {
  readonly listed: LocatedProblem[] = [];
  count = 0;
  /** The guard that stops the records; undefined if any of them is invalid. */
  guard: string | undefined;

  add(problem: LocatedProblem): void {
    if (this.count++ === 0 || this.guard) this.guard = problem.guard;
    if (this.listed.length >= MAX_LISTED_PROBLEMS) return;
    const { value, rule } = withControlCharacter(problem);
    this.listed.push({ ...problem, value: truncateValue(value), rule });
  }
}

/** Names an invisible character in the value, or in any text within it. */
export function withControlCharacter<T extends FieldProblem>(problem: T): T {
  let character: string | undefined;
  JSON.stringify(problem.value, (_, part) => {
    // Line ends and tabs are shown by their usual escapes.
    if (typeof part === 'string') character ??= findControlCharacter(part.replace(/[\n\r\t]/g, ''));
    return typeof part === 'bigint' ? null : part;
  });
  return character
    ? { ...problem, rule: `${problem.rule}; it has the character ${character}` }
    : problem;
}

/** A location for people: `a.csv line 7`, `a.xlsx sheet "B" row 7`, `a.json record 7 (line 1)`. */
export function formatLocation({ file, sheet, place, at, line }: SourceLocation): string {
  const sheetText = sheet === undefined ? '' : ` sheet ${JSON.stringify(sheet)}`;
  return `${file}${sheetText} ${place} ${at}${line === undefined ? '' : ` (line ${line})`}`;
}

const MAX_VALUE_LENGTH = 1_000;

/** Cells may hold millions of characters, too many to keep for each of a hundred problems. */
function truncateValue(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_VALUE_LENGTH) return value;
  return copyText(`${value.slice(0, MAX_VALUE_LENGTH)}…`);
}
