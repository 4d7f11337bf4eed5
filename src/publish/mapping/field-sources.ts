import type { Field } from '../../catalogue/model/field.ts';
import { type ConvertCell, createConverter, type ValueFormat } from '../cells/create-converter.ts';
import type { ReadCell, RowCells } from './field-expression.ts';
import type { FieldTarget, FieldTargets, KeyedListFields } from './field-targets.ts';
import type { Mapping } from './mapping.ts';
import { withScaling } from './scale-figures.ts';

export interface FieldSource extends Omit<FieldTarget, 'alternative'> {
  readonly name: string;
  readonly readCell: ReadCell;
  readonly convert: ConvertCell;
  readonly explainBlank?: ExplainBlank | undefined;
}

/** Explains why a field is blank in a row; undefined if there is no special reason. */
export type ExplainBlank = (cells: RowCells) => string | undefined;

/** A list of keyed values, from a column or a row for each key. */
export interface KeyedListSource {
  readonly name: string;
  /** Reads the list as JSON, or as JSON text in a cell. */
  readonly readList: ReadCell | undefined;
  readonly keyColumns: readonly (FieldSource & { readonly key: string })[];
  readonly keyAndValueRows: { readonly key: FieldSource; readonly value: FieldSource } | undefined;
  /** Whether each value of the rows becomes its share of their sum. */
  readonly hasShares: boolean;
}

export interface FieldSources {
  readonly fields: readonly FieldSource[];
  readonly lists: readonly KeyedListSource[];
  readonly missing: readonly string[];
}

/** For one file: the cell reader of each target field, and the explanation of blanks. */
interface AvailableCells {
  readonly readers: ReadonlyMap<string, ReadCell>;
  readonly explainers: ReadonlyMap<string, ExplainBlank>;
}

export function findFieldSources(
  targets: FieldTargets,
  { readers, explainers }: AvailableCells,
  mapping: Mapping,
  valueFormat: ValueFormat,
): FieldSources {
  const { scale, zeroIsBlank } = mapping;
  const createSource: CreateSource = (name, field, readCell, isOptional = false) => {
    const isZeroBlank = zeroIsBlank?.includes(name) ?? false;
    const convert = withScaling(createConverter(field, valueFormat), scale?.[name], isZeroBlank);
    return { name, field, isOptional, readCell, convert, explainBlank: explainers.get(name) };
  };
  const missing: string[] = [];
  const fields: FieldSource[] = [];
  const lists: KeyedListSource[] = [];
  for (const [name, { field, isOptional, alternative, ...kind }] of targets.fields) {
    const listFields = targets.lists.get(name);
    const readCell = readers.get(name);
    if (listFields) {
      const expression = mapping.fields?.[`${name}:value`];
      const hasShares = typeof expression === 'object' && 'shareOf' in expression;
      const list = { ...findListSource(name, listFields, readers, createSource), hasShares };
      if (!list.readList && !list.keyAndValueRows && list.keyColumns.length === 0)
        missing.push(name);
      lists.push(list);
    } else if (readCell)
      fields.push({
        ...createSource(name, field, readCell, isOptional || alternative !== undefined),
        ...kind,
      });
    else if (alternative !== undefined) {
      if (!readers.has(alternative)) missing.push(`${name} or ${alternative}`);
    } else if (!isOptional) missing.push(name);
  }
  return { fields, lists, missing };
}

type CreateSource = (
  name: string,
  field: Field,
  readCell: ReadCell,
  isOptional?: boolean,
) => FieldSource;

function findListSource(
  name: string,
  fields: KeyedListFields,
  readers: AvailableCells['readers'],
  createSource: CreateSource,
): Omit<KeyedListSource, 'hasShares'> {
  const keyColumns = [...readers]
    .filter(([target]) => target.startsWith(`${name}.`))
    .map(([target, readCell]) => ({
      ...createSource(target, fields.value, readCell),
      key: target.slice(name.length + 1),
    }));
  const readKey = readers.get(`${name}:key`);
  const readValue = readers.get(`${name}:value`);
  const keyAndValueRows = readKey &&
    readValue && {
      key: createSource(`${name}:key`, fields.key, readKey),
      value: createSource(`${name}:value`, fields.value, readValue),
    };
  return { name, readList: readers.get(name), keyColumns, keyAndValueRows };
}
