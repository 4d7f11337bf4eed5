import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import type { JsonSchema } from '../catalogue/model/json-schema.ts';
import type { Operation } from '../catalogue/model/operation.ts';
import { yieldToEventLoop } from '../formats/batches.ts';
import type { TabularLayout } from './layout.ts';
import {
  createPeriodByClassLayout,
  createTabularLayout,
  KeyOrder,
  keyedListNames,
} from './layout.ts';
import { createObjectLayout } from './object-layout.ts';

/** What the records of an answer are of: a dataset, or an operation whose data makes a table. */
export type RecordSource = Dataset | Operation;

/** The table that some records make: a fund as period by class. */
export function createResponseLayout(
  origin: RecordSource,
  records: readonly AnyRecord[],
): TabularLayout {
  if ('dataSchema' in origin) return createObjectLayout(origin.dataSchema.items as JsonSchema);
  if (origin.shape === 'fund') {
    const classes = new KeyOrder();
    for (const { rows } of records) classes.add((rows as LabelledRow[]).map(({ label }) => label));
    return createPeriodByClassLayout(classes.keys);
  }
  const orders = createKeyOrders(origin);
  for (const record of records) collectKeys(orders, record);
  return createTabularLayout(origin, orders);
}

interface LabelledRow {
  readonly label: string;
}

/** For each list of a dataset, the order of its keys: of none, before any record is known. */
export function createKeyOrders(dataset: Dataset): ReadonlyMap<string, KeyOrder> {
  return new Map(keyedListNames(dataset).map((list) => [list, new KeyOrder()]));
}

/** Takes in the keys that the lists of a record have. */
export function collectKeys(orders: ReadonlyMap<string, KeyOrder>, record: AnyRecord): void {
  for (const [list, order] of orders) {
    order.add((record[list] as readonly { key: string }[]).map(({ key }) => key));
  }
}

const CHUNK_SIZE = 250;

/** A list in steps that are short enough for a server to answer others in between. */
export async function* yieldInChunks<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += CHUNK_SIZE) {
    if (at > 0) await yieldToEventLoop();
    yield list.slice(at, at + CHUNK_SIZE);
  }
}
