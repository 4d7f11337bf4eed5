import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import type { ExportFormat } from '../catalogue/exports.ts';
import type { FlatCell, FlatForm, KeyOrder } from '../derive/flat.ts';
import { flatForm } from '../derive/flat.ts';
import type { FormatName, TableWriter } from '../formats/index.ts';
import { answerWriters, writers } from '../formats/writers.ts';
import type { Reader } from '../store/index.ts';
import { keyOrders, learnKeys } from './table.ts';

/** What a whole dataset is read through. */
export type WholeReader = Pick<Reader, 'revision' | 'records'>;

/**
 * A whole dataset in a format, piece by piece and all from one revision: as it stands, or as it
 * stood at a revision. What is written loads back to the same records.
 */
export function exported(
  reader: WholeReader,
  dataset: Dataset,
  format: FormatName,
  asOf?: number,
): Pieces {
  if (format === 'json') return list(reader.records(dataset, asOf));
  if (format === 'ndjson') return lines(reader.records(dataset, asOf));
  return table(reader, dataset, writers[format], asOf);
}

/**
 * The same for clients, as it stood at a revision: where a spreadsheet would run a text of a CSV as
 * a formula, it is made harmless. The same revision always gives the same bytes.
 */
export function wholeFile(
  reader: WholeReader,
  dataset: Dataset,
  format: ExportFormat,
  asOf: number,
): Pieces {
  if (format === 'ndjson') return lines(reader.records(dataset, asOf));
  return table(reader, dataset, answerWriters[format], asOf);
}

type Pieces = AsyncGenerator<Uint8Array, undefined>;
type Texts = AsyncIterable<readonly string[]>;

async function* lines(records: Texts): Pieces {
  const encoder = new TextEncoder();
  for await (const batch of records) yield encoder.encode(`${batch.join('\n')}\n`);
}

async function* list(records: Texts): Pieces {
  const encoder = new TextEncoder();
  let before = '[\n';
  for await (const batch of records) {
    yield encoder.encode(before + batch.join(',\n'));
    before = ',\n';
  }
  yield encoder.encode(before === '[\n' ? '[]\n' : '\n]\n');
}

async function* table(
  reader: WholeReader,
  dataset: Dataset,
  write: TableWriter,
  asOf: number | undefined,
): Pieces {
  const orders = keyOrders(dataset);
  // Columns for keys take a look at every record first; both looks must be at one revision.
  const revision = orders.size === 0 ? asOf : (asOf ?? (await reader.revision()));
  if (orders.size > 0) await learn(orders, reader.records(dataset, revision));
  const form = flatForm(dataset, orders);
  const rows = flatRows(reader.records(dataset, revision), form);
  yield* write({ title: dataset.name, columns: form.columns, rows });
}

async function learn(orders: ReadonlyMap<string, KeyOrder>, records: Texts): Promise<void> {
  for await (const batch of records) {
    for (const text of batch) learnKeys(orders, JSON.parse(text) as AnyRecord);
  }
}

async function* flatRows(
  records: Texts,
  { rowsOf }: FlatForm,
): AsyncGenerator<readonly (readonly FlatCell[])[]> {
  for await (const batch of records) {
    yield batch.flatMap((text) => rowsOf(JSON.parse(text) as AnyRecord));
  }
}
