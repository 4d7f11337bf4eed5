import type { FieldProblem } from '../../schema/validate-record.ts';
import type { ColumnPlan } from '../mapping/column-plan.ts';
import type { RowCells } from '../mapping/field-expression.ts';
import { TERM_FIELDS } from '../mapping/field-targets.ts';
import type { Warning } from '../quality/index.ts';
import { type BlankPolicy, readField, readKeyedList } from './read-fields.ts';

/** A record on its way in, with its position in its file. */
export interface DraftRecord {
  readonly position: number;
  /** A field that is still undefined may be derived, or has a problem. */
  readonly record: Record<string, unknown>;
  /** The pricing terms in a row of a quote; absent where the file has no column of them. */
  readonly terms?: Record<string, unknown>;
  /** Problems have a position of their own where the record has several rows. */
  readonly problems: readonly (FieldProblem & { readonly position?: number })[];
  readonly warnings?: readonly (Warning & { readonly position: number })[];
}

/** Turns one row into a draft record. */
export type DraftRow = (cells: RowCells, position: number) => DraftRecord;

export function createDrafter(plan: ColumnPlan, blank: BlankPolicy): DraftRow {
  const fields = plan.fields.filter(({ name }) => !Object.hasOwn(TERM_FIELDS, name));
  const termFields = plan.fields.filter(({ name }) => Object.hasOwn(TERM_FIELDS, name));
  return (cells, position) => {
    const record: Record<string, unknown> = {};
    const problems: FieldProblem[] = [];
    for (const source of fields) record[source.name] = readField(source, cells, blank, problems);
    for (const list of plan.lists) record[list.name] = readKeyedList(list, cells, blank, problems);
    if (termFields.length === 0) return { position, record, problems };
    const terms: Record<string, unknown> = {};
    for (const source of termFields)
      terms[source.name] = readField(source, cells, undefined, problems);
    return { position, record, terms, problems };
  };
}
