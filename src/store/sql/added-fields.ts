import type { Dataset } from '../../catalogue/model/dataset.ts';
import { STATUS_FIELD } from '../../catalogue/model/observations.ts';
import { serializeRecord } from '../../schema/serialize-record.ts';
import type { ReadResult, Selection } from '../reader.ts';

/** Completes the texts of records: those from before a field was added have null there. */
export type CompleteText = <T extends string | null>(text: T) => T;

/** Undefined if no field was added, by a revision if one is given. */
export function createCompleter(
  dataset: Dataset,
  revision = Number.POSITIVE_INFINITY,
): CompleteText | undefined {
  const added = dataset.addedFields?.filter((each) => each.revision <= revision) ?? [];
  const last = added.at(-1);
  if (!last) return undefined;
  const lastName = `"${last.field}":`;
  const missing = Object.fromEntries(added.map(({ field }) => [field, null]));
  // The status may follow a record that has none of its own.
  const withStatus = { ...dataset, fields: { ...dataset.fields, status: STATUS_FIELD } };
  const complete = (text: string) => {
    // Quotation marks in values are escaped, and fields are only ever added after the others.
    if (text.includes(lastName)) return text;
    const start = text.indexOf('{');
    const record = { ...missing, ...JSON.parse(text.slice(start)) };
    return (
      text.slice(0, start) + serializeRecord('status' in record ? withStatus : dataset, record)
    );
  };
  return ((text) => (text === null ? text : complete(text))) as CompleteText;
}

/** A result whose records have all fields. */
export function completeResult({ dataset, asNdjson }: Selection, result: ReadResult): ReadResult {
  const complete = createCompleter(dataset);
  if (!complete || result.count === 0) return result;
  const texts = asNdjson
    ? result.records.split('\n')
    : (JSON.parse(`[${result.records}]`) as unknown[]).map((record) => JSON.stringify(record));
  return { ...result, records: texts.map(complete).join(asNdjson ? '\n' : ',') };
}

/** Whether a field was added between two revisions, so that every record is another one since. */
export function hasAddedField({ addedFields = [] }: Dataset, since: number, until: number) {
  return addedFields.some(({ revision }) => revision > since && revision <= until);
}
