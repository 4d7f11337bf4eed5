import { getStoredForm } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { ObservationStatus } from '../../src/catalogue/model/observation-status.ts';
import { getKeyFields } from '../../src/schema/key-fields.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getColumnValues, getKeyValues, getStorageTable } from '../../src/schema/storage-table.ts';
import type {
  DatasetChange,
  EncodedRow,
  RecordKey,
  Revision,
  Store,
} from '../../src/store/open-store.ts';

export type PublishOptions = Partial<Omit<DatasetChange, 'dataset' | 'at'>> & {
  readonly records?: readonly AnyRecord[];
};

/** Publishes one revision at a given instant; undefined where it would change nothing. */
export async function publishAt(
  store: Store,
  at: string | number,
  dataset: Dataset,
  { records = [], ...change }: PublishOptions,
): Promise<Revision | undefined> {
  const rows = records.map((record) => encodeRow(dataset, record));
  const defaults = { dataset, source: 'test', author: 'test', at: new Date(at) };
  const publisher = store.publisher();
  try {
    return await publisher.publish({ rows: [rows], ...defaults, ...change });
  } finally {
    publisher.close();
  }
}

/** A record as the row of its table. */
export function encodeRow(
  dataset: Dataset,
  record: AnyRecord,
  status?: ObservationStatus,
): EncodedRow {
  return {
    columns: getColumnValues(getStorageTable(dataset), record, status),
    json: serializeRecord(getStoredForm(dataset, record), record),
  };
}

/** The key of a record, as its table has it. */
export function getKey(dataset: Dataset, record: AnyRecord): RecordKey {
  return getKeyValues(getStorageTable(dataset), record);
}

/** The same record with another value in a field that is no part of its key. */
export function buildCorrection(dataset: Dataset, record: AnyRecord): AnyRecord {
  const key = getKeyFields(dataset);
  for (const [name, { kind }] of Object.entries(dataset.fields)) {
    if (key.includes(name)) continue;
    const value = record[name];
    if (kind === 'instant') return { ...record, [name]: '2031-01-01T00:00:00Z' };
    if (typeof value === 'number') return { ...record, [name]: value + 1 };
    if (['name', 'title'].includes(name)) return { ...record, [name]: 'another name' };
    if (kind === 'list') return { ...record, [name]: (value as unknown[]).slice(1) };
  }
  throw new Error(`no field of ${dataset.name} can be corrected`);
}
