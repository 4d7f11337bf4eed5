import type { Field } from '../../catalogue/field.ts';
import { amountIn } from '../../catalogue/field.ts';
import { FileRefused } from '../../formats/index.ts';
import type { Convert, Habits } from '../cells/index.ts';
import { converter } from '../cells/index.ts';
import { adjusted } from './adjust.ts';
import type { Column, Get } from './made.ts';
import { columnsIn, makerOf } from './made.ts';
import type { Made, Mapping } from './mapping.ts';
import { loosely, noFigure, noTarget, placesOf, spellings } from './names.ts';
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
  /** Columns that the mapping names and that are not there. */
  readonly absent: readonly string[];
  /** Places of columns without a name, where nothing may stand. */
  readonly unnamed: readonly number[];
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

/** Columns that cannot be read in one way only: two of them for one field. */
export class PlanRefused extends FileRefused {}

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
  const strange = noTarget(targets, mapping);
  if (strange !== undefined) {
    const names = [...targets.fields.keys()].join(', ');
    throw new FileRefused(`the mapping names "${strange}", which is no field; there are ${names}`);
  }
  const figureless = noFigure(targets, mapping);
  if (figureless !== undefined) {
    const advice = 'of a list, name the parts: LIST.KEY or LIST:value';
    throw new FileRefused(`the mapping scales "${figureless}", which is no number; ${advice}`);
  }
  const spelled = spellings(targets);
  const mapped = new Map(
    Object.entries(mapping.columns ?? {}).map(([name, target]) => [loosely(name), target]),
  );
  const wanted = Object.entries(mapping.columns ?? {}).flatMap(([name, target]) =>
    target === null ? [] : [name],
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
    const names = new Map<string, string>();
    const unknown: string[] = [];
    const unnamed: number[] = [];
    let known = 0;
    const places = placesOf(columns);
    const column: Column = (name) => {
      const place = places(name);
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
        if (name === '') unnamed.push(place);
        else if (!isUsed) unknown.push(name);
        continue;
      }
      const other = names.get(target);
      if (other !== undefined) {
        throw new PlanRefused(`two columns hold ${target}: "${other}" and "${name}"`);
      }
      names.set(target, name);
      gets.set(target, (cells) => cells[place]);
    }
    for (const [target, from] of made) gets.set(target, makerOf(from, column, toNumber));
    const read = sources(targets, gets, mapping.fields ?? {}, source);
    const absent = wanted.filter((name) => places(name) === undefined);
    const plan = { ...read, known, absent, unknown: [], unnamed: [] };
    return mapping.otherColumns === 'ignore' ? plan : { ...plan, unknown, unnamed };
  };
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
