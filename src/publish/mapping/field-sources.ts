import type { Field } from '../../catalogue/model/field.ts';
import type { ConvertCell, ValueFormat } from '../cells/create-converter.ts';
import { createConverter } from '../cells/create-converter.ts';
import type { ReadCell, RowCells } from './field-expression.ts';
import type { FieldTargets, KeyedListFields } from './field-targets.ts';
import type { FieldExpression, Mapping } from './mapping.ts';
import { withScaling } from './scale-figures.ts';

/** What one field is read from, and how. */
export interface FieldSource {
  readonly name: string;
  readonly field: Field;
  /** Whether a record may do without it as far as files go. */
  readonly isOptional: boolean;
  readonly readCell: ReadCell;
  readonly convert: ConvertCell;
  /** Why it is blank in a row, where there is more to say than that it is. */
  readonly explainBlank?: ExplainBlank | undefined;
}

/** Says why something is blank in a row; undefined where nothing is known of it. */
export type ExplainBlank = (cells: RowCells) => string | undefined;

/** A list of keyed values: from a column for each key, or from a row for each. */
export interface KeyedListSource {
  readonly name: string;
  /** The list as it is: from JSON, or as JSON text in a cell. */
  readonly whole: ReadCell | undefined;
  readonly keyColumns: readonly (FieldSource & { readonly key: string })[];
  readonly keyAndValueRows:
    | { readonly key: FieldSource; readonly value: FieldSource; readonly share: boolean }
    | undefined;
}

/** What is read for a record, in the order of the catalogue. */
export interface FieldSources {
  readonly fields: readonly FieldSource[];
  readonly lists: readonly KeyedListSource[];
  /** What a record needs and nothing gives. */
  readonly missing: readonly string[];
}

/** What is given for the targets of one file: where each comes from, and why it may be blank. */
export interface AvailableCells {
  readonly gets: ReadonlyMap<string, ReadCell>;
  readonly whys: ReadonlyMap<string, ExplainBlank>;
}

/** Finds what each field of the targets is read from, in what one file gives. */
export function createSourceFinder(
  { fields, lists }: FieldTargets,
  mapping: Mapping,
  valueFormat: ValueFormat,
): (given: AvailableCells) => FieldSources {
  return (given) => {
    const source = createSourceFactory(mapping, valueFormat, given);
    const missing: string[] = [];
    const found: FieldSource[] = [];
    const foundLists: KeyedListSource[] = [];
    for (const [name, { field, isOptional }] of fields) {
      const keyed = lists.get(name);
      const get = given.gets.get(name);
      if (keyed) {
        const list = findListSource(name, keyed, { given, source, made: mapping.fields ?? {} });
        if (!list.whole && !list.keyAndValueRows && list.keyColumns.length === 0)
          missing.push(name);
        foundLists.push(list);
      } else if (get) found.push(source(name, field, get, isOptional));
      else if (!isOptional) missing.push(name);
    }
    return { fields: found, lists: foundLists, missing };
  };
}

type CreateSource = (name: string, field: Field, get: ReadCell, optional?: boolean) => FieldSource;

function createSourceFactory(
  { scale, zeroIsBlank }: Mapping,
  valueFormat: ValueFormat,
  { whys }: AvailableCells,
): CreateSource {
  return (name, field, get, optional = false) => {
    const isZeroBlank = zeroIsBlank?.includes(name) ?? false;
    const convert = withScaling(createConverter(field, valueFormat), scale?.[name], isZeroBlank);
    return {
      name,
      field,
      isOptional: optional,
      readCell: get,
      convert,
      explainBlank: whys.get(name),
    };
  };
}

function findListSource(
  name: string,
  keyed: KeyedListFields,
  about: {
    given: AvailableCells;
    source: CreateSource;
    made: Readonly<Record<string, FieldExpression>>;
  },
): KeyedListSource {
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
  return { name, whole: gets.get(name), keyColumns: parts, keyAndValueRows: long };
}
