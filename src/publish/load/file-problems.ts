import type { LocationUnit } from '../../formats/read-contents.ts';
import type { FieldProblem } from '../../schema/validate-record.ts';
import type { LoadReport } from './load-report.ts';

/** A problem, and where it is. */
export interface LocatedProblem extends FieldProblem, SourceLocation {}

/** A place in a file. */
export interface SourceLocation {
  readonly file: string;
  readonly place: LocationUnit;
  readonly at: number;
  /** The line as well, where places are records and it is known. */
  readonly line?: number;
}

/** How many problems are told one by one; the others are counted. */
export const MAX_LISTED_PROBLEMS = 100;

/** Problems as they are found: the first of them, and how many there are. */
export class ProblemCollector {
  readonly listed: LocatedProblem[] = [];
  count = 0;

  add(problem: LocatedProblem): void {
    this.count++;
    if (this.listed.length >= MAX_LISTED_PROBLEMS) return;
    this.listed.push({ ...problem, value: truncateValue(problem.value) });
  }
}

/** What was asked of the published data cannot be done; the message says why and what to do. */
export class PublishError extends Error {}

/** Files that were refused; nothing of them is published. */
export class LoadValidationError extends Error {
  constructor(
    /** The first of them; none where warnings are why. */
    readonly problems: readonly LocatedProblem[],
    readonly count: number,
    readonly report: LoadReport,
  ) {
    super(`${count} ${count === 1 ? 'problem' : 'problems'}`);
  }
}

/** A problem as one line for a person. */
export function formatProblemLine({ field, value, rule, ...spot }: LocatedProblem): string {
  const where = `${formatLocation(spot)}${field === '' ? '' : `, ${field}`}`;
  return `${where}: ${formatProblem(value, rule)}`;
}

/** What is wrong with a value, in words that follow what it is the value of. */
export function formatProblem(value: unknown, rule: string): string {
  return value === undefined ? `missing; must be ${rule}` : `${formatValue(value)} must be ${rule}`;
}

/** A place in a file as people name it: `a.csv line 7`, `a.json record 7 (line 1)`. */
export function formatLocation({ file, place, at, line }: SourceLocation): string {
  return `${file} ${place} ${at}${line === undefined ? '' : ` (line ${line})`}`;
}

const MAX_VALUE_LENGTH = 1_000;

/** A value that is kept: a cell may hold millions of characters, and a hundred of them too many. */
function truncateValue(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_VALUE_LENGTH) return value;
  // A copy: a piece of a text keeps all of it in memory.
  return Buffer.from(`${value.slice(0, MAX_VALUE_LENGTH)}…`).toString();
}

const MAX_SHOWN_LENGTH = 60;

/** A value as it may be shown in a line: JSON, cut where it is long. */
function formatValue(value: unknown): string {
  // JSON has neither large whole numbers nor infinite ones: of 1e400 it would make null.
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  const text = isNumber ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
