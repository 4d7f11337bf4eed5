import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';

/** The dataset with only some of its fields. */
export function selectFields(dataset: Dataset, names: readonly string[]): Dataset {
  return { ...dataset, fields: pick(dataset.fields, names) };
}

/** The JSON of a record with only some of its fields. */
export function selectRecordFields(json: string, names: readonly string[]): string {
  return JSON.stringify(pick(JSON.parse(json) as AnyRecord, names));
}

function pick<T>(object: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, object[name] as T]));
}
