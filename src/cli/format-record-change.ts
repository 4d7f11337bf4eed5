import { buildCatalogueEntry } from '../catalogue/model/catalogue-entry.ts';
import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { diffRecords } from '../catalogue/model/diff-records.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import type { RecordChange } from '../store/open-store.ts';

/** The lines that show a changed record: a correction's old and new values, else all its fields. */
export function formatRecordChange(
  dataset: Dataset,
  { change, old, new: current }: RecordChange,
): string[] {
  const before = old === null ? undefined : (JSON.parse(old) as AnyRecord);
  const after = current === null ? undefined : (JSON.parse(current) as AnyRecord);
  const record = after ?? before ?? {};
  const title = [change, ...getKeyFields(dataset).map((field) => record[field])].join(' ');
  if (!before || !after) return [title, `  ${summarizeRecord(dataset, record)}`];
  const differences = diffRecords(buildCatalogueEntry(dataset), before, after);
  const width = Math.max(...differences.map(({ name }) => name.length));
  const lines = differences.map(
    (difference) =>
      `  ${difference.name.padEnd(width)}  ${toJson(difference.old)} → ${toJson(difference.new)}`,
  );
  return [title, ...lines];
}

const MAX_VALUE_LENGTH = 60;

/** The fields of a record except its key, in one line; long values are shortened. */
function summarizeRecord(dataset: Dataset, record: AnyRecord): string {
  const keys: readonly string[] = getKeyFields(dataset);
  const fields = Object.keys(dataset.fields).filter((field) => !keys.includes(field));
  return fields
    .map((field) => {
      const text = toJson(record[field]);
      const isLong = text.length > MAX_VALUE_LENGTH;
      return `${field} ${isLong ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text}`;
    })
    .join(', ');
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? '–';
}
