import type { FileCell } from '../formats/read-contents.ts';
import { createLookupTable } from '../shared/lookup-table.ts';
import { isTimePart } from './cell-kinds.ts';
import { type ColumnProfile, cutCell, profileColumn } from './profile-column.ts';

/** Objects of figures and texts at one path of a JSON file, where `*` matches any name or index. */
export interface JsonShape {
  readonly path: string;
  /** For each `*`, the names that it stands for; 0 for any index of a list. */
  readonly keys: readonly (readonly string[])[];
  readonly count: number;
  /** How many of them were examined, from the first on. */
  readonly sampledCount: number;
  /** The names of their members; those of nested objects as `quote.bid`. */
  readonly names: readonly string[];
  /** The examined objects. */
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  /** Of each object: the names that stand for `*`. */
  readonly objectKeys: readonly (readonly string[])[];
  /** Members that were added to the objects. */
  readonly added?: Readonly<Record<string, Pick<ColumnProfile, 'parts' | 'key'>>>;
}

const MAX_OBJECTS = 2_000;
/** Fewer objects are examined if all of them have other names. */
const MAX_CELLS = 1_000_000;

/** The objects that hold figures, and those that name them, the ones with the most members first. */
export function findJsonShapes(value: unknown): readonly JsonShape[] {
  const shapes = isObject(value) ? collect([{ value, keys: [] }], []) : [];
  return shapes.toSorted((a, b) => b.count * b.names.length - a.count * a.names.length);
}

/** An object or a list, and the names that stand for each `*` above it. */
interface Node {
  readonly value: object;
  readonly keys: readonly string[];
}

/** The objects at a path and below it; their names are compared with all others at the same path. */
function collect(nodes: readonly Node[], path: readonly string[]): JsonShape[] {
  const areNamesInterchangeable =
    nodes.every(({ value }) => Array.isArray(value)) ||
    hasInterchangeableNames(nodes.flatMap(({ value }) => Object.entries(value)));
  const records: Node[] = [];
  const nested: (Node & { readonly segment: string })[] = [];
  for (const { value, keys } of nodes) {
    const isList = Array.isArray(value);
    const members = Object.entries(value).filter(([, member]) => isObject(member));
    const record = members.length === 0 ? value : areNamesInterchangeable ? {} : flatten(value);
    const values = Object.values(record);
    // An object with only texts names the objects below it.
    const hasNames = path.includes('*') && values.length > 0;
    const isRecord = hasNames || values.some((member) => typeof member === 'number');
    if (isRecord || members.length === 0) records.push({ value: record, keys });
    for (const [name, member] of members)
      if (!isRecord || !isFlat(member))
        nested.push({
          value: member,
          segment: areNamesInterchangeable ? '*' : name,
          keys: areNamesInterchangeable ? [...keys, isList ? '0' : name] : keys,
        });
  }
  const below = Map.groupBy(nested, ({ segment }) => segment);
  return [
    ...(records.length > 0 ? [toShape(records, path.join('.'))] : []),
    ...[...below].flatMap(([segment, members]) => collect(members, [...path, segment])),
  ];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An object with only figures and texts, such as the two sides of a quote. */
const isFlat = (value: unknown): value is object =>
  isObject(value) && !Array.isArray(value) && !Object.values(value).some(isObject);

/** The figures and texts of an object; those of nested objects as `quote.bid`. */
function flatten(value: object): Record<string, unknown> {
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (isFlat(member))
      return Object.entries(member).map(([inner, value]) => [`${name}.${inner}`, value]);
    return isObject(member) ? [] : [[name, member]];
  });
  return Object.fromEntries(members);
}

function toShape(records: readonly Node[], path: string): JsonShape {
  const names = new Set<string>();
  const sampled = records.slice(0, MAX_OBJECTS).filter(({ value }, index) => {
    if (index * names.size > MAX_CELLS) return false;
    for (const name of Object.keys(value)) names.add(name);
    return true;
  });
  const objects = sampled.map(({ value }) => createLookupTable({ ...value }));
  const levels = records[0]?.keys ?? [];
  return {
    path,
    keys: levels.map((_, level) => [...new Set(records.map(({ keys }) => keys[level] ?? ''))]),
    count: records.length,
    sampledCount: objects.length,
    names: [...names],
    objects,
    objectKeys: sampled.map(({ keys }) => keys),
  };
}

/** Whether names are periods, days or numbers, or name objects with nearly the same members. */
function hasInterchangeableNames(entries: readonly (readonly [string, unknown])[]): boolean {
  const names = new Set(entries.map(([name]) => name));
  if (names.size === 0) return false;
  if ([...names].every((name) => /^(?:\d+|[qh]\d|\dq)$/i.test(name) || isTimePart(name)))
    return true;
  if (names.size < 2 || !entries.every(([, member]) => isObject(member))) return false;
  const members = [...Map.groupBy(entries, ([name]) => name).values()].map(
    (same) => new Set(same.slice(0, MAX_COMPARED).flatMap(([, member]) => listMembers(member))),
  );
  const all = new Set(members.flatMap((names) => [...names]));
  const common = [...all].filter((name) => members.every((names) => names.has(name)));
  return common.length > 0 && common.length >= all.size / 2;
}

/** The number of objects compared at each level. */
const MAX_COMPARED = 5;

/** The names of figures and texts below a value, with their depth. */
function listMembers(value: unknown, depth = 0): string[] {
  const isList = Array.isArray(value);
  return Object.entries(Object(value)).flatMap(([name, member], index) => {
    if (isObject(member)) return index < MAX_COMPARED ? listMembers(member, depth + 1) : [];
    return isList ? [] : [`${depth} ${name}`];
  });
}

/** The objects as rows, and their members as columns. */
export function profileObjects({ names, objects, added }: JsonShape) {
  const dataRows = objects.map((object, index) => ({
    position: index + 1,
    cells: names.map((name) => toFileCell(object[name])),
  }));
  const columns = names.map((name, index): ColumnProfile => {
    const cells = dataRows.map(({ cells }) => cells[index]);
    return { ...profileColumn(name, index, cells), ...added?.[name] };
  });
  return { name: '', columns, dataRows };
}

/** A value as a cell; anything but text and numbers as JSON. */
export function toFileCell(value: unknown): FileCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  return cutCell(typeof value === 'string' ? value : JSON.stringify(value));
}
