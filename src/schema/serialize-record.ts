import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { Fields } from '../catalogue/model/field.ts';

/** The stored and served JSON text: exactly the declared fields, in their order. */
export function serializeRecord(dataset: Dataset, record: AnyRecord): string {
  return JSON.stringify(withFieldOrder(dataset.fields, dataset.normalize?.(record) ?? record));
}

function withFieldOrder(fields: Fields, record: AnyRecord): AnyRecord {
  const ordered: Record<string, unknown> = {};
  for (const name in fields) {
    const itemFields = fields[name]?.itemFields;
    const value = record[name];
    ordered[name] = itemFields
      ? (value as AnyRecord[]).map((item) => withFieldOrder(itemFields, item))
      : value;
  }
  return ordered;
}
