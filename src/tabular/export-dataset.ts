import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { FileFormat, FormatWriter } from '../formats/read-contents.ts';
import { FILE_WRITERS, RESPONSE_WRITERS } from '../formats/writers.ts';
import type { ExportFormat } from '../shared/formats.ts';
import { FORMATS } from '../shared/formats.ts';
import type { StoreReader } from '../store/open-store.ts';
import {
  describeSize,
  describeTable,
  type MetadataLine,
  type RevisionReader,
} from './describe-table.ts';
import { collectKeys, createKeyOrders } from './key-order.ts';
import { createTabularLayout, type TabularLayout } from './layout.ts';

export type DatasetReader = Pick<StoreReader, 'revision' | 'records'>;

/**
 * Streams a complete dataset in a format, as of one revision: the current one or an earlier one. Loading the
 * file gives the same records.
 */
export function exportDataset(
  reader: DatasetReader & RevisionReader,
  dataset: Dataset,
  format: FileFormat,
  asOf?: number,
): ByteChunks {
  if (format === 'json') return writeJsonArray(reader.records(dataset, asOf));
  if (format === 'ndjson') return writeNdjson(reader.records(dataset, asOf));
  if (FORMATS[format].traits.isDescribed)
    return writeDescribedTable(reader, dataset, FILE_WRITERS[format], asOf);
  return writeTable(reader, dataset, FILE_WRITERS[format], { asOf });
}

/**
 * The same for clients: CSV texts that a spreadsheet would run as formulas are escaped. A revision always
 * gives the same bytes.
 */
export function exportDatasetForClient(
  reader: DatasetReader,
  dataset: Dataset,
  format: ExportFormat,
  asOf: number,
): ByteChunks {
  if (format === 'ndjson') return writeNdjson(reader.records(dataset, asOf));
  return writeTable(reader, dataset, RESPONSE_WRITERS[format], { asOf });
}

type ByteChunks = AsyncGenerator<Uint8Array, undefined>;
type RecordBatches = AsyncIterable<readonly string[]>;

async function* writeNdjson(records: RecordBatches): ByteChunks {
  const encoder = new TextEncoder();
  for await (const batch of records) yield encoder.encode(`${batch.join('\n')}\n`);
}

async function* writeJsonArray(records: RecordBatches): ByteChunks {
  const encoder = new TextEncoder();
  let separator = '[\n';
  for await (const batch of records) {
    yield encoder.encode(separator + batch.join(',\n'));
    separator = ',\n';
  }
  yield encoder.encode(separator === '[\n' ? '[]\n' : '\n]\n');
}

/** A table with lines about it, both as of one revision. */
async function* writeDescribedTable(
  reader: DatasetReader & RevisionReader,
  dataset: Dataset,
  write: FormatWriter,
  asOf: number | undefined,
): ByteChunks {
  const revision = asOf ?? (await reader.revision());
  const metadata = await describeTable(reader, {
    source: dataset,
    datasets: [dataset.name],
    revision,
    asOf,
  });
  const describe = (count: number) => [
    ...metadata,
    ...describeSize({ source: dataset, count, hasMore: false }),
  ];
  yield* writeTable(reader, dataset, write, { asOf: revision, describe });
}

interface TableOptions {
  readonly asOf: number | undefined;
  /** Lines about a table with a number of records. */
  readonly describe?: (count: number) => readonly MetadataLine[];
}

async function* writeTable(
  reader: DatasetReader,
  dataset: Dataset,
  write: FormatWriter,
  { asOf, describe }: TableOptions,
): ByteChunks {
  // The columns depend on the keys of all records, so both passes must read the same revision.
  const hasKeyedLists = createKeyOrders(dataset).size > 0;
  const revision = hasKeyedLists ? (asOf ?? (await reader.revision())) : asOf;
  const { columns, toRows } = await readExportLayout(reader, dataset, revision);
  let count = 0;
  const rows = (async function* () {
    for await (const batch of reader.records(dataset, revision)) {
      count += batch.length;
      yield batch.flatMap((text) => toRows(JSON.parse(text) as AnyRecord));
    }
  })();
  const table = { title: dataset.name, columns, rows };
  yield* write(describe ? { ...table, metadata: () => describe(count) } : table);
}

/** The layout of an export; lists of keyed values have a column for each key that occurs. */
export async function readExportLayout(
  reader: Pick<DatasetReader, 'records'>,
  dataset: Dataset,
  revision: number | undefined,
): Promise<TabularLayout> {
  const orders = createKeyOrders(dataset);
  if (orders.size > 0) {
    for await (const batch of reader.records(dataset, revision)) {
      for (const text of batch) collectKeys(orders, JSON.parse(text) as AnyRecord);
    }
  }
  return createTabularLayout(dataset, orders);
}
