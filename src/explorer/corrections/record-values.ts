import type { FieldInfo, JsonRecord } from '../api/types.ts';
import { isNumericField } from '../formatting/numbers.ts';

/** One value of a record. */
export interface RecordValue {
  /** Where it stands: `lastPrice`, `provinces › punjab`, `rows › Cash › 2026-06-30`. */
  readonly name: string;
  /** What it is, in words of the catalogue. */
  readonly label: string;
  /** The field of the record that holds it. */
  readonly field: FieldInfo;
  /** What tells it apart from others in its list. */
  readonly key?: string;
  /** The period that it belongs to, where one record holds several. */
  readonly period?: RecordPeriod;
  /** What the value is measured by. */
  readonly unitField: FieldInfo;
  readonly value: unknown;
}

/** A period of a record: periods are told apart by the days they end. */
export interface RecordPeriod {
  readonly label: string;
  readonly date: string;
}

/**
 * Every value of a record by its name, in the order of the fields; lists are spread by their keys.
 * A name that is there already gets a number: nothing that a list repeats is lost.
 */
export function flattenRecord(
  fields: readonly FieldInfo[],
  record: JsonRecord,
): Map<string, RecordValue> {
  const leaves = new Map<string, RecordValue>();
  for (const leaf of fields.flatMap((field) => flattenField(field, record))) {
    let { name } = leaf;
    for (let number = 2; leaves.has(name); number++) name = `${leaf.name} (${number})`;
    leaves.set(name, leaf);
  }
  return leaves;
}

/** The periods of a record that holds several, as it gives them. */
export function getPeriods({ periods }: JsonRecord): RecordPeriod[] {
  if (!Array.isArray(periods)) return [];
  return periods.map(({ label, date }) => ({ label: String(label), date: String(date) }));
}

function flattenField(field: FieldInfo, record: JsonRecord): RecordValue[] {
  const { name, meaning: words } = field;
  const value = record[name];
  if (value === undefined || value === null) return [];
  if (!field.fields || !Array.isArray(value)) {
    return [{ name, label: words, field, unitField: field, value: toComparable(value) }];
  }
  const periods = getPeriods(record);
  if (name === 'periods') {
    return periods.map((period) => {
      const { label, date } = period;
      return {
        name: `${name} › ${date}`,
        label: words,
        field,
        unitField: field,
        period,
        value: label,
      };
    });
  }
  return value.flatMap((element: JsonRecord) => flattenElement(field, element, periods));
}

/** What is no figure tells the elements of a list apart. */
function flattenElement(
  list: FieldInfo,
  element: JsonRecord,
  periods: readonly RecordPeriod[],
): RecordValue[] {
  const inner = list.fields ?? [];
  const figures = inner.filter(isNumericField);
  const key = String(element[inner.find((each) => !isNumericField(each))?.name ?? ''] ?? '');
  const known = { name: `${list.name} › ${key}`, label: `${list.meaning}: ${key}` };
  if (figures.length === 0) {
    return [{ ...known, label: list.meaning, field: list, unitField: list, key, value: key }];
  }
  return figures.flatMap((measure) => {
    const value = element[measure.name];
    // With several figures to a key, each is named.
    const name = figures.length > 1 ? `${known.name} › ${measure.name}` : known.name;
    const words = figures.length > 1 ? `${known.label}, ${measure.meaning}` : known.label;
    const leaf = { name, label: words, field: list, unitField: measure, key, value };
    return Array.isArray(value) ? flattenRow(leaf, value, periods) : [leaf];
  });
}

/** The values of a row belong to the periods of its record, place by place. */
function flattenRow(
  row: RecordValue,
  values: readonly unknown[],
  periods: readonly RecordPeriod[],
): RecordValue[] {
  return values.map((value, index) => {
    const period = periods[index] ?? { label: `${index + 1}`, date: `${index + 1}` };
    const { label, date } = period;
    return {
      ...row,
      name: `${row.name} › ${date}`,
      label: `${row.label}, ${label}`,
      period,
      value,
    };
  });
}

/** What is neither text nor number is compared by its JSON. */
function toComparable(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
