import type { Field } from '../../catalogue/field.ts';
import { amountIn } from '../../catalogue/field.ts';
import type { Convert, Habits } from '../cells/index.ts';
import { converter } from '../cells/index.ts';
import type { Column, Get } from './made.ts';
import { columnsIn, makerOf } from './made.ts';
import type { Made, Mapping } from './mapping.ts';
import type { Targets } from './targets.ts';

/** How a row becomes a record: what each field is read from. */
export interface Plan {
  /** In the order of the catalogue. */
  readonly fields: readonly Source[];
  readonly lists: readonly ListSource[];
  /** What a record needs and no column gives. */
  readonly missing: readonly string[];
  /** Columns that nothing is read from. */
  readonly unknown: readonly string[];
  /** How many columns are known by name. */
  readonly known: number;
}

export interface Source {
  readonly name: string;
  readonly field: Field;
  /** Whether a record may do without it as far as files go. */
  readonly optional: boolean;
  readonly get: Get;
  readonly convert: Convert;
}

type SourceOf = (name: string, field: Field, get: Get, optional?: boolean) => Source;

/** A list of keyed values: from a column for each key, or from a row for each. */
export interface ListSource {
  readonly name: string;
  /** The list as it is: from JSON, or as JSON text in a cell. */
  readonly whole: Get | undefined;
  readonly parts: readonly (Source & { readonly key: string })[];
  readonly long:
    | { readonly key: Source; readonly value: Source; readonly share: boolean }
    | undefined;
}

/** A way to read files that cannot be: two columns for one field, or a field that is not there. */
export class PlanRefused extends Error {}

/** Columns of other files, and facts about the file itself, by their names in a mapping. */
export type Elsewhere = (name: string, column: Column) => Get | undefined;

/**
 * Makes plans for one dataset and one mapping: from the names of a file's columns to what is read
 * from them.
 */
export function planner(
  targets: Targets,
  mapping: Mapping,
  habits: Habits,
  elsewhere: Elsewhere,
): (columns: readonly string[]) => Plan {
  refuseUnknownTargets(targets, mapping);
  const spelled = spellings(targets);
  const mapped = new Map(
    Object.entries(mapping.columns ?? {}).map(([name, target]) => [loosely(name), target]),
  );
  const made = Object.entries(mapping.fields ?? {});
  const toNumber = converter(amountIn('any unit')('A figure'), habits);
  const used = new Set(
    [...made.flatMap(([, from]) => columnsIn(from)), ...columnsIn(mapping.lookup?.by ?? '')].map(
      loosely,
    ),
  );
  const source: SourceOf = (name, field, get, optional = false) => {
    const power = mapping.scale?.[name];
    const zeroIsBlank = mapping.zeroIsBlank?.includes(name) ?? false;
    const plain = converter(field, habits);
    return { name, field, optional, get, convert: adjusted(plain, power, zeroIsBlank) };
  };

  return (columns) => {
    const gets = new Map<string, Get>();
    const unknown: string[] = [];
    let known = 0;
    const places = placesOf(columns);
    const column: Column = (name) => {
      const place = places.get(name) ?? places.get(loosely(name));
      if (place === undefined) return elsewhere(name, column);
      if (place === 'twice') throw new PlanRefused(`two columns are called "${name}"`);
      return (cells) => cells[place];
    };
    for (const [place, name] of columns.entries()) {
      const explicit = mapped.get(loosely(name));
      const target = explicit === undefined ? spelled(name) : explicit;
      const isUsed = used.has(loosely(name));
      if (target !== undefined || isUsed) known++;
      if (target === null) continue;
      if (target === undefined || made.some(([field]) => field === target)) {
        if (!isUsed && name !== '') unknown.push(name);
        continue;
      }
      if (gets.has(target)) throw new PlanRefused(`two columns hold ${target}: "${name}" is one`);
      gets.set(target, (cells) => cells[place]);
    }
    for (const [target, from] of made) gets.set(target, makerOf(from, column, toNumber));
    const plan = { ...sources(targets, gets, mapping.fields ?? {}, source), known };
    return { ...plan, unknown: mapping.otherColumns === 'ignore' ? [] : unknown };
  };
}

/** Names are compared without letter case, spaces and underscores: `Bid Price` is `bidPrice`. */
export function loosely(name: string): string {
  return name.toLowerCase().replace(/[\s_\-\u00a0]+/g, '');
}

function placesOf(columns: readonly string[]): ReadonlyMap<string, number | 'twice'> {
  const places = new Map<string, number | 'twice'>();
  for (const [place, name] of columns.entries()) {
    for (const spelling of new Set([name, loosely(name)])) {
      places.set(spelling, places.has(spelling) ? 'twice' : place);
    }
  }
  return places;
}

/** The target that a column's own name says; undefined where it says none. */
function spellings({ fields, lists }: Targets): (name: string) => string | undefined {
  const names = [
    ...fields.keys(),
    ...[...lists.keys()].flatMap((list) => [`${list}:key`, `${list}:value`]),
  ];
  const byName = new Map(names.map((name) => [loosely(name), name]));
  // The long form of funds is often headed just so.
  if (fields.has('class')) byName.set('fund', 'fund_id');
  return (name) => {
    const whole = byName.get(loosely(name));
    if (whole !== undefined) return whole;
    const dot = name.indexOf('.');
    const list = dot > 0 ? byName.get(loosely(name.slice(0, dot))) : undefined;
    return list !== undefined && lists.has(list)
      ? `${list}.${name.slice(dot + 1).trim()}`
      : undefined;
  };
}

function refuseUnknownTargets(
  targets: Targets,
  { columns = {}, fields = {}, scale = {}, zeroIsBlank = [] }: Mapping,
) {
  const all = [
    ...Object.values(columns),
    ...Object.keys(fields),
    ...Object.keys(scale),
    ...zeroIsBlank,
  ];
  for (const target of all) {
    if (target === null || isTarget(targets, target)) continue;
    const names = [...targets.fields.keys()].join(', ');
    throw new PlanRefused(
      `the mapping names "${target}", which is no field; the fields are ${names}`,
    );
  }
}

function isTarget({ fields, lists }: Targets, target: string): boolean {
  if (fields.has(target)) return true;
  const [, list = '', rest = ''] = /^([^.:]+)([.:].+)$/.exec(target) ?? [];
  return lists.has(list) && (rest.startsWith('.') || rest === ':key' || rest === ':value');
}

function sources(
  { fields, lists }: Targets,
  gets: ReadonlyMap<string, Get>,
  made: Readonly<Record<string, Made>>,
  source: SourceOf,
): Pick<Plan, 'fields' | 'lists' | 'missing'> {
  const missing: string[] = [];
  const found: Source[] = [];
  const foundLists: ListSource[] = [];
  for (const [name, { field, optional }] of fields) {
    const get = gets.get(name);
    const list = lists.get(name);
    if (list) {
      const parts = [...gets]
        .filter(([target]) => target.startsWith(`${name}.`))
        .map(([target, part]) => ({
          ...source(target, list.value, part),
          key: target.slice(name.length + 1),
        }));
      const key = gets.get(`${name}:key`);
      const value = gets.get(`${name}:value`);
      const share =
        typeof made[`${name}:value`] === 'object' && 'shareOf' in (made[`${name}:value`] as object);
      const long = key &&
        value && {
          key: source(`${name}:key`, list.key, key),
          value: source(`${name}:value`, list.value, value),
          share,
        };
      if (!get && !long && parts.length === 0) missing.push(name);
      foundLists.push({ name, whole: get, parts, long });
    } else if (get) found.push(source(name, field, get, optional));
    else if (!optional) missing.push(name);
  }
  return { fields: found, lists: foundLists, missing };
}

/** A conversion with what the mapping says of the field's figures. */
function adjusted(convert: Convert, power: string | undefined, zeroIsBlank: boolean): Convert {
  if (power === undefined && !zeroIsBlank) return convert;
  const exponent = Number(power?.slice(2) ?? 0);
  return (cell) => {
    const value = convert(cell);
    if (typeof value !== 'number') return value;
    if (value === 0) return zeroIsBlank ? undefined : 0;
    return exponent === 0 ? value : shifted(value, exponent);
  };
}

/** A figure times a power of ten, without the rounding of a multiplication. */
function shifted(value: number, exponent: number): number {
  const [digits, own = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(own) + exponent}`);
}
