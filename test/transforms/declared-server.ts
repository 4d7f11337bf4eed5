import { afterAll, beforeAll } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import {
  createInProcessServer,
  type InProcessServer,
} from '../../src/http/server/in-process-server.ts';
import { declareIn } from '../support/declared-rates.ts';
import { parseRecords } from '../support/follow-links.ts';
import { createStore, type TestStore } from '../support/store.ts';

/** Declared datasets and their records. */
export type DeclaredRecords = readonly (readonly [Declaration, readonly AnyRecord[]])[];

/** Declares datasets and publishes their records, each in a revision of its own. */
export async function publishDeclared(store: TestStore, datasets: DeclaredRecords): Promise<void> {
  await declareIn(store, ...datasets.map(([declaration]) => declaration));
  for (const [declaration, records] of datasets)
    await store.publish(createDeclaredDataset(declaration), records);
}

/** A server of declared datasets for the tests of a file. */
export function useDeclaredServer(datasets: DeclaredRecords) {
  let store: TestStore;
  let server: InProcessServer;
  beforeAll(async () => {
    store = await createStore();
    await publishDeclared(store, datasets);
    server = await createInProcessServer(store, catalogue);
  });
  afterAll(async () => {
    server.close();
    await store.remove();
  });
  return {
    get: (target: string) => server.get(target),
    getRecords: async (target: string) =>
      parseRecords(await (await server.get(`${target}&limit=1000`)).text()),
  };
}
