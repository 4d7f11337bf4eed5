import type { Problem } from '../../derive/record.ts';
import type { Row, Table } from '../../formats/index.ts';
import { FileRefused } from '../../formats/index.ts';
import type { Cells } from '../mapping/made.ts';
import { NoSuchColumn } from '../mapping/made.ts';
import type { Plan } from '../mapping/plan.ts';
import { PlanRefused } from '../mapping/plan.ts';

/** A row of data under a header, with what is wrong with the row as a whole. */
export interface DataRow {
  readonly at: number;
  readonly cells: Cells;
  readonly problems: readonly Problem[];
}

export interface Reading {
  readonly plan: Plan;
  readonly rows: AsyncIterable<readonly DataRow[]>;
}

export interface TableOptions {
  /** The row that names the columns; looked for where absent. */
  readonly headerRow?: number | undefined;
  /** Told of rows that are no data: titles above the header, notes below the data. */
  readonly onSkipped: (what: string) => void;
}

/** How far down a header is looked for. */
const LOOK_AHEAD = 50;

/** Finds the header of a table, and gives the rows below it. */
export async function readTable(
  table: Table,
  makePlan: (columns: readonly string[]) => Plan,
  options: TableOptions,
): Promise<Reading> {
  const batches = table.rows[Symbol.asyncIterator]();
  const ahead: Row[] = [];
  let isWhole = false;
  const last = options.headerRow ?? 0;
  while (ahead.length < LOOK_AHEAD || (ahead.at(-1)?.at ?? 0) < last) {
    const next = await batches.next();
    isWhole = next.done === true;
    if (isWhole) break;
    ahead.push(...(next.value as readonly Row[]));
  }
  const { place, plan } = headerAmong(ahead, makePlan, table.place, options.headerRow);
  if (place > 0) {
    const [first, header] = [ahead[0]?.at, ahead[place]?.at];
    options.onSkipped(`${table.place} ${first} to the header in ${table.place} ${header}`);
  }
  const names = namesOf(ahead[place] as Row);
  const width = names.findLastIndex((name) => name !== '') + 1;
  const layout = { width, most: names.length, unnamed: plan.unnamed };
  return {
    plan,
    rows: below(table, ahead.slice(place + 1), isWhole ? undefined : batches, layout, options),
  };
}

/** The row that names the columns: the first that names all that is needed. */
function headerAmong(
  rows: readonly Row[],
  makePlan: (columns: readonly string[]) => Plan,
  word: string,
  headerRow: number | undefined,
): { place: number; plan: Plan } {
  if (headerRow !== undefined) {
    const place = rows.findIndex(({ at }) => at === headerRow);
    const row = rows[place];
    if (!row)
      throw new FileRefused(`has nothing in ${word} ${headerRow}, which should name the columns`);
    return { place, plan: complete(makePlan(namesOf(row)), row, word) };
  }
  let best: { plan: Plan; row: Row } | undefined;
  let refusal: Error | undefined;
  for (const [place, row] of rows.slice(0, LOOK_AHEAD).entries()) {
    const plan = planned(row, makePlan, (cause) => (refusal ??= cause));
    if (!plan || plan.known === 0) continue;
    if (plan.missing.length === 0) return { place, plan: complete(plan, row, word) };
    if (!best || plan.missing.length < best.plan.missing.length) best = { plan, row };
  }
  if (refusal && (!best || refusal instanceof NoSuchColumn)) throw new FileRefused(refusal.message);
  if (best) complete(best.plan, best.row, word);
  const [first] = rows;
  if (!first) throw new FileRefused('has no rows');
  const seen = namesOf(first).slice(0, 8).join(', ');
  throw new FileRefused(
    `has no ${word} that names the columns; ${word} ${first.at} has ${seen}; --header-row and --map help`,
  );
}

function planned(
  row: Row,
  makePlan: (columns: readonly string[]) => Plan,
  onRefusal: (cause: Error) => void,
): Plan | undefined {
  try {
    return makePlan(namesOf(row));
  } catch (cause) {
    if (!(cause instanceof PlanRefused || cause instanceof NoSuchColumn)) throw cause;
    onRefusal(cause);
    return undefined;
  }
}

/** The plan, if nothing is missing from it and nothing is left over. */
function complete(plan: Plan, row: Row, word: string): Plan {
  const { missing, absent, unknown } = plan;
  const header = `has, in ${word} ${row.at}, a header`;
  if (missing.length > 0) {
    const names = namesOf(row)
      .filter((name) => name !== '')
      .join(', ');
    throw new FileRefused(
      `${header} without a column for ${missing.join(', ')}; its columns are ${names}; --map "COLUMN=FIELD" names one`,
    );
  }
  if (absent.length > 0) {
    throw new FileRefused(`${header} without ${absent.join(', ')}, which the mapping names`);
  }
  if (unknown.length > 0) {
    const [first] = unknown;
    throw new FileRefused(
      `${header} with columns that no field takes: ${unknown.join(', ')}; leave one out with --map "${first}="`,
    );
  }
  return plan;
}

/** The names in a header; a blank cell is a column without one. */
function namesOf({ cells }: Row): string[] {
  return cells.map((cell) => String(cell ?? '').trim());
}

async function* below(
  { place: word }: Table,
  ahead: readonly Row[],
  rest: AsyncIterator<readonly Row[]> | undefined,
  layout: Layout,
  { onSkipped }: TableOptions,
): AsyncGenerator<readonly DataRow[]> {
  // In a spreadsheet, rows with one filled cell are notes if nothing but notes follows them.
  let notes: DataRow[] = [];
  const dataOf = (rows: readonly Row[]): DataRow[] => {
    const data: DataRow[] = [];
    for (const row of rows) {
      const made = { at: row.at, cells: row.cells, problems: rowProblems(row, layout, word) };
      if (word === 'row' && layout.width > 1 && filledCells(row) === 1) {
        notes.push(made);
        continue;
      }
      if (notes.length > 0) {
        data.push(...notes);
        notes = [];
      }
      data.push(made);
    }
    return data;
  };
  yield dataOf(ahead);
  while (rest) {
    const next = await rest.next();
    if (next.done) break;
    yield dataOf(next.value);
  }
  const [first] = notes;
  if (first) onSkipped(`notes below the data, from ${word} ${first.at} on`);
}

function rowProblems({ cells, merged }: Row, layout: Layout, word: string): Problem[] {
  const { width, most, unnamed } = layout;
  const problems: Problem[] = [];
  const isShort = word === 'line' && cells.length < width;
  // In text one delimiter too many, such as a decimal comma, shifts all cells behind it.
  const isLong = cells.length > most && (word === 'line' || cells.slice(most).some(isFilled));
  if (isShort || isLong) {
    const rule = `a row of ${width} cells, as the header has; it has ${cells.length}`;
    problems.push({ field: '', value: cells.join(', '), rule });
  }
  for (const place of unnamed) {
    if (!isFilled(cells[place])) continue;
    const rule = `blank: column ${place + 1} has no name in the header`;
    problems.push({ field: '', value: cells[place], rule });
  }
  if (merged) {
    const value = merged.join(', ');
    problems.push({ field: '', value, rule: 'unmerged, so that each cell has its own value' });
  }
  return problems;
}

function filledCells({ cells }: Row): number {
  return cells.filter(isFilled).length;
}

function isFilled(cell: unknown): boolean {
  return cell !== null && cell !== undefined && String(cell).trim() !== '';
}

/** How wide a row may be, and where it must be blank. */
interface Layout {
  /** As far as columns have names. */
  readonly width: number;
  /** With the blank cells behind them. */
  readonly most: number;
  readonly unnamed: readonly number[];
}
