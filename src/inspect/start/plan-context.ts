import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { Field } from '../../catalogue/model/field.ts';
import {
  type FieldTargets,
  getFieldTargets,
  getFundRowTargets,
} from '../../publish/mapping/field-targets.ts';
import type { FileProfile, SheetProfile } from '../inspect-file.ts';
import type { ColumnProfile } from '../profile-column.ts';
import type { FieldPlan } from './field-plan.ts';

/** What a field is planned from. */
export interface PlanContext {
  readonly dataset: Dataset;
  readonly file: FileProfile;
  readonly sheet: SheetProfile;
  /** Columns that hold no field so far. */
  readonly free: readonly ColumnProfile[];
  readonly plans: readonly FieldPlan[];
}

export const getTargets = (dataset: Dataset): FieldTargets =>
  dataset.shape === 'fund' ? getFundRowTargets(dataset) : getFieldTargets(dataset);

/** What a person has to find for a field. */
export function planMissing(
  field: string,
  { kind, description, requirement, unit }: Field,
): FieldPlan {
  const text = kind === 'choice' || kind === 'day' ? requirement : description;
  const inUnit = unit === undefined ? '' : `, in ${unit}`;
  return { field, origin: { kind: 'missing', requirement: `${text}${inUnit}` } };
}
