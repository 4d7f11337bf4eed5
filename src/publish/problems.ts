import type { Problem } from '../derive/record.ts';
import type { PlaceName } from '../formats/index.ts';
import type { LoadReport } from './report.ts';

/** A problem, and where it is. */
export interface FileProblem extends Problem, Spot {}

/** A place in a file. */
export interface Spot {
  readonly file: string;
  readonly place: PlaceName;
  readonly at: number;
  /** The line as well, where places are records and it is known. */
  readonly line?: number;
}

/** How many problems are told one by one; the others are counted. */
export const MOST_PROBLEMS = 100;

/** Problems as they are found: the first of them, and how many there are. */
export class Problems {
  readonly first: FileProblem[] = [];
  count = 0;

  add(problem: FileProblem): void {
    this.count++;
    if (this.first.length >= MOST_PROBLEMS) return;
    this.first.push({ ...problem, value: bounded(problem.value) });
  }
}

/** What was asked of the published data cannot be done; the message says why and what to do. */
export class PublishingRefused extends Error {}

/** Files that were refused; nothing of them is published. */
export class LoadRefused extends Error {
  constructor(
    /** The first of them; none where warnings are why. */
    readonly problems: readonly FileProblem[],
    readonly count: number,
    readonly report: LoadReport,
  ) {
    super(`${count} ${count === 1 ? 'problem' : 'problems'}`);
  }
}

/** A problem as one line for a person. */
export function problemLine({ field, value, rule, ...spot }: FileProblem): string {
  const where = `${spotText(spot)}${field === '' ? '' : `, ${field}`}`;
  return `${where}: ${problemText(value, rule)}`;
}

/** What is wrong with a value, in words that follow what it is the value of. */
export function problemText(value: unknown, rule: string): string {
  return value === undefined ? `missing; must be ${rule}` : `${shown(value)} must be ${rule}`;
}

/** A place in a file as people name it: `a.csv line 7`, `a.json record 7 (line 1)`. */
export function spotText({ file, place, at, line }: Spot): string {
  return `${file} ${place} ${at}${line === undefined ? '' : ` (line ${line})`}`;
}

const MOST_KEPT = 1_000;

/** A value that is kept: a cell may hold millions of characters, and a hundred of them too many. */
function bounded(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MOST_KEPT) return value;
  // A copy: a piece of a text keeps all of it in memory.
  return Buffer.from(`${value.slice(0, MOST_KEPT)}…`).toString();
}

const MOST_CHARACTERS = 60;

/** A value as it may be shown in a line: JSON, cut where it is long. */
function shown(value: unknown): string {
  // JSON has neither large whole numbers nor infinite ones: of 1e400 it would make null.
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  const text = isNumber ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
