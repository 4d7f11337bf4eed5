import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { ExportFormat } from '../catalogue/operations/exports.ts';
import type { FileFormat, TableWriter } from '../formats/read-contents.ts';
import { FILE_WRITERS, RESPONSE_WRITERS } from '../formats/writers.ts';
import type { StoreReader } from '../store/open-store.ts';
import type { KeyOrder, TabularCell, TabularLayout } from './layout.ts';
import { createTabularLayout } from './layout.ts';
import { collectKeys, createKeyOrders } from './response-layout.ts';

/** What a whole dataset is read through. */
export type DatasetReader = Pick<StoreReader, 'revision' | 'records'>;

/**
 * A whole dataset in a format, piece by piece and all from one revision: as it stands, or as it
 * stood at a revision. What is written loads back to the same records.
 */
export function exportDataset(
  reader: DatasetReader,
  dataset: Dataset,
  format: FileFormat,
  asOf?: number,
): ByteChunks {
  if (format === 'json') return writeJsonArray(reader.records(dataset, asOf));
  if (format === 'ndjson') return writeNdjson(reader.records(dataset, asOf));
  return writeTable(reader, dataset, FILE_WRITERS[format], asOf);
}

/**
 * The same for clients, as it stood at a revision: where a spreadsheet would run a text of a CSV as
 * a formula, it is made harmless. The same revision always gives the same bytes.
 */
export function exportDatasetForClient(
  reader: DatasetReader,
  dataset: Dataset,
  format: ExportFormat,
  asOf: number,
): ByteChunks {
  if (format === 'ndjson') return writeNdjson(reader.records(dataset, asOf));
  return writeTable(reader, dataset, RESPONSE_WRITERS[format], asOf);
}

type ByteChunks = AsyncGenerator<Uint8Array, undefined>;
type RecordBatches = AsyncIterable<readonly string[]>;

async function* writeNdjson(records: RecordBatches): ByteChunks {
  const encoder = new TextEncoder();
  for await (const batch of records) yield encoder.encode(`${batch.join('\n')}\n`);
}

async function* writeJsonArray(records: RecordBatches): ByteChunks {
  const encoder = new TextEncoder();
  let before = '[\n';
  for await (const batch of records) {
    yield encoder.encode(before + batch.join(',\n'));
    before = ',\n';
  }
  yield encoder.encode(before === '[\n' ? '[]\n' : '\n]\n');
}

async function* writeTable(
  reader: DatasetReader,
  dataset: Dataset,
  write: TableWriter,
  asOf: number | undefined,
): ByteChunks {
  const orders = createKeyOrders(dataset);
  // Columns for keys take a look at every record first; both looks must be at one revision.
  const revision = orders.size === 0 ? asOf : (asOf ?? (await reader.revision()));
  if (orders.size > 0) await collectAllKeys(orders, reader.records(dataset, revision));
  const form = createTabularLayout(dataset, orders);
  const rows = toTabularRows(reader.records(dataset, revision), form);
  yield* write({ title: dataset.name, columns: form.columns, rows });
}

async function collectAllKeys(
  orders: ReadonlyMap<string, KeyOrder>,
  records: RecordBatches,
): Promise<void> {
  for await (const batch of records) {
    for (const text of batch) collectKeys(orders, JSON.parse(text) as AnyRecord);
  }
}

async function* toTabularRows(
  records: RecordBatches,
  { toRows }: TabularLayout,
): AsyncGenerator<readonly (readonly TabularCell[])[]> {
  for await (const batch of records) {
    yield batch.flatMap((text) => toRows(JSON.parse(text) as AnyRecord));
  }
}
