import type { FileCell } from '../formats/read-contents.ts';
import { classifyCell } from './cell-kinds.ts';
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
  /** For each of these objects, the names and values that stand at each `*`. */
  readonly steps: readonly (readonly JsonStep[])[];
}

export interface JsonStep {
  readonly key: string;
  readonly value: unknown;
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

interface FoundShape {
  readonly path: string;
  readonly keys: Set<string>[];
  count: number;
  readonly names: Set<string>;
  readonly objects: Record<string, unknown>[];
  readonly steps: (readonly JsonStep[])[];
}

function collect(
  value: unknown,
  path: readonly string[],
  steps: readonly JsonStep[],
  found: Map<string, FoundShape>,
): void {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return;
  const entries = Object.entries(value);
  const nested = entries.filter(([, member]) => typeof member === 'object' && member !== null);
  const isAny = Array.isArray(value) || hasInterchangeableNames(entries);
  const record = isAny ? {} : flatten(value);
  const isRecord = Object.values(record).some((member) => typeof member === 'number');
  if (isRecord || nested.length === 0) {
    addObject(nested.length === 0 ? value : record, path, steps, found);
    if (nested.every(([, member]) => isFlat(member))) return;
  }
  for (const [name, member] of nested) {
    if (isRecord && isFlat(member)) continue;
    const below = isAny ? [...steps, { key: name, value: member }] : steps;
    collect(member, [...path, isAny ? '*' : name], below, found);
  }
}

/** An object with figures and texts alone, such as the two sides of a quote. */
const isFlat = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((member) => typeof member !== 'object' || member === null);

/** The figures and texts of an object, those of objects in it as `quote.bid`. */
function flatten(value: object): Record<string, unknown> {
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (isFlat(member))
      return Object.entries(member).map(([inner, value]) => [`${name}.${inner}`, value]);
    return typeof member === 'object' && member !== null ? [] : [[name, member]];
  });
  return Object.fromEntries(members);
}

function addObject(
  value: object,
  path: readonly string[],
  steps: readonly JsonStep[],
  found: Map<string, FoundShape>,
): void {
  const joined = path.join('.');
  const shape: FoundShape = found.get(joined) ?? {
    path: joined,
    keys: steps.map(() => new Set<string>()),
    count: 0,
    names: new Set<string>(),
    objects: [],
    steps: [],
  };
  found.set(joined, shape);
  shape.count++;
  for (const [index, { key }] of steps.entries()) shape.keys[index]?.add(key);
  if (shape.count > MAX_OBJECTS) return;
  shape.objects.push({ ...value });
  shape.steps.push(steps);
  for (const name of Object.keys(value)) shape.names.add(name);
}

/** Names that are periods, days or numbers; or many objects with the same members. */
function hasInterchangeableNames(entries: readonly (readonly [string, unknown])[]): boolean {
  if (entries.length === 0) return false;
  if (entries.every(([name]) => isTimeName(name))) return true;
  const nested = entries.filter(([, member]) => typeof member === 'object' && member !== null);
  if (nested.length < 2 || nested.length < entries.length) return false;
  const signatures = new Set(nested.map(([, member]) => describeMember(member)));
  const [signature] = signatures;
  return signatures.size === 1 && (entries.length > 2 || (signature !== '' && signature !== '[]'));
}

const isTimeName = (name: string) =>
  /^\d+$/.test(name) || /^(?:[qh]\d|\dq)$/i.test(name) || isMonthName(name) || isTime(name);
const isTime = (name: string) =>
  ['year', 'quarter', 'month', 'day'].includes(classifyCell(name).kind);
const isMonthName = (name: string) =>
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i.test(name);

function describeMember(member: unknown): string {
  if (Array.isArray(member)) return '[]';
  return Object.keys(member as object)
    .sort()
    .join();
}

/** The members of the objects, as if they were columns. */
export function profileMembers({ names, objects }: JsonShape): ColumnProfile[] {
  return names.map((name, index) => {
    const cells = objects.map((object) => toFileCell(object[name]));
    return profileColumn(name, index, cells);
  });
}

/** A value as a cell: what is neither text nor a number as JSON. */
export function toFileCell(value: unknown): FileCell {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}
