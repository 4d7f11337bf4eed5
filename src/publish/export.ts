import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import type { FlatCell, FlatForm } from '../derive/flat.ts';
import { flatForm, KeyOrder, keyedLists } from '../derive/flat.ts';
import type { FormatName } from '../formats/index.ts';
import { writers } from '../formats/writers.ts';
import type { Reader } from '../store/index.ts';

/**
 * A whole dataset in a format, piece by piece and all from one revision: as it stands, or as it
 * stood at a revision. What is written loads back to the same records.
 */
export async function* exported(
  reader: Reader,
  dataset: Dataset,
  format: FormatName,
  asOf?: number,
): AsyncGenerator<Uint8Array> {
  if (format === 'json' || format === 'ndjson') {
    yield* texts(reader.records(dataset, asOf), format === 'json');
    return;
  }
  const lists = keyedLists(dataset);
  // Columns for keys take a look at every record first; both looks must be at one revision.
  const revision = lists.length === 0 ? asOf : (asOf ?? (await reader.revision()));
  const orders = await ordersOf(reader, dataset, lists, revision);
  const form = flatForm(dataset, orders);
  const rows = flatRows(reader.records(dataset, revision), form);
  yield* writers[format]({ title: dataset.name, columns: form.columns, rows });
}

async function* texts(
  records: AsyncIterable<readonly string[]>,
  isList: boolean,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const [open, between, close] = isList ? ['[\n', ',\n', '\n]\n'] : ['', '\n', '\n'];
  let before = open;
  for await (const batch of records) {
    yield encoder.encode(before + batch.join(between));
    before = between;
  }
  if (before !== open) yield encoder.encode(close);
  else if (isList) yield encoder.encode('[]\n');
}

async function ordersOf(
  reader: Reader,
  dataset: Dataset,
  lists: readonly string[],
  revision: number | undefined,
): Promise<ReadonlyMap<string, KeyOrder>> {
  const orders = new Map(lists.map((list) => [list, new KeyOrder()]));
  if (lists.length === 0) return orders;
  for await (const batch of reader.records(dataset, revision)) {
    for (const text of batch) {
      const record = JSON.parse(text) as Record<string, readonly { key: string }[]>;
      for (const [list, order] of orders) order.add((record[list] ?? []).map(({ key }) => key));
    }
  }
  return orders;
}

async function* flatRows(
  records: AsyncIterable<readonly string[]>,
  { rowsOf }: FlatForm,
): AsyncGenerator<readonly (readonly FlatCell[])[]> {
  for await (const batch of records) {
    yield batch.flatMap((text) => rowsOf(JSON.parse(text) as AnyRecord));
  }
}
