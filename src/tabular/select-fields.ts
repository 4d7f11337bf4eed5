import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { JsonSchema } from '../catalogue/model/json-schema.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import { VINTAGE_SCHEMAS } from '../operations/vintages/vintages-operation.ts';
import type { RecordSource } from './encode-records.ts';

/** The source with only some of its fields: its tables have no other columns. */
export function selectFields(source: RecordSource, names: readonly string[]): RecordSource {
  if ('dataSchema' in source) return selectProperties(source, names);
  if ('changesOf' in source)
    return { ...source, changesOf: selectDatasetFields(source.changesOf, names) };
  return selectDatasetFields(source, names);
}

/** The JSON of a record with only some of the fields of its source. */
export function selectRecordFields(
  source: RecordSource,
  json: string,
  names: readonly string[],
): string {
  const record = JSON.parse(json) as AnyRecord;
  if ('changesOf' in source && source.kind === 'vintages')
    return JSON.stringify(pick(record, [...names, ...Object.keys(VINTAGE_SCHEMAS)]));
  if ('changesOf' in source) {
    const entries = Object.entries(record).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' ? pick(value as AnyRecord, names) : value,
    ]);
    return JSON.stringify(Object.fromEntries(entries));
  }
  const rowList = 'rowList' in source ? source.rowList : undefined;
  if (rowList === undefined) return JSON.stringify(pick(record, names));
  const rows = (record[rowList] as readonly AnyRecord[]).map((row) => pick(row, names));
  const hasRowFields = rows.some((row) => Object.keys(row).length > 0);
  return JSON.stringify(
    pick({ ...record, [rowList]: rows }, hasRowFields ? [...names, rowList] : names),
  );
}

function selectDatasetFields(dataset: Dataset, names: readonly string[]): Dataset {
  return { ...dataset, fields: pick(dataset.fields, names) };
}

function selectProperties(operation: Operation, names: readonly string[]): Operation {
  const { dataSchema, rowList } = operation;
  const { properties, ...items } = dataSchema.items as ObjectSchema;
  const list = rowList === undefined ? undefined : properties[rowList];
  const row = list?.items as ObjectSchema | undefined;
  const rows = row && { ...list, items: { ...row, properties: pick(row.properties, names) } };
  const selected =
    rowList === undefined
      ? pick(properties, names)
      : pick({ ...properties, [rowList]: rows as JsonSchema }, [...names, rowList]);
  return { ...operation, dataSchema: { ...dataSchema, items: { ...items, properties: selected } } };
}

type ObjectSchema = JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };

/** The members of the object with these names, in its order. */
function pick<T>(object: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}
