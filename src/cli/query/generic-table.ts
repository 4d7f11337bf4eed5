import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { TerminalCell } from '../terminal/table.ts';
import type { QueryTable } from './query-table.ts';

/** Any data as a table: a list as rows, an object as attributes. */
export function buildGenericTable(data: unknown): QueryTable {
  const rowNoun = 'record';
  if (!Array.isArray(data)) {
    return { attributes: flattenObject(data as AnyRecord), columns: [], rows: [], rowNoun };
  }
  const records = data.map((item) => new Map(flattenObject(item as AnyRecord)));
  const paths = [...new Set(records.flatMap((record) => [...record.keys()]))];
  // A field that is an object in some records and null in others has the columns of the object.
  const names = new Set(
    paths.flatMap((path) => {
      const nested = paths.filter((other) => other.startsWith(`${path}.`));
      return nested.length > 0 ? nested : [path];
    }),
  );
  const rows = records.map((record) => [...names].map((name) => record.get(name) ?? null));
  const columns = [...names].map((name, index) => ({
    name,
    isKey: index === 0,
    isNumeric: isNumericColumn(rows.flatMap((cells) => cells[index] ?? [])),
  }));
  return { attributes: [], columns, rows, rowNoun };
}

function isNumericColumn(cells: readonly TerminalCell[]): boolean {
  return cells.length > 0 && cells.every((cell) => typeof cell === 'number');
}

/** The values of an object; nested ones are named `outer.inner`. */
export function flattenObject(
  object: AnyRecord,
  prefix = '',
): [name: string, value: TerminalCell][] {
  return Object.entries(object).flatMap(([name, value]): [string, TerminalCell][] => {
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNested) return flattenObject(value as AnyRecord, `${prefix}${name}.`);
    const cell = Array.isArray(value) ? formatList(value) : (value as TerminalCell);
    return [[`${prefix}${name}`, cell]];
  });
}

/** A list in one cell, as text if its items are simple, else as JSON. */
function formatList(list: readonly unknown[]): TerminalCell {
  if (list.length === 0) return null;
  const texts = list.flatMap(formatListItem);
  return texts.length === list.length ? texts.join(', ') : JSON.stringify(list);
}

/** The text of an item: its name, or its values unless they are nested. */
function formatListItem(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [String(item)];
  if ('name' in item) return [String(item.name)];
  const values = Object.values(item);
  return values.some((value) => typeof value === 'object') ? [] : [values.join(' ')];
}
