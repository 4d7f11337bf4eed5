import { type CellRow, InvalidFileError, type LocationUnit } from '../../formats/read-contents.ts';
import { AmbiguousColumnsError } from '../mapping/column-names.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';

export type CreatePlan = (columns: readonly string[]) => ColumnPlan;

export const HEADER_SEARCH_ROWS = 50;
/** Fewer rows are searched if they are long. */
export const HEADER_CHARACTERS = 1024 ** 2;

/** The first row that names every required column, or the row with the given number. */
export function findHeader(
  rows: readonly CellRow[],
  createPlan: CreatePlan,
  unit: LocationUnit,
  headerRow: number | undefined,
): { index: number; plan: ColumnPlan } {
  if (headerRow !== undefined) {
    const index = rows.findIndex(({ position }) => position === headerRow);
    const row = rows[index];
    if (!row)
      throw new InvalidFileError(
        `has nothing in ${unit} ${headerRow}, which should name the columns`,
      );
    return { index, plan: assertComplete(createPlan(getColumnNames(row)), row, unit) };
  }
  let best: { plan: ColumnPlan; row: CellRow; missingCount: number } | undefined;
  let ambiguity: AmbiguousColumnsError | undefined;
  for (const [index, row] of rows.slice(0, HEADER_SEARCH_ROWS).entries()) {
    let plan: ColumnPlan;
    try {
      plan = createPlan(getColumnNames(row));
    } catch (cause) {
      if (!(cause instanceof AmbiguousColumnsError)) throw cause;
      ambiguity ??= cause;
      continue;
    }
    if (plan.knownColumnCount === 0) continue;
    const missingCount = plan.missing.length + plan.missingReferencedColumns.length;
    if (missingCount === 0) return { index, plan: assertComplete(plan, row, unit) };
    if (!best || missingCount < best.missingCount) best = { plan, row, missingCount };
  }
  if (best) assertComplete(best.plan, best.row, unit);
  if (ambiguity) throw ambiguity;
  const [first] = rows;
  if (!first) throw new InvalidFileError('is empty');
  const names = getColumnNames(first).slice(0, 8).join(', ');
  throw new InvalidFileError(
    `has no ${unit} that names the columns; ${unit} ${first.position} has ${names}; --header-row and --map help`,
  );
}

function assertComplete(plan: ColumnPlan, row: CellRow, unit: LocationUnit): ColumnPlan {
  const reason = explainRejection(plan, row, unit);
  if (reason !== undefined) throw new InvalidFileError(reason);
  return plan;
}

/** Why columns cannot be read, as a predicate that follows the file's name; undefined if they can. */
function explainRejection(plan: ColumnPlan, row: CellRow, unit: LocationUnit): string | undefined {
  const header = `has, in ${unit} ${row.position}, a header`;
  if (plan.missingReferencedColumns.length > 0) {
    const names = plan.missingReferencedColumns.map((name) => `"${name}"`).join(', ');
    return `has no column ${names}, which the mapping uses`;
  }
  if (plan.missing.length > 0) {
    const names = getColumnNames(row).filter((name) => name !== '');
    return `${header} without a column for ${plan.missing.join(', ')}; its columns are ${names.join(', ')}; --map "COLUMN=FIELD" names one`;
  }
  if (plan.missingMappedColumns.length > 0)
    return `${header} without ${plan.missingMappedColumns.join(', ')}, which the mapping names`;
  if (plan.ineffectiveKeys.length > 0)
    return `${header} on which ${plan.ineffectiveKeys.join(', ')} of the mapping has no effect`;
  const [conflict] = plan.conflictingColumns;
  if (conflict) {
    const fields = plan.conflictingColumns.map(({ field }) => field).join(', ');
    return `${header} with a column for ${fields}, which --set or the mapping gives as well; leave the column out with --map "${conflict.column}="`;
  }
  const [unmapped] = plan.unmappedColumns;
  return unmapped === undefined
    ? undefined
    : `${header} with columns that no field takes: ${plan.unmappedColumns.join(', ')}; leave one out with --map "${unmapped}="`;
}

/** The column names in a header; empty for unnamed columns. */
export function getColumnNames({ cells }: CellRow): string[] {
  return cells.map((cell) => String(cell ?? '').trim());
}
