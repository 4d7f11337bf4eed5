import type { AnyRecord, Dataset } from '../catalogue/dataset.ts';
import type { JsonSchema } from '../catalogue/field.ts';
import type { Operation } from '../catalogue/operation.ts';
import type { FlatForm } from '../derive/flat.ts';
import { flatForm, KeyOrder, keyedLists, periodTable } from '../derive/flat.ts';
import { objectForm } from '../derive/object-form.ts';
import { turn } from '../formats/batches.ts';

/** What the records of an answer are of: a dataset, or an operation whose data makes a table. */
export type Origin = Dataset | Operation;

/** The table that some records make: a fund as period by class. */
export function answerForm(origin: Origin, records: readonly AnyRecord[]): FlatForm {
  if ('data' in origin) return objectForm(origin.data.items as JsonSchema);
  if (origin.shape === 'fund') {
    const classes = new KeyOrder();
    for (const { rows } of records) classes.add((rows as Labelled[]).map(({ label }) => label));
    return periodTable(classes.keys);
  }
  const orders = keyOrders(origin);
  for (const record of records) learnKeys(orders, record);
  return flatForm(origin, orders);
}

interface Labelled {
  readonly label: string;
}

/** For each list of a dataset, the order of its keys: of none, before any record is known. */
export function keyOrders(dataset: Dataset): ReadonlyMap<string, KeyOrder> {
  return new Map(keyedLists(dataset).map((list) => [list, new KeyOrder()]));
}

/** Takes in the keys that the lists of a record have. */
export function learnKeys(orders: ReadonlyMap<string, KeyOrder>, record: AnyRecord): void {
  for (const [list, order] of orders) {
    order.add((record[list] as readonly { key: string }[]).map(({ key }) => key));
  }
}

const STEP = 250;

/** A list in steps that are short enough for a server to answer others in between. */
export async function* inSteps<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += STEP) {
    if (at > 0) await turn();
    yield list.slice(at, at + STEP);
  }
}
