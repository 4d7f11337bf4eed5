import { afterAll, beforeAll, describe, expect, jest, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { BackgroundThread, type StartThread } from '../../src/http/background/background-thread.ts';
import type { BackgroundRequest } from '../../src/http/background/background-work.ts';
import { startThread as startWorker } from '../../src/http/server/thread/start-thread.ts';
import { AbandonedError } from '../../src/shared/abandoned-error.ts';
import {
  NOTHING_SEEN,
  type ReaderSource,
  type StoreReader,
  StoreUnavailableError,
} from '../../src/store/open-store.ts';
import { quote } from '../support/quote-fixture.ts';
import { startThreadInProcess, unreferenced } from '../support/start-thread-in-process.ts';
import { createStore, type TestStore } from '../support/store.ts';

const RECORDS = 3_000;
const EXPORT = { dataset: 'quotes', format: 'csv', revision: 1, newest: 1 } as const;
const never = new AbortController().signal;

describe('the background thread', () => {
  let store: TestStore;
  let reader: StoreReader;
  let thread: BackgroundThread;
  beforeAll(async () => {
    store = await createStore();
    const records = Array.from({ length: RECORDS }, (_, index) => quote({ symbol: `ZZ${index}` }));
    await store.publish(quotes, records);
    // As in a server: without one, the last connection locks the file when it is closed.
    reader = store.reader();
    thread = createThread(store.readerSource);
  });
  afterAll(async () => {
    await thread.stop();
    reader.close();
  });

  test('breaks off a file that it was creating when it stopped, and creates the next one', async () => {
    const chunks = thread.exportFile(EXPORT, never);
    expect((await chunks.next()).done).toBe(false);
    await thread.stop();
    await expect(Array.fromAsync(chunks)).rejects.toThrow(
      new StoreUnavailableError('the thread that read it was stopped'),
    );
    const file = Buffer.concat(await Array.fromAsync(thread.exportFile(EXPORT, never)));
    expect(file.toString().trim().split('\n')).toHaveLength(1 + RECORDS);
  });

  test('starts no job for a client that has gone', async () => {
    const gone = AbortSignal.abort();
    const file = Array.fromAsync(thread.exportFile(EXPORT, gone));
    await expect(file).rejects.toBeInstanceOf(AbandonedError);
  });
});

test('several background threads run in one process, each with a store of its own', async () => {
  const closed: number[] = [];
  const startReading = async (index: number) => {
    const store = await createStore();
    await store.publish(quotes, [quote({ symbol: `STORE${index}` })]);
    const openReader = () => ({ ...store.reader(), close: () => closed.push(index) });
    return createThread(store.readerSource, () => startThreadInProcess(openReader));
  };
  unreferenced.length = 0;
  const threads = [await startReading(0), await startReading(1)];
  const files = await Promise.all(
    threads.map((thread) => Array.fromAsync(thread.exportFile(EXPORT, never))),
  );
  const texts = files.map((chunks) => Buffer.concat(chunks).toString());
  expect(texts.map((text) => text.match(/STORE\d/g))).toEqual([['STORE0'], ['STORE1']]);
  await threads[1]?.stop();
  expect(closed).toEqual([1]);
  await threads[0]?.stop();
  expect(closed).toEqual([1, 0]);
  // A listener that is added later would keep the process alive again.
  expect(unreferenced).toEqual([1, 1]);
});

test('a thread that is stopped ends its streams before it closes its store', async () => {
  const store = await createStore();
  await store.publish(quotes, [quote({})]);
  const ended: string[] = [];
  const reader = store.reader();
  const openReader = (): StoreReader => ({
    ...reader,
    async *records(...selection) {
      using _ = { [Symbol.dispose]: () => ended.push('stream') };
      yield* reader.records(...selection);
    },
    close: () => ended.push('store'),
  });
  const thread = createThread(store.readerSource, () => startThreadInProcess(openReader));
  const chunks = thread.exportFile(EXPORT, never);
  // The header, and the first records.
  for (let count = 0; count < 2; count++) expect((await chunks.next()).done).toBe(false);
  await thread.stop();
  expect(ended).toEqual(['stream', 'store']);
});

test('a job that is cancelled before its turn does not open the store', async () => {
  const openReader = jest.fn(() => {
    throw new Error('opened');
  });
  const thread = createThread(undefined, () => startThreadInProcess(openReader));
  const controller = new AbortController();
  const page = thread.respond({} as BackgroundRequest, controller.signal);
  controller.abort();
  await expect(page).rejects.toBeInstanceOf(AbandonedError);
  expect(openReader).not.toHaveBeenCalled();
});

test('a store that cannot be read is opened once, however many jobs fail', async () => {
  await using store = await createStore();
  const reader = store.reader();
  let [opened, closed] = [0, 0];
  const openReader = (): StoreReader => {
    opened++;
    const fail = async () => {
      throw new StoreUnavailableError('no server answers');
    };
    return { ...reader, secret: fail, close: () => void closed++ };
  };
  const thread = createThread(store.readerSource, () => startThreadInProcess(openReader));
  for (let job = 0; job < 3; job++) {
    const file = Array.fromAsync(thread.exportFile(EXPORT, never));
    await expect(file).rejects.toThrow('no server answers');
  }
  await thread.stop();
  expect([opened, closed]).toEqual([1, 1]);
  reader.close();
});

test('no thread is started in place of the third that hangs', async () => {
  jest.useFakeTimers();
  const startSilent = () => ({ on() {}, postMessage() {}, terminate() {}, unref() {} });
  const thread = createThread(undefined, startSilent);
  const isStuck: boolean[] = [];
  for (let count = 1; count <= 3; count++) {
    const failure = thread.respond({} as BackgroundRequest, never).catch((cause: unknown) => cause);
    jest.advanceTimersByTime(30_000);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    isStuck.push(thread.isStuck);
  }
  jest.useRealTimers();
  expect(isStuck).toEqual([false, false, true]);
  const refused = thread.respond({} as BackgroundRequest, never);
  await expect(refused).rejects.toThrow(/3 background threads hang/);
});

/** A worker that serves all datasets. */
const startServing: StartThread = (source) =>
  startWorker({ source, datasets: catalogue.map(({ name }) => name) });

function createThread(source: unknown, startThread: StartThread = startServing): BackgroundThread {
  const revisions = { newestSeen: () => NOTHING_SEEN, observeRevision: () => {} };
  const ignore = () => {};
  return new BackgroundThread(source as ReaderSource, revisions, ignore, ignore, startThread);
}
