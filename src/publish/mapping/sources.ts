import type { Field } from '../../catalogue/field.ts';
import type { Convert, Habits } from '../cells/index.ts';
import { converter } from '../cells/index.ts';
import { adjusted } from './adjust.ts';
import type { Cells, Get } from './made.ts';
import type { Made, Mapping } from './mapping.ts';
import type { KeyedList, Targets } from './targets.ts';

/** What one field is read from, and how. */
export interface Source {
  readonly name: string;
  readonly field: Field;
  /** Whether a record may do without it as far as files go. */
  readonly optional: boolean;
  readonly get: Get;
  readonly convert: Convert;
  /** Why it is blank in a row, where there is more to say than that it is. */
  readonly whyBlank?: WhyBlank | undefined;
}

/** Says why something is blank in a row; undefined where nothing is known of it. */
export type WhyBlank = (cells: Cells) => string | undefined;

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

/** What is read for a record, in the order of the catalogue. */
export interface Sources {
  readonly fields: readonly Source[];
  readonly lists: readonly ListSource[];
  /** What a record needs and nothing gives. */
  readonly missing: readonly string[];
}

/** What is given for the targets of one file: where each comes from, and why it may be blank. */
export interface Given {
  readonly gets: ReadonlyMap<string, Get>;
  readonly whys: ReadonlyMap<string, WhyBlank>;
}

/** Finds what each field of the targets is read from, in what one file gives. */
export function sourceFinder(
  { fields, lists }: Targets,
  mapping: Mapping,
  habits: Habits,
): (given: Given) => Sources {
  return (given) => {
    const source = sourceMaker(mapping, habits, given);
    const missing: string[] = [];
    const found: Source[] = [];
    const foundLists: ListSource[] = [];
    for (const [name, { field, optional }] of fields) {
      const keyed = lists.get(name);
      const get = given.gets.get(name);
      if (keyed) {
        const list = listSource(name, keyed, { given, source, made: mapping.fields ?? {} });
        if (!list.whole && !list.long && list.parts.length === 0) missing.push(name);
        foundLists.push(list);
      } else if (get) found.push(source(name, field, get, optional));
      else if (!optional) missing.push(name);
    }
    return { fields: found, lists: foundLists, missing };
  };
}

type SourceOf = (name: string, field: Field, get: Get, optional?: boolean) => Source;

function sourceMaker({ scale, zeroIsBlank }: Mapping, habits: Habits, { whys }: Given): SourceOf {
  return (name, field, get, optional = false) => {
    const isZeroBlank = zeroIsBlank?.includes(name) ?? false;
    const convert = adjusted(converter(field, habits), scale?.[name], isZeroBlank);
    return { name, field, optional, get, convert, whyBlank: whys.get(name) };
  };
}

function listSource(
  name: string,
  keyed: KeyedList,
  about: { given: Given; source: SourceOf; made: Readonly<Record<string, Made>> },
): ListSource {
  const { given, source, made } = about;
  const { gets } = given;
  const parts = [...gets]
    .filter(([target]) => target.startsWith(`${name}.`))
    .map(([target, part]) => ({
      ...source(target, keyed.value, part),
      key: target.slice(name.length + 1),
    }));
  const key = gets.get(`${name}:key`);
  const value = gets.get(`${name}:value`);
  const from = made[`${name}:value`];
  const long = key &&
    value && {
      key: source(`${name}:key`, keyed.key, key),
      value: source(`${name}:value`, keyed.value, value),
      share: typeof from === 'object' && 'shareOf' in from,
    };
  return { name, whole: gets.get(name), parts, long };
}
