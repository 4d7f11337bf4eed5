import type { FileCell } from '../formats/read-contents.ts';
import { isTimePart } from './cell-kinds.ts';
import { type ColumnProfile, profileColumn } from './profile-column.ts';

/** Objects of figures and texts at one path of a JSON file, where `*` matches any name or index. */
export interface JsonShape {
  readonly path: string;
  /** For each `*`, the first names that stand there. */
  readonly keys: readonly (readonly string[])[];
  readonly count: number;
  /** The names of their members, those of objects in them as `quote.bid`. */
  readonly names: readonly string[];
  /** The first of the objects. */
  readonly objects: readonly Readonly<Record<string, unknown>>[];
}

const MAX_OBJECTS = 2_000;
const MAX_KEYS = 5;
const MAX_DEPTH = 12;

/** The objects that hold figures, those with the most figures first. */
export function findJsonShapes(value: unknown): readonly JsonShape[] {
  const found = new Map<string, FoundShape>();
  collect(value, [], [], found);
  return [...found.values()]
    .map(({ names, keys, ...shape }) => ({
      ...shape,
      names: [...names],
      keys: keys.map((found) => [...found].slice(0, MAX_KEYS)),
    }))
    .toSorted((a, b) => b.count * b.names.length - a.count * a.names.length);
}

interface FoundShape extends Pick<JsonShape, 'path'> {
  readonly keys: Set<string>[];
  count: number;
  readonly names: Set<string>;
  readonly objects: Record<string, unknown>[];
}

function collect(
  value: unknown,
  path: readonly string[],
  keys: readonly string[],
  found: Map<string, FoundShape>,
): void {
  if (!isObject(value) || path.length > MAX_DEPTH) return;
  const entries = Object.entries(value);
  const nested = entries.filter(([, member]) => isObject(member));
  const isAny = Array.isArray(value) || hasInterchangeableNames(entries);
  const record = isAny ? {} : flatten(value);
  const isRecord = Object.values(record).some((member) => typeof member === 'number');
  if (isRecord || nested.length === 0)
    addObject(nested.length === 0 ? value : record, path.join('.'), keys, found);
  for (const [name, member] of nested) {
    if (isRecord && isFlat(member)) continue;
    collect(member, [...path, isAny ? '*' : name], isAny ? [...keys, name] : keys, found);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An object with figures and texts alone, such as the two sides of a quote. */
const isFlat = (value: unknown): value is object =>
  isObject(value) && !Array.isArray(value) && !Object.values(value).some(isObject);

/** The figures and texts of an object, those of objects in it as `quote.bid`. */
function flatten(value: object): Record<string, unknown> {
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (isFlat(member))
      return Object.entries(member).map(([inner, value]) => [`${name}.${inner}`, value]);
    return isObject(member) ? [] : [[name, member]];
  });
  return Object.fromEntries(members);
}

function addObject(
  value: object,
  path: string,
  keys: readonly string[],
  found: Map<string, FoundShape>,
): void {
  const shape: FoundShape = found.get(path) ?? {
    path,
    keys: keys.map(() => new Set<string>()),
    count: 0,
    names: new Set<string>(),
    objects: [],
  };
  found.set(path, shape);
  shape.count++;
  for (const [index, key] of keys.entries()) shape.keys[index]?.add(key);
  if (shape.count > MAX_OBJECTS) return;
  shape.objects.push({ ...value });
  for (const name of Object.keys(value)) shape.names.add(name);
}

/** Names that are periods, days or numbers; or many objects with the same members. */
function hasInterchangeableNames(entries: readonly (readonly [string, unknown])[]): boolean {
  if (entries.length === 0) return false;
  if (entries.every(([name]) => /^(?:\d+|[qh]\d|\dq)$/i.test(name) || isTimePart(name)))
    return true;
  if (entries.length < 2 || !entries.every(([, member]) => isObject(member))) return false;
  const [members, ...others] = new Set(entries.map(([, member]) => listMembers(member)));
  return others.length === 0 && (entries.length > 2 || (members !== '' && members !== '[]'));
}

const listMembers = (member: unknown) =>
  Array.isArray(member) ? '[]' : Object.keys(Object(member)).toSorted().join();

/** The members of the objects, as if they were columns. */
export function profileMembers({ names, objects }: JsonShape): ColumnProfile[] {
  return names.map((name, index) => {
    const cells = objects.map((object) => toFileCell(object[name]));
    return profileColumn(name, index, cells);
  });
}

/** A value as a cell: what is neither text nor a number as JSON. */
function toFileCell(value: unknown): FileCell {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}
