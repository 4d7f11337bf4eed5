import type { Problem } from '../../derive/record.ts';
import type { Convert } from '../cells/index.ts';
import { Unfit } from '../cells/index.ts';
import type { Cells } from '../mapping/made.ts';
import type { ListSource, Plan, Source } from '../mapping/plan.ts';
import { TERMS } from '../mapping/targets.ts';
import type { Warning } from '../quality/index.ts';

/** A record on its way, with where it stands in its file. */
export interface Draft {
  readonly at: number;
  /** What is still undefined may be computed, or is a problem that is already named. */
  readonly record: Record<string, unknown>;
  /** What is used for a quote but is no part of it; absent where a file has none of it. */
  readonly terms?: Record<string, unknown>;
  readonly problems: readonly (Problem & { readonly at?: number })[];
  /** What was noticed on the way here. */
  readonly warnings?: readonly (Warning & { readonly at: number })[];
}

/** What to do with blank numbers: refuse them where undefined. */
export type Blank = 'zero' | undefined;

/** Makes drafts of rows, by a plan. */
export function drafter(plan: Plan, blank: Blank): (cells: Cells, at: number) => Draft {
  const fields = plan.fields.filter(({ name }) => !Object.hasOwn(TERMS, name));
  const terms = plan.fields.filter(({ name }) => Object.hasOwn(TERMS, name));
  return (cells, at) => {
    const record: Record<string, unknown> = {};
    const problems: Problem[] = [];
    for (const source of fields) record[source.name] = readValue(source, cells, blank, problems);
    for (const list of plan.lists) record[list.name] = listOf(list, cells, problems);
    if (terms.length === 0) return { at, record, problems };
    const own: Record<string, unknown> = {};
    for (const source of terms) own[source.name] = readValue(source, cells, undefined, problems);
    return { at, record, terms: own, problems };
  };
}

/** The value of one field; a cell that cannot be read is a problem and no value. */
export function readValue(
  { name, field, optional, get, convert }: Source,
  cells: Cells,
  blank: Blank,
  problems: Problem[],
): unknown {
  const cell = get(cells);
  const value = convert(cell);
  if (value instanceof Unfit) {
    problems.push({ field: name, value: cell, rule: value.rule });
    return undefined;
  }
  if (value !== undefined || optional) return value;
  const isNumber = field.schema.type === 'number' || field.schema.type === 'integer';
  if (isNumber && blank === 'zero') return 0;
  const advice = isNumber ? ' (--blank zero takes it as 0)' : '';
  problems.push({ field: name, value: cell ?? '', rule: `${field.rule}; it is blank${advice}` });
  return undefined;
}

/** A list from its columns: a blank cell means that the list has no such key. */
function listOf(list: ListSource, cells: Cells, problems: Problem[]): unknown {
  const whole = wholeList(list.whole?.(cells));
  if (whole !== undefined || (list.whole && list.parts.length === 0)) return whole ?? '';
  const items: { key: string; value: unknown }[] = [];
  for (const { name, key, get, convert } of list.parts) {
    const value = filled(convert, get(cells), name, problems);
    if (value !== undefined) items.push({ key, value });
  }
  return items;
}

function filled(convert: Convert, cell: unknown, field: string, problems: Problem[]): unknown {
  const value = convert(cell);
  if (!(value instanceof Unfit)) return value;
  problems.push({ field, value: cell, rule: value.rule });
  return undefined;
}

/** A list as JSON gives it, or as JSON text in a cell; undefined where the cell is blank. */
function wholeList(cell: unknown): unknown {
  if (cell === null || cell === undefined || cell === '') return undefined;
  if (typeof cell !== 'string') return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
