import type { AnyRecord } from '../../catalogue/dataset.ts';
import type { Cell } from '../terminal/table.ts';
import type { Sheet } from './sheet.ts';

/** Any data as a table: a list as rows, an object as what is said above an empty one. */
export function plainSheet(data: unknown): Sheet {
  if (!Array.isArray(data)) {
    return { about: flattened(data as AnyRecord), columns: [], rows: [], row: 'record' };
  }
  const records = data.map((item) => new Map(flattened(item as AnyRecord)));
  const all = [...new Set(records.flatMap((record) => [...record.keys()]))];
  // Where some have an object and others null, the columns of the object say both.
  const within = (name: string) => all.filter((other) => other.startsWith(`${name}.`));
  const columnsOf = (name: string) => (within(name).length > 0 ? within(name) : [name]);
  const names = [...new Set(all.flatMap(columnsOf))];
  const rows = records.map((record) => names.map((name) => record.get(name) ?? null));
  const columns = names.map((name, at) => ({
    name,
    isKey: at === 0,
    isFigure: isFigures(rows.flatMap((cells) => cells[at] ?? [])),
  }));
  return { about: [], columns, rows, row: 'record' };
}

function isFigures(cells: readonly Cell[]): boolean {
  return cells.length > 0 && cells.every((cell) => typeof cell === 'number');
}

/** The values of an object, with those of objects in it as `outer.inner`. */
export function flattened(object: AnyRecord, before = ''): [name: string, value: Cell][] {
  return Object.entries(object).flatMap(([name, value]): [string, Cell][] => {
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isNested) return flattened(value as AnyRecord, `${before}${name}.`);
    return [[`${before}${name}`, Array.isArray(value) ? inOneCell(value) : (value as Cell)]];
  });
}

/** A list in one cell: of things that have names the names, else all that it says. */
function inOneCell(list: readonly unknown[]): Cell {
  if (list.length === 0) return null;
  const words = list.flatMap(wordsOf);
  return words.length === list.length ? words.join(', ') : JSON.stringify(list);
}

/** An element in words; none where it has lists or objects in it. */
function wordsOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [String(item)];
  if ('name' in item) return [String(item.name)];
  const values = Object.values(item);
  return values.some((value) => typeof value === 'object') ? [] : [values.join(' ')];
}
