import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { memoizeAsync, memoizeByIdentity } from '../shared/memoize.ts';
import type { StoreReader } from '../store/open-store.ts';
import { collectKeys, createKeyOrders } from '../tabular/key-order.ts';
import { createFlow, type Flow, type FlowValues } from './flow.ts';
import type { Message } from './message-query.ts';

const MAX_CACHED_FLOWS = 100;

/** It is the same from the last change of the records on. */
type FlowVersion = Pick<Message, 'agency' | 'revision' | 'prepared'>;

/** The flow of a dataset with the codes that its records have as of a revision. */
export const getFlowReader = memoizeByIdentity((reader: StoreReader) =>
  memoizeAsync(
    MAX_CACHED_FLOWS,
    (dataset: Dataset, { agency, prepared }: FlowVersion) =>
      `${dataset.name} ${dataset.declared?.revision ?? 0} ${prepared.revision} ${agency}`,
    async (dataset, { agency, revision }): Promise<Flow> =>
      createFlow(dataset, agency, await readValues(reader, dataset, revision)),
  ),
);

async function readValues(
  reader: StoreReader,
  dataset: Dataset,
  revision: number,
): Promise<FlowValues> {
  const dimensions = await reader.dimensionValues(dataset, revision);
  const orders = createKeyOrders(dataset);
  // No declaration of a publisher has such a list: those that have are short.
  if (orders.size > 0) {
    for await (const batch of reader.records(dataset, revision))
      for (const text of batch) collectKeys(orders, JSON.parse(text) as AnyRecord);
  }
  return { dimensions, members: [...orders.values()].flatMap(({ keys }) => keys) };
}
