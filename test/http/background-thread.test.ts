import { afterAll, beforeAll, describe, expect, jest, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { getShippedCatalogue } from '../../src/catalogue/catalogues.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import {
  BackgroundThread,
  type StartThread,
  type Thread,
  type ThreadRequest,
  type ThreadResponse,
} from '../../src/http/background/background-thread.ts';
import { runBackgroundThread } from '../../src/http/background/run-background-thread.ts';
import type { PageJob } from '../../src/http/pages/page-reader.ts';
import { AbandonedError } from '../../src/shared/abandoned-error.ts';
import {
  NOTHING_SEEN,
  type ReaderSource,
  type StoreReader,
  StoreUnavailableError,
} from '../../src/store/open-store.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, type TestStore } from '../support/store.ts';

const CATALOGUE = getShippedCatalogue(catalogue);
const RECORDS = 3_000;
const EXPORT = { dataset: 'quotes', format: 'csv', revision: 1 } as const;
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
    const chunks = thread.exportFile(CATALOGUE, EXPORT, never);
    expect((await chunks.next()).done).toBe(false);
    await thread.stop();
    await expect(Array.fromAsync(chunks)).rejects.toThrow(
      new StoreUnavailableError('the thread that read it was stopped'),
    );
    const file = Buffer.concat(await Array.fromAsync(thread.exportFile(CATALOGUE, EXPORT, never)));
    expect(file.toString().trim().split('\n')).toHaveLength(1 + RECORDS);
  });

  test('starts no job for a client that has gone', async () => {
    const gone = AbortSignal.abort();
    const file = Array.fromAsync(thread.exportFile(CATALOGUE, EXPORT, gone));
    await expect(file).rejects.toBeInstanceOf(AbandonedError);
  });
});

test('several background threads run in one process, each with a store of its own', async () => {
  const closed: number[] = [];
  const startReading = async (index: number) => {
    const store = await createStore();
    await store.publish(quotes, [quote({ symbol: `STORE${index}` })]);
    const openReader = () => ({ ...store.reader(), close: () => closed.push(index) });
    return createThread(store.readerSource, () => startInProcess(openReader));
  };
  const threads = [await startReading(0), await startReading(1)];
  const files = await Promise.all(
    threads.map((thread) => Array.fromAsync(thread.exportFile(CATALOGUE, EXPORT, never))),
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
  const thread = createThread(store.readerSource, () => startInProcess(openReader));
  const chunks = thread.exportFile(CATALOGUE, EXPORT, never);
  // The header, and the first records.
  for (let count = 0; count < 2; count++) expect((await chunks.next()).done).toBe(false);
  await thread.stop();
  expect(ended).toEqual(['stream', 'store']);
});

test('a job that is cancelled before its turn does not open the store', async () => {
  const openReader = jest.fn(() => {
    throw new Error('opened');
  });
  const thread = createThread(undefined, () => startInProcess(openReader));
  const controller = new AbortController();
  const page = thread.readPage(CATALOGUE, {} as PageJob, controller);
  controller.abort();
  await expect(page).rejects.toBeInstanceOf(AbandonedError);
  expect(openReader).not.toHaveBeenCalled();
});

test('no thread is started in place of the third that hangs', async () => {
  jest.useFakeTimers();
  const startSilent = () => ({ on() {}, postMessage() {}, terminate() {}, unref() {} });
  const thread = createThread(undefined, startSilent);
  const isStuck: boolean[] = [];
  for (let count = 1; count <= 3; count++) {
    const failure = thread.readCoverage(CATALOGUE, [], undefined).catch((cause: unknown) => cause);
    jest.advanceTimersByTime(30_000);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    isStuck.push(thread.isStuck);
  }
  jest.useRealTimers();
  expect(isStuck).toEqual([false, false, true]);
  expect(() => thread.readCoverage(CATALOGUE, [], undefined)).toThrow(/3 background threads hang/);
});

function createThread(source: unknown, startThread?: StartThread): BackgroundThread {
  const revisions = { newestSeen: () => NOTHING_SEEN, observeRevision: () => {} };
  const ignore = () => {};
  return new BackgroundThread(source as ReaderSource, revisions, ignore, ignore, startThread);
}

function startInProcess(openReader: () => StoreReader): Thread {
  const thread = new EventEmitter();
  const port = Object.assign(new EventEmitter(), {
    postMessage: (response: ThreadResponse) =>
      queueMicrotask(() => thread.emit('message', response)),
    close: () => thread.emit('exit'),
  });
  runBackgroundThread(port, openReader, () => {});
  return Object.assign(thread, {
    postMessage: (request: ThreadRequest) => queueMicrotask(() => port.emit('message', request)),
    terminate: () => {},
    unref() {
      unreferenced.push(thread.listenerCount('message'));
    },
  });
}

/** How many listeners threads had when they let the process end. */
const unreferenced: number[] = [];
