import type { CellRow } from '../../formats/read-contents.ts';
import { InvalidFileError } from '../../formats/read-contents.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import { AmbiguousColumnsError } from '../mapping/column-plan.ts';

/** How far down a header is looked for. */
export const HEADER_SEARCH_ROWS = 50;

/** The row that names the columns: the first that names all that is needed. */
export function findHeader(
  rows: readonly CellRow[],
  makePlan: (columns: readonly string[]) => ColumnPlan,
  word: string,
  headerRow: number | undefined,
): { place: number; plan: ColumnPlan } {
  if (headerRow !== undefined) {
    const place = rows.findIndex(({ position }) => position === headerRow);
    const row = rows[place];
    if (!row)
      throw new InvalidFileError(
        `has nothing in ${word} ${headerRow}, which should name the columns`,
      );
    return { place, plan: assertComplete(makePlan(getColumnNames(row)), row, word) };
  }
  let best: { plan: ColumnPlan; row: CellRow; wants: number } | undefined;
  let refusal: AmbiguousColumnsError | undefined;
  for (const [index, row] of rows.slice(0, HEADER_SEARCH_ROWS).entries()) {
    const plan = tryPlan(row, makePlan, (cause) => (refusal ??= cause));
    if (!plan || plan.knownColumnCount === 0) continue;
    const wants = plan.missing.length + plan.missingReferencedColumns.length;
    if (wants === 0) return { place: index, plan: assertComplete(plan, row, word) };
    if (!best || wants < best.wants) best = { plan, row, wants };
  }
  if (best) assertComplete(best.plan, best.row, word);
  if (refusal) throw refusal;
  const [first] = rows;
  if (!first) throw new InvalidFileError('has no rows');
  const seen = getColumnNames(first).slice(0, 8).join(', ');
  throw new InvalidFileError(
    `has no ${word} that names the columns; ${word} ${first.position} has ${seen}; --header-row and --map help`,
  );
}

function tryPlan(
  row: CellRow,
  makePlan: (columns: readonly string[]) => ColumnPlan,
  onRefusal: (cause: AmbiguousColumnsError) => void,
): ColumnPlan | undefined {
  try {
    return makePlan(getColumnNames(row));
  } catch (cause) {
    if (!(cause instanceof AmbiguousColumnsError)) throw cause;
    onRefusal(cause);
    return undefined;
  }
}

/** The plan, if nothing is missing from it and nothing is left over. */
function assertComplete(plan: ColumnPlan, row: CellRow, word: string): ColumnPlan {
  const {
    missing,
    missingMappedColumns,
    unmappedColumns,
    missingReferencedColumns,
    conflictingColumns,
  } = plan;
  const header = `has, in ${word} ${row.position}, a header`;
  if (missingReferencedColumns.length > 0) {
    const names = missingReferencedColumns.map((name) => `"${name}"`).join(', ');
    throw new InvalidFileError(`has no column ${names}, which the mapping uses`);
  }
  if (missing.length > 0) {
    const names = getColumnNames(row)
      .filter((name) => name !== '')
      .join(', ');
    throw new InvalidFileError(
      `${header} without a column for ${missing.join(', ')}; its columns are ${names}; --map "COLUMN=FIELD" names one`,
    );
  }
  if (missingMappedColumns.length > 0) {
    throw new InvalidFileError(
      `${header} without ${missingMappedColumns.join(', ')}, which the mapping names`,
    );
  }
  if (conflictingColumns.length > 0) {
    const [first] = conflictingColumns;
    throw new InvalidFileError(
      `${header} with a column for ${conflictingColumns.map(({ field }) => field).join(', ')}, which --set or the mapping gives as well; leave the column out with --map "${first?.column}="`,
    );
  }
  if (unmappedColumns.length > 0) {
    const [first] = unmappedColumns;
    throw new InvalidFileError(
      `${header} with columns that no field takes: ${unmappedColumns.join(', ')}; leave one out with --map "${first}="`,
    );
  }
  return plan;
}

/** The names in a header; a blank cell is a column without one. */
export function getColumnNames({ cells }: CellRow): string[] {
  return cells.map((cell) => String(cell ?? '').trim());
}
