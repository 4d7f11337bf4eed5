import { findOwn } from '../find-own.ts';
import { NESTED_FIELDS } from '../generated.ts';

/** A row of a table, with a value for each of its columns. */
export type Row = readonly unknown[];

export type MirrorRecord = Readonly<Record<string, unknown>>;

/** The records that a table of a dataset was made from. */
export function restoreRecords(
  dataset: string,
  columns: readonly string[],
  rows: readonly Row[],
): MirrorRecord[] {
  if (dataset === 'fund-allocation') return restoreFunds(columns, rows);
  const fields = listFields(dataset, columns);
  return rows.map((row) =>
    Object.fromEntries(fields.map(({ name, restore }) => [name, restore(row)])),
  );
}

interface Field {
  readonly name: string;
  readonly restore: (row: Row) => unknown;
}

/** Nested fields are JSON; those with columns `list.key` are so only in rows that lack keys. */
function listFields(dataset: string, columns: readonly string[]): Field[] {
  const nested: readonly string[] = findOwn<readonly string[]>(NESTED_FIELDS, dataset) ?? [];
  const indexes = new Map(columns.map((column, index) => [column, index]));
  const names = new Set(
    columns.map((column) => nested.find((list) => column.startsWith(`${list}.`)) ?? column),
  );
  return [...names].map((name) => {
    const index = indexes.get(name) ?? -1;
    if (!nested.includes(name)) return { name, restore: (row) => row[index] };
    const members = columns.flatMap((column, member) =>
      column.startsWith(`${name}.`) ? [{ key: column.slice(name.length + 1), member }] : [],
    );
    return {
      name,
      restore(row) {
        const text = row[index] ?? null;
        if (text !== null) return JSON.parse(String(text));
        if (members.length === 0) return null;
        return members.map(({ key, member }) => ({ key, value: row[member] }));
      },
    };
  });
}

interface Fund {
  readonly periods: { readonly label: unknown; readonly date: unknown }[];
  readonly rows: { readonly label: unknown; readonly values: unknown[] }[];
}

/** A fund has a row for each class in each period. */
function restoreFunds(columns: readonly string[], rows: readonly Row[]): MirrorRecord[] {
  const funds = new Map<unknown, MirrorRecord & Fund>();
  for (const row of rows) {
    const cells = Object.fromEntries(columns.map((column, index) => [column, row[index]]));
    const { period, date, class: label, value, ...attributes } = cells;
    const fund = funds.get(cells.fund_id) ?? { ...attributes, periods: [], rows: [] };
    funds.set(cells.fund_id, fund);
    if (date !== null && fund.periods.at(-1)?.date !== date)
      fund.periods.push({ label: period, date });
    if (label === null) continue;
    if (!fund.rows.some((each) => each.label === label)) fund.rows.push({ label, values: [] });
    if (date !== null) fund.rows.find((each) => each.label === label)?.values.push(value);
  }
  return [...funds.values()];
}
