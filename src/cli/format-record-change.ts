import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import type { RecordChange } from '../store/open-store.ts';

/**
 * What a revision did to a record, for a person: the fields that changed, old and new; of a record
 * that came or went, what it says.
 */
export function formatRecordChange(
  dataset: Dataset,
  { change, old, new: replacement }: RecordChange,
): string[] {
  const before = old === null ? undefined : (JSON.parse(old) as AnyRecord);
  const after = replacement === null ? undefined : (JSON.parse(replacement) as AnyRecord);
  const only = after ?? before ?? {};
  const key = getKeyFields(dataset).map((field) => only[field]);
  const title = `${change} ${key.join(' ')}`;
  if (!before || !after) return [title, `  ${summarizeRecord(dataset, only)}`];
  const [a, b] = [keyFundValuesByDate(dataset, before), keyFundValuesByDate(dataset, after)];
  const changed = Object.keys(dataset.fields).flatMap((field) =>
    findDifferences(field, a[field], b[field]),
  );
  const width = Math.max(...changed.map(([name]) => name.length));
  return [title, ...changed.map(([name, was, is]) => `  ${name.padEnd(width)}  ${was} → ${is}`)];
}

const MAX_VALUE_LENGTH = 60;

/** A record's fields beside its key, in one line; what is long is cut. */
function summarizeRecord(dataset: Dataset, record: AnyRecord): string {
  const keys: readonly string[] = getKeyFields(dataset);
  const fields = Object.keys(dataset.fields).filter((field) => !keys.includes(field));
  return fields
    .map((field) => {
      const text = JSON.stringify(record[field]) ?? '–';
      const isLong = text.length > MAX_VALUE_LENGTH;
      return `${field} ${isLong ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text}`;
    })
    .join(', ');
}

/** A record in which each value of a fund's rows carries the date of its period. */
function keyFundValuesByDate({ shape }: Dataset, record: AnyRecord): AnyRecord {
  if (shape !== 'fund') return record;
  const { periods, rows } = record as unknown as FundLists;
  const byDate = rows.map(({ label, values }) => ({
    key: label,
    value: values.map((value, index) => ({ key: periods[index]?.date, value })),
  }));
  return { ...record, rows: byDate } as AnyRecord;
}

interface FundLists {
  readonly periods: readonly { readonly date: string }[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}

type FieldDifference = readonly [name: string, before: string, after: string];

/** Where two values differ: down to the entries of lists and objects. */
function findDifferences(name: string, before: unknown, after: unknown): FieldDifference[] {
  const [a, b] = [JSON.stringify(before), JSON.stringify(after)];
  if (a === b) return [];
  const [old, now] = [indexListEntries(before), indexListEntries(after)];
  // Of a list that came or went as a whole, each entry did.
  if (!old && !now) return [[name, a ?? '–', b ?? '–']];
  const names = new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])]);
  return [...names].flatMap((part) =>
    findDifferences(`${name}.${part}`, old?.get(part), now?.get(part)),
  );
}

/** The entries of a list, by the key, date or label that they carry, else by their place. */
function indexListEntries(value: unknown): Map<string, unknown> | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((item, index): [string, unknown] => {
    if (typeof item !== 'object' || item === null) return [String(index + 1), item];
    const { key, value: figure, date, label } = item as Record<string, unknown>;
    if (key !== undefined) return [String(key), figure];
    return [String(date ?? index + 1), label];
  });
  return new Map(entries);
}
