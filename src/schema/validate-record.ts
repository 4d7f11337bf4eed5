import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';

/** A field of a record whose value is invalid. */
export interface FieldProblem {
  readonly field: string;
  readonly value: unknown;
  /** The requirement: follows "must be". */
  readonly rule: string;
  /** The guard that stops the record although it is valid. */
  readonly guard?: string;
}

/**
 * Every problem of a value as a new record of the dataset; empty if it is valid. Records that were published
 * before commas became separators of identifiers may have commas, and stay valid; dimensions may have them.
 */
export function validateNewRecord(dataset: Dataset, value: unknown): readonly FieldProblem[] {
  const problems = validateRecord(dataset, value);
  if (dataset.shape === 'series') return problems;
  for (const name in dataset.fields) {
    if (!dataset.fields[name]?.isIdentifier) continue;
    const text = (value as AnyRecord | null)?.[name];
    if (typeof text !== 'string' || !text.includes(',')) continue;
    if (!problems.some(({ field }) => field === name))
      problems.push({ field: name, value: text, rule: 'text without a comma' });
  }
  return problems;
}

/** Every problem of a value as a record of the dataset; empty if it is valid. */
export function validateRecord(dataset: Dataset, value: unknown): FieldProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ field: '', value, rule: 'an object' }];
  const record = value as AnyRecord;
  const problems: FieldProblem[] = [];
  // Object.entries would allocate a list per record, which costs more than the checks.
  for (const name in dataset.fields) {
    const field = dataset.fields[name];
    if (!field || field.isValid(record[name])) continue;
    problems.push({ field: name, value: record[name], rule: field.requirement });
  }
  for (const field of Object.keys(record)) {
    if (Object.hasOwn(dataset.fields, field)) continue;
    problems.push({ field, value: record[field], rule: 'absent: the dataset has no such field' });
  }
  if (problems.length > 0) return problems;
  const problem = dataset.validate?.(record);
  return problem ? [{ ...problem, value: record[problem.field] }] : [];
}
