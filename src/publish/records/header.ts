import type { Row } from '../../formats/index.ts';
import { FileRefused } from '../../formats/index.ts';
import type { Plan } from '../mapping/plan.ts';
import { PlanRefused } from '../mapping/plan.ts';

/** How far down a header is looked for. */
export const LOOK_AHEAD = 50;

/** The row that names the columns: the first that names all that is needed. */
export function headerAmong(
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
  let best: { plan: Plan; row: Row; wants: number } | undefined;
  let refusal: PlanRefused | undefined;
  for (const [place, row] of rows.slice(0, LOOK_AHEAD).entries()) {
    const plan = planned(row, makePlan, (cause) => (refusal ??= cause));
    if (!plan || plan.known === 0) continue;
    const wants = plan.missing.length + plan.unmade.length;
    if (wants === 0) return { place, plan: complete(plan, row, word) };
    if (!best || wants < best.wants) best = { plan, row, wants };
  }
  if (best) complete(best.plan, best.row, word);
  if (refusal) throw refusal;
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
  onRefusal: (cause: PlanRefused) => void,
): Plan | undefined {
  try {
    return makePlan(namesOf(row));
  } catch (cause) {
    if (!(cause instanceof PlanRefused)) throw cause;
    onRefusal(cause);
    return undefined;
  }
}

/** The plan, if nothing is missing from it and nothing is left over. */
function complete(plan: Plan, row: Row, word: string): Plan {
  const { missing, absent, unknown, unmade, doubled } = plan;
  const header = `has, in ${word} ${row.at}, a header`;
  if (unmade.length > 0) {
    const names = unmade.map((name) => `"${name}"`).join(', ');
    throw new FileRefused(`has no column ${names}, which the mapping uses`);
  }
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
  if (doubled.length > 0) {
    const [first] = doubled;
    throw new FileRefused(
      `${header} with a column for ${doubled.map(({ field }) => field).join(', ')}, which --set or the mapping gives as well; leave the column out with --map "${first?.column}="`,
    );
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
export function namesOf({ cells }: Row): string[] {
  return cells.map((cell) => String(cell ?? '').trim());
}
