import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { Fields } from '../catalogue/model/field.ts';

/** What is wrong with one field of a record. */
export interface FieldProblem {
  readonly field: string;
  readonly value: unknown;
  /** What the value must be, in words that follow "must be". */
  readonly rule: string;
}

/** Everything that is wrong with a value as a record of the dataset; empty when nothing is. */
export function validateRecord(dataset: Dataset, value: unknown): FieldProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ field: '', value, rule: 'an object' }];
  }
  const record = value as AnyRecord;
  const problems: FieldProblem[] = [];
  // Made for every record, a list of entries would cost more than all the checks.
  for (const name in dataset.fields) {
    const field = dataset.fields[name];
    const own = record[name];
    if (field && !field.isValid(own))
      problems.push({ field: name, value: own, rule: field.requirement });
  }
  for (const field of Object.keys(record)) {
    if (Object.hasOwn(dataset.fields, field)) continue;
    problems.push({ field, value: record[field], rule: 'absent: the dataset has no such field' });
  }
  if (problems.length > 0) return problems;
  const refused = dataset.validate?.(record);
  return refused ? [{ ...refused, value: record[refused.field] }] : [];
}

/** The JSON text that is stored and served: exactly the declared fields, in their order. */
export function serializeRecord(dataset: Dataset, record: AnyRecord): string {
  return JSON.stringify(withFieldOrder(dataset.fields, dataset.normalize?.(record) ?? record));
}

function withFieldOrder(fields: Fields, record: AnyRecord): AnyRecord {
  const ordered: Record<string, unknown> = {};
  for (const name in fields) {
    const parts = fields[name]?.itemFields;
    const value = record[name];
    ordered[name] = parts
      ? (value as AnyRecord[]).map((part) => withFieldOrder(parts, part))
      : value;
  }
  return ordered;
}
