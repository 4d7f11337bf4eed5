import type { VintagesRecord } from '../../../src/client/generated.ts';
import { listKeyFields } from '../../../src/ledger/list-key-fields.ts';

/** What was valid at each revision that changed one of the records. */
export interface VintageMatrix {
  /** The revisions in their order, with the instants at which they were published. */
  readonly columns: readonly { readonly revision: number; readonly published: string }[];
  readonly rows: readonly VintageRow[];
}

export interface VintageRow {
  /** The fields that identify the record; of a fund, also the label of the period. */
  readonly key: Readonly<Record<string, string>>;
  readonly measure: string;
  /** The value at the revision of each column; null if the record was not published. */
  readonly values: readonly (string | number | null)[];
}

type FlatRecord = Readonly<Record<string, unknown>>;

/** The matrix of states of records, in the order in which they came. */
export function buildVintageMatrix(
  dataset: string,
  states: readonly VintagesRecord[],
  measures?: readonly string[],
): VintageMatrix {
  const instants = new Map<number, string>();
  for (const { since, published, until, withdrawn } of states) {
    instants.set(since, published);
    if (until !== null) instants.set(until, withdrawn ?? '');
  }
  const revisions = [...instants.keys()].sort((a, b) => a - b);
  const columns = revisions.map((revision) => ({
    revision,
    published: instants.get(revision) ?? '',
  }));
  const indexes = new Map(revisions.map((revision, index) => [revision, index]));
  const flat = states.map(({ since, published: _, until, withdrawn: __, ...record }) => ({
    interval: [indexes.get(since), indexes.get(until ?? 0) ?? revisions.length] as const,
    records: flatten(record),
  }));
  const records = flat.flatMap((state) => state.records);
  const keyFields = listKeyFields(dataset, records[0] ?? {});
  const names = listMeasures(records, keyFields, measures);
  const rows = new Map<string, MutableRow[]>();
  for (const state of flat) {
    for (const record of state.records) {
      const id = JSON.stringify(keyFields.map((field) => record[field]));
      const ofRecord = rows.get(id) ?? [];
      rows.set(id, ofRecord);
      for (const measure of names.filter((name) => Object.hasOwn(record, name))) {
        let row = ofRecord.find((each) => each.measure === measure);
        if (!row) {
          const key = Object.fromEntries(keyFields.map((field) => [field, String(record[field])]));
          row = { key, measure, values: revisions.map(() => null) };
          ofRecord.push(row);
        }
        row.values.fill(record[measure] as string | number | null, ...state.interval);
      }
    }
  }
  return { columns, rows: [...rows.values()].flat() };
}

type MutableRow = VintageRow & { readonly values: (string | number | null)[] };

/** The named measures, or the fields in which no record has another value than a number. */
function listMeasures(
  records: readonly FlatRecord[],
  keyFields: readonly string[],
  measures?: readonly string[],
): readonly string[] {
  const fields = new Set(records.flatMap((record) => Object.keys(record)));
  for (const field of keyFields) fields.delete(field);
  const isNumber = (value: unknown) => (value ?? null) === null || typeof value === 'number';
  if (!measures) {
    return [...fields].filter((field) => records.every((record) => isNumber(record[field])));
  }
  const unknown = measures.find((name) => records.length > 0 && !fields.has(name));
  if (unknown === undefined) return measures;
  throw new TypeError(`there is no measure "${unknown}"; there are ${[...fields].join(', ')}`);
}

/** Members of lists become fields such as `provinces.punjab`, and a fund a record for each period. */
function flatten(record: object): FlatRecord[] {
  const { fund_id, periods, rows } = record as Readonly<Record<string, unknown>>;
  if (Array.isArray(periods) && Array.isArray(rows)) {
    return periods.map(({ label }, index) => ({
      fund_id,
      period: label,
      ...Object.fromEntries(rows.map((row) => [row.label, row.values[index]])),
    }));
  }
  const fields = Object.entries(record).flatMap(([name, value]) =>
    Array.isArray(value) && value.every((item) => 'key' in item && 'value' in item)
      ? value.map((item): [string, unknown] => [`${name}.${item.key}`, item.value])
      : [[name, value] as [string, unknown]],
  );
  return [Object.fromEntries(fields)];
}
