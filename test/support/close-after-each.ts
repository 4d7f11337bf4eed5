import { afterAll, afterEach, beforeAll } from 'bun:test';
import type { TestStore } from './store.ts';

/** Closes and removes with each test of a file what the test opened. */
export function closeAfterEach() {
  let opened: { close(): void }[] = [];
  let stores: TestStore[] = [];
  afterEach(async () => {
    for (const part of opened) part.close();
    for (const store of stores) await store.remove();
    opened = [];
    stores = [];
  });
  return {
    closing<T extends { close(): void }>(part: T): T {
      opened.push(part);
      return part;
    },
    removing<T extends TestStore>(store: T): T {
      stores.push(store);
      return store;
    },
  };
}

/** One store for the tests of a `describe` that only read it. */
export function shareStore(createStore: () => Promise<TestStore>): () => TestStore {
  let store: TestStore;
  beforeAll(async () => {
    store = await createStore();
  });
  afterAll(() => store.remove());
  return () => store;
}
