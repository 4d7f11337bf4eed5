import { isNumberField } from './field.ts';

/** A field as the catalogue describes it, reduced to what a record diff needs. */
export interface DescribedField {
  readonly name: string;
  readonly kind: string;
  readonly meaning: string;
  readonly unit: string | null;
  /** The fields of each element of a list. */
  readonly fields: readonly DescribedField[] | null;
}

/** A period of a record that holds several, identified by its end date. */
export interface RecordPeriod {
  readonly label: string;
  readonly date: string;
}

interface RecordValue {
  /** Its path: `lastPrice`, `provinces › punjab`, `rows › Cash › 2026-06-30`. */
  readonly name: string;
  /** Its description, from the catalogue. */
  readonly label: string;
  /** The field of the record that holds it. */
  readonly field: DescribedField;
  /** Identifies it within its list. */
  readonly key?: string;
  /** The period it belongs to, if the record holds several. */
  readonly period?: RecordPeriod;
  /** The field with the kind and unit of the value. */
  readonly unitField: DescribedField;
  readonly value: unknown;
}

/** One value that differs between two versions of a record; undefined if a version has none. */
export interface ValueDifference extends Omit<RecordValue, 'value'> {
  readonly old: unknown;
  readonly new: unknown;
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** The differences between two versions of a record, in field order; lists are matched by key. */
export function diffRecords(
  { fields }: { readonly fields: readonly DescribedField[] },
  oldRecord: JsonRecord,
  newRecord: JsonRecord,
): ValueDifference[] {
  const [before, after] = [flattenRecord(fields, oldRecord), flattenRecord(fields, newRecord)];
  const names = new Set([...after.keys(), ...before.keys()]);
  return [...names].flatMap((name) => {
    const [old, current] = [before.get(name), after.get(name)];
    const source = current ?? old;
    if (!source || old?.value === current?.value) return [];
    const { value, ...attributes } = source;
    return { ...attributes, name, old: old?.value, new: current?.value };
  });
}

/** Whether a field holds numbers; all others hold text, days or lists. */
export function isNumericField({ kind }: Pick<DescribedField, 'kind'>): boolean {
  return isNumberField({ kind }) || kind === 'numbers';
}

/** The periods of a record that holds several, in its order. */
export function getPeriods({ periods }: JsonRecord): RecordPeriod[] {
  if (!Array.isArray(periods)) return [];
  return periods.map(({ label, date }) => ({ label: String(label), date: String(date) }));
}

/** Every value by its name, in field order; a repeated name gets a number, to keep duplicates. */
function flattenRecord(
  fields: readonly DescribedField[],
  record: JsonRecord,
): Map<string, RecordValue> {
  const values = new Map<string, RecordValue>();
  for (const value of fields.flatMap((field) => flattenField(field, record))) {
    let { name } = value;
    for (let number = 2; values.has(name); number++) name = `${value.name} (${number})`;
    values.set(name, value);
  }
  return values;
}

function flattenField(field: DescribedField, record: JsonRecord): RecordValue[] {
  const { name, meaning: label } = field;
  const value = record[name];
  if (value === undefined || value === null) return [];
  const base = { label, field, unitField: field };
  if (!field.fields || !Array.isArray(value))
    return [{ ...base, name, value: typeof value === 'object' ? JSON.stringify(value) : value }];
  const periods = getPeriods(record);
  if (name !== 'periods')
    return value.flatMap((element: JsonRecord) => flattenElement(field, element, periods));
  return periods.map((period) => ({
    ...base,
    name: `${name} › ${period.date}`,
    period,
    value: period.label,
  }));
}

/** The first field that is not numeric identifies an element of a list. */
function flattenElement(
  list: DescribedField,
  element: JsonRecord,
  periods: readonly RecordPeriod[],
): RecordValue[] {
  const itemFields = list.fields ?? [];
  const numericFields = itemFields.filter(isNumericField);
  const keyField = itemFields.find((field) => !isNumericField(field));
  const key = String(element[keyField?.name ?? ''] ?? '');
  const name = `${list.name} › ${key}`;
  if (numericFields.length === 0)
    return [{ name, label: list.meaning, field: list, unitField: list, key, value: key }];
  const label = `${list.meaning}: ${key}`;
  return numericFields.flatMap((unitField) => {
    const value = element[unitField.name];
    const isOnly = numericFields.length === 1;
    const entry = {
      name: isOnly ? name : `${name} › ${unitField.name}`,
      label: isOnly ? label : `${label}, ${unitField.meaning}`,
      field: list,
      unitField,
      key,
      value,
    };
    return Array.isArray(value) ? flattenRow(entry, value, periods) : [entry];
  });
}

/** The values of a row belong to the periods of its record, by index. */
function flattenRow(
  row: RecordValue,
  values: readonly unknown[],
  periods: readonly RecordPeriod[],
): RecordValue[] {
  return values.map((value, index) => {
    const period = periods[index] ?? { label: `${index + 1}`, date: `${index + 1}` };
    const [name, label] = [`${row.name} › ${period.date}`, `${row.label}, ${period.label}`];
    return { ...row, name, label, period, value };
  });
}
