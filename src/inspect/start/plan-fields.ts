import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type Field, isNumberField } from '../../catalogue/model/field.ts';
import { normalizeName } from '../../publish/mapping/column-names.ts';
import {
  type FieldTargets,
  getFieldTargets,
  getFundRowTargets,
} from '../../publish/mapping/field-targets.ts';
import type { CellKind } from '../cell-kinds.ts';
import type { ColumnProfile } from '../profile-column.ts';
import { isAlias } from './aliases.ts';

/** A field of a dataset, and the column that holds it. */
export interface FieldPlan {
  readonly field: string;
  /** Undefined where a person has to say what the field comes from. */
  readonly column?: ColumnProfile;
  /** The remark for a person: what is missing, or that a column is a guess; absent where it is sure. */
  readonly remark?: string;
}

export const getTargets = (dataset: Dataset): FieldTargets =>
  dataset.shape === 'fund' ? getFundRowTargets(dataset) : getFieldTargets(dataset);

/** The column of each field, by name; a field that may be absent is left out if no column has it. */
export function planFields(dataset: Dataset, columns: readonly ColumnProfile[]): FieldPlan[] {
  const { fields, lists } = getTargets(dataset);
  const single = [...fields].filter(([name]) => !lists.has(name));
  const matches = new Map<string, FieldPlan>();
  for (const isNameOf of [hasName, hasAlias, hasPeriods]) {
    const used = new Set([...matches.values()].map(({ column }) => column));
    const pairs = single.flatMap(([name, { field }]) =>
      columns
        .filter((column) => !matches.has(name) && !used.has(column) && canHold(column, field))
        .filter((column) => isNameOf(column, name, field))
        .map((column) => ({ field: name, column })),
    );
    // Of two fields for a column, or two columns for a field, a person chooses.
    for (const { field, column } of pairs) {
      const same = pairs.filter((pair) => pair.field === field || pair.column === column);
      if (same.length > 1 || isNameRepeated(column, columns)) continue;
      matches.set(field, { field, column, ...(isNameOf !== hasName && { remark: 'check' }) });
    }
  }
  return [...fields].flatMap(([name, { field, isOptional, alternative = '' }]) => {
    const isAbsent = isOptional || matches.has(alternative);
    return matches.get(name) ?? (isAbsent ? [] : planMissing(name, field, columns));
  });
}

type IsNameOf = (column: ColumnProfile, name: string, field: Field) => boolean;

const hasName: IsNameOf = (column, name) => normalizeName(column.name) === normalizeName(name);

/** By the last name of a member of an object in an object: `quote.bid`. */
const hasAlias: IsNameOf = (column, name, { description }) =>
  isAlias(name, description, column.name.replace(/^.*\w\.(?=\w)/, ''));

const hasPeriods: IsNameOf = ({ kind }, _, { periodKind }) =>
  periodKind !== undefined && kind === periodKind.unit;

const isNameRepeated = ({ name }: ColumnProfile, columns: readonly ColumnProfile[]) =>
  name === '' || columns.filter((column) => column.name === name).length > 1;

const FIGURE_KINDS: readonly (CellKind | 'mixed')[] = ['number', 'year', 'blank'];

/** Whether nearly all cells can be values of the field as they stand. */
function canHold({ kind, hasTime, hasUnit, examples }: ColumnProfile, field: Field): boolean {
  if (field.periodKind)
    return (
      kind === field.periodKind.unit || (field.periodKind.name === 'monthly' && kind === 'day')
    );
  if (field.kind === 'day') return kind === 'day' && !hasTime;
  if (isNumberField(field))
    return !hasUnit && (FIGURE_KINDS.includes(kind) || (kind === 'percent' && field.kind === kind));
  const choices = field.schema.enum as readonly unknown[] | undefined;
  return examples.every((text) => choices?.includes(text.toLowerCase()) ?? true);
}

/** A field that a person has to find, and the column of its name that has other cells. */
function planMissing(name: string, field: Field, columns: readonly ColumnProfile[]): FieldPlan {
  const { kind, description, requirement, unit, itemFields } = field;
  const text = kind === 'choice' || kind === 'day' ? requirement : description;
  const named = columns.filter((column) =>
    [hasName, hasAlias].some((is) => is(column, name, field)),
  );
  const parts = [
    unit === undefined ? text : `${text}, in ${unit}`,
    ...(itemFields ? [`${name}:key and ${name}:value, or ${name}.KEY for each`] : []),
    ...named.map((column) => `${column.name} has ${column.examples[0] ?? 'no cells'}`),
  ];
  return { field: name, remark: parts.join('; ') };
}
