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

export interface LocatedProblem extends FieldProblem, SourceLocation {
  /** If many have the same cause: their number, and where the next few are. */
  readonly count?: number;
  readonly others?: readonly SourceLocation[];
}

/** Shared by all valid records, so that none allocates a list. */
export const NO_PROBLEMS: readonly FieldProblem[] = [];

/** How many locations follow the first one of a cause. */
export const MAX_OTHERS = 4;

/** The number of problems listed one by one; the others are counted. */
export const MAX_LISTED_PROBLEMS = 100;

/** Collects the first problems, and counts all of them. */
export class ProblemCollector {
  readonly #listed: { readonly problem: LocatedProblem; readonly cause: Cause }[] = [];
  readonly #causes = new Map<string, Cause>();
  count = 0;
  /** The guard that stops the records; undefined if any of them is invalid. */
  guard: string | undefined;

  /** Adds a problem, and perhaps others of its cause that have no location. */
  add(problem: LocatedProblem, times = 1): void {
    if (this.count === 0 || this.guard) this.guard = problem.guard;
    this.count += times;
    // Rules differ in the figures of their examples.
    const key = `${problem.field}\0${problem.rule.replace(/\d+/g, '')}`;
    const known = this.#causes.get(key);
    if (!known && this.#listed.length >= MAX_LISTED_PROBLEMS) return;
    const cause = known ?? { count: 0, problems: [] };
    if (!known) this.#causes.set(key, cause);
    cause.count += times;
    if (cause.problems.length > MAX_OTHERS || this.#listed.length >= MAX_LISTED_PROBLEMS) return;
    const { value, rule } = withControlCharacter(problem);
    const listed = { ...problem, value: truncateValue(value), rule };
    cause.problems.push(listed);
    this.#listed.push({ problem: listed, cause });
  }

  /** The first problems, in their order; of a cause with many, one with the locations of the next. */
  get listed(): readonly LocatedProblem[] {
    return this.#listed.flatMap(({ problem, cause: { count, problems } }) => {
      if (count <= problems.length) return [problem];
      if (problem !== problems[0]) return [];
      const others = problems
        .slice(1)
        .map(({ field: _, value: __, rule: ___, guard: ____, ...location }) => location);
      return [{ ...problem, count, others }];
    });
  }
}

/** All problems of a field that break one rule. */
interface Cause {
  count: number;
  readonly problems: LocatedProblem[];
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

/** A problem's location among those before it, which are in the same file. */
function formatOther(
  location: SourceLocation,
  first: Pick<SourceLocation, 'file' | 'sheet'>,
): string {
  const { file, sheet, place, at } = location;
  return file === first.file && sheet === first.sheet ? `${place} ${at}` : formatLocation(location);
}

/** That there are more problems of a cause, and where the next ones are. */
export function formatOthers({
  count,
  others = [],
  ...first
}: Pick<LocatedProblem, 'count' | 'others' | 'file' | 'sheet'>): string {
  if (count === undefined) return '';
  const next = others.map((location) => formatOther(location, first)).join(', ');
  return ` (${count.toLocaleString('en-US')} times${next && `: next at ${next}`})`;
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
