import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import type { TerminalCell } from '../terminal/table.ts';
import type { QueryTable } from './query-table.ts';

/** Any data as a table: a list as rows, an object as what is said above an empty one. */
export function buildGenericTable(data: unknown): QueryTable {
  if (!Array.isArray(data)) {
    return {
      attributes: flattenObject(data as AnyRecord),
      columns: [],
      rows: [],
      rowNoun: 'record',
    };
  }
  const records = data.map((item) => new Map(flattenObject(item as AnyRecord)));
  const all = [...new Set(records.flatMap((record) => [...record.keys()]))];
  // Where some have an object and others null, the columns of the object say both.
  const within = (name: string) => all.filter((other) => other.startsWith(`${name}.`));
  const columnsOf = (name: string) => (within(name).length > 0 ? within(name) : [name]);
  const names = [...new Set(all.flatMap(columnsOf))];
  const rows = records.map((record) => names.map((name) => record.get(name) ?? null));
  const columns = names.map((name, index) => ({
    name,
    isKey: index === 0,
    isNumeric: isNumericColumn(rows.flatMap((cells) => cells[index] ?? [])),
  }));
  return { attributes: [], columns, rows, rowNoun: 'record' };
}

function isNumericColumn(cells: readonly TerminalCell[]): boolean {
  return cells.length > 0 && cells.every((cell) => typeof cell === 'number');
}

/** The values of an object, with those of objects in it as `outer.inner`. */
export function flattenObject(
  object: AnyRecord,
  before = '',
): [name: string, value: TerminalCell][] {
  return Object.entries(object).flatMap(([name, value]): [string, TerminalCell][] => {
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNested) return flattenObject(value as AnyRecord, `${before}${name}.`);
    return [
      [`${before}${name}`, Array.isArray(value) ? formatList(value) : (value as TerminalCell)],
    ];
  });
}

/** A list in one cell: of things that have names the names, else all that it says. */
function formatList(list: readonly unknown[]): TerminalCell {
  if (list.length === 0) return null;
  const words = list.flatMap(formatListItem);
  return words.length === list.length ? words.join(', ') : JSON.stringify(list);
}

/** An element in words; none where it has lists or objects in it. */
function formatListItem(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [String(item)];
  if ('name' in item) return [String(item.name)];
  const values = Object.values(item);
  return values.some((value) => typeof value === 'object') ? [] : [values.join(' ')];
}
