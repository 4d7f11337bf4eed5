import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import type { DatasetChange, RecordKey, Revision, Store } from '../../src/store/open-store.ts';

export type PublishOptions = Partial<Omit<DatasetChange, 'dataset' | 'rows' | 'at'>> & {
  readonly records?: readonly AnyRecord[];
};

/** Publishes one revision at a given instant; undefined where it would change nothing. */
export async function publishAt(
  store: Store,
  at: string | number,
  dataset: Dataset,
  { records = [], ...told }: PublishOptions,
): Promise<Revision | undefined> {
  const { columns } = getStorageTable(dataset);
  const rows = records.map((record) => ({
    columns: columns.map((column) => column.getValue(record)),
    json: serializeRecord(dataset, record),
  }));
  const about = { dataset, source: 'test', author: 'test', at: new Date(at) };
  const publisher = store.publisher();
  try {
    return await publisher.publish({ ...about, ...told, rows: [rows] });
  } finally {
    publisher.close();
  }
}

/** The key of a record, as its table has it. */
export function getKey(dataset: Dataset, record: AnyRecord): RecordKey {
  const { columns, key } = getStorageTable(dataset);
  return key.map(
    ({ column }) => columns.find(({ name }) => name === column)?.getValue(record) ?? '',
  );
}

/** The same record with another value in a field that is no part of its key. */
export function buildCorrection(dataset: Dataset, record: AnyRecord): AnyRecord {
  for (const [name, { kind }] of Object.entries(dataset.fields)) {
    const value = record[name];
    if (kind === 'instant') return { ...record, [name]: '2031-01-01T00:00:00Z' };
    if (typeof value === 'number') return { ...record, [name]: value + 1 };
    if (kind === 'list') return { ...record, [name]: (value as unknown[]).slice(1) };
  }
  throw new Error(`no field of ${dataset.name} can be corrected`);
}
