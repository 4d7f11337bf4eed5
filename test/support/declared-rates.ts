import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { declareDatasets, retireDataset } from '../../src/publish/declare-dataset.ts';
import { quote } from './quote-fixture.ts';
import { createStore, type TestStore } from './store.ts';
import { SERVER_SETTINGS, TOKEN } from './test-server.ts';

/** A dataset with a dimension that a publisher declares while a server runs. */
export const KIBOR: Declaration = {
  name: 'kibor',
  title: 'Interbank offered rates',
  period: { kind: 'day', field: 'date' },
  dimensions: [
    { field: 'tenor', title: 'Tenor', codes: { '1M': 'one month', '6M': 'six months' } },
  ],
  measures: [
    { field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate', required: true },
    { field: 'offer', title: 'Offer', unit: 'percent', kind: 'rate' },
  ],
  chart: ['bid', 'offer'],
};
export const kibor = createDeclaredDataset(KIBOR);

/** Newest first, then by tenor. */
export const KIBOR_RECORDS = ['2026-06-03', '2026-06-02', '2026-06-01'].flatMap((date, day) =>
  ['1M', '6M'].map((tenor, index) => ({ date, tenor, bid: 11 + day + index / 10, offer: null })),
);

/** Declares datasets as `tenor dataset declare` does. */
export async function declareIn(store: TestStore, ...declarations: Declaration[]): Promise<void> {
  const publisher = store.publisher();
  await declareDatasets(publisher, { declarations, ...ORIGIN });
  publisher.close();
}

const ORIGIN = { source: 'test', author: 'test' };

/** Declares it, then publishes its records; gives the revision of these. */
export async function declareKibor(store: TestStore): Promise<number> {
  await declareIn(store, KIBOR);
  return (await store.publish(kibor, KIBOR_RECORDS))?.revision ?? 0;
}

/** Retires it with its records; gives the last revision of that. */
export async function retireKibor(store: TestStore): Promise<number> {
  const publisher = store.publisher();
  const options = { name: kibor.name, withRecords: true, ...ORIGIN };
  const { revision } = await retireDataset(publisher, options);
  publisher.close();
  return revision.revision;
}

/** A store where it is declared by revision 1, and has its records by revision 2. */
export async function createKiborStore(): Promise<TestStore> {
  const store = await createStore();
  await declareKibor(store);
  return store;
}

/** A server of a store with quotes, to which the declared dataset comes with `declare`. */
export async function startDeclaringServer(prepare: (store: TestStore) => Promise<void>) {
  const store = await createStore();
  await store.publish(quotes, [quote({ symbol: 'A' })]);
  await prepare(store);
  const server = await startServer({
    store,
    catalogue,
    settings: SERVER_SETTINGS,
    emit() {},
  });
  const { address } = server;
  const get = (target: string, token = TOKEN, headers: Record<string, string> = {}) =>
    fetch(`${address}${target}`, { headers: { Authorization: `Bearer ${token}`, ...headers } });
  const awaitRevision = async (revision: number) => {
    await get('/revisions', TOKEN, { 'Tenor-Revision': String(revision) });
  };
  return {
    address,
    store,
    get,
    declare: async () => awaitRevision(await declareKibor(store)),
    retire: async () => awaitRevision(await retireKibor(store)),
    async stop() {
      await server.stop();
      await store.remove();
    },
  };
}

/** The revisions of such a server with the declaration, with its records, and without both. */
export const KIBOR_DECLARED_AT = 2;
export const KIBOR_AT = 3;
export const KIBOR_RETIRED_AT = 5;
