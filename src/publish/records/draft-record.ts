import type { FieldProblem } from '../../schema/validate-record.ts';
import { InvalidCell } from '../cells/create-converter.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import type { FieldSource } from '../mapping/field-sources.ts';
import { TERM_FIELDS } from '../mapping/field-targets.ts';
import type { Warning } from '../quality/index.ts';
import { readKeyedList } from './keyed-list.ts';

/** A record on its way, with where it stands in its file. */
export interface DraftRecord {
  readonly position: number;
  /** What is still undefined may be computed, or is a problem that is already named. */
  readonly record: Record<string, unknown>;
  /** What is used for a quote but is no part of it; absent where a file has none of it. */
  readonly terms?: Record<string, unknown>;
  readonly problems: readonly (FieldProblem & { readonly at?: number })[];
  /** What was noticed on the way here. */
  readonly warnings?: readonly (Warning & { readonly at: number })[];
}

/**
 * What to do with blank numbers: take them as 0; take those of keyed lists as keys that a list does
 * not have, and refuse the others; refuse them all where undefined.
 */
export type BlankPolicy = 'zero' | 'absent' | undefined;

/** Makes drafts of rows, by a plan. */
export function createDrafter(
  plan: ColumnPlan,
  blank: BlankPolicy,
): (cells: RowCells, at: number) => DraftRecord {
  const fields = plan.fields.filter(({ name }) => !Object.hasOwn(TERM_FIELDS, name));
  const terms = plan.fields.filter(({ name }) => Object.hasOwn(TERM_FIELDS, name));
  return (cells, at) => {
    const record: Record<string, unknown> = {};
    const problems: FieldProblem[] = [];
    for (const source of fields) record[source.name] = readValue(source, cells, blank, problems);
    for (const list of plan.lists) record[list.name] = readKeyedList(list, cells, blank, problems);
    if (terms.length === 0) return { position: at, record, problems };
    const own: Record<string, unknown> = {};
    for (const source of terms) own[source.name] = readValue(source, cells, undefined, problems);
    return { position: at, record, terms: own, problems };
  };
}

/** The value of one field; a cell that cannot be read is a problem and no value. */
export function readValue(
  source: FieldSource,
  cells: RowCells,
  blank: BlankPolicy,
  problems: FieldProblem[],
): unknown {
  const { name, field, isOptional, readCell, convert } = source;
  const cell = readCell(cells);
  const value = convert(cell);
  if (value instanceof InvalidCell) {
    problems.push({ field: name, value: cell, rule: value.rule });
    return undefined;
  }
  if (value !== undefined || isOptional) return value;
  const isNumber = field.schema.type === 'number' || field.schema.type === 'integer';
  if (isNumber && blank === 'zero') return 0;
  const reason = source.explainBlank?.(cells) ?? 'it is blank';
  const advice = isNumber ? ' (--blank zero takes it as 0)' : '';
  problems.push({
    field: name,
    value: cell ?? '',
    rule: `${field.requirement}; ${reason}${advice}`,
  });
  return undefined;
}
