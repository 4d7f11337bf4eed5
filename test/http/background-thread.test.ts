import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { BackgroundThread } from '../../src/http/background/background-thread.ts';
import { AbandonedError } from '../../src/shared/abandoned-error.ts';
import { type ReaderSource, StoreUnavailableError } from '../../src/store/open-store.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, type TestStore } from '../support/store.ts';

const RECORDS = 3_000;
const EXPORT = { dataset: 'quotes', format: 'csv', revision: 1 } as const;
const never = new AbortController().signal;

describe('the background thread', () => {
  let store: TestStore;
  let thread: BackgroundThread;
  beforeAll(async () => {
    store = await createStore();
    const records = Array.from({ length: RECORDS }, (_, index) => quote({ symbol: `ZZ${index}` }));
    await store.publish(quotes, records);
    thread = new BackgroundThread(
      store.readerSource as ReaderSource,
      { newestSeen: () => 0, observeRevision: () => {} },
      () => {},
      () => {},
    );
  });
  afterAll(() => thread.stop());

  test('breaks off a file that it was creating when it stopped, and creates the next one', async () => {
    const chunks = thread.exportFile(EXPORT, never);
    expect((await chunks.next()).done).toBe(false);
    await thread.stop();
    await expect(Array.fromAsync(chunks)).rejects.toBeInstanceOf(StoreUnavailableError);
    const file = Buffer.concat(await Array.fromAsync(thread.exportFile(EXPORT, never)));
    expect(file.toString().trim().split('\n')).toHaveLength(1 + RECORDS);
  });

  test('starts no job for a client that has gone', async () => {
    const gone = AbortSignal.abort();
    const file = Array.fromAsync(thread.exportFile(EXPORT, gone));
    await expect(file).rejects.toBeInstanceOf(AbandonedError);
  });
});
