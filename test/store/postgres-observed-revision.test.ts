import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { BackgroundThread } from '../../src/http/background/background-thread.ts';
import type { BackgroundRequest } from '../../src/http/background/background-work.ts';
import { startThread } from '../../src/http/server/thread/start-thread.ts';
import { openReader } from '../../src/store/open-reader.ts';
import {
  NO_REVISION,
  NOTHING_SEEN,
  openStore,
  type ReaderSource,
  type SeenRevision,
  StoreUnavailableError,
} from '../../src/store/open-store.ts';
import { explainMissingPostgres } from '../support/postgres.ts';
import { quote } from '../support/quote-fixture.ts';
import { createPostgresStore, type TestStore } from '../support/store.ts';

const REQUEST: BackgroundRequest = {
  target: '/2.0/bnb/quote',
  acceptedFormat: 'json',
  includesTotal: false,
  scopes: ['quotes'],
  view: { revision: 2, newest: 2, namedBy: 'nothing' },
};

describe.skipIf(explainMissingPostgres() !== undefined)('a reader on PostgreSQL', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await createPostgresStore();
    await store.publish(quotes, [quote({ symbol: 'ZZ1' })]);
  });
  afterAll(() => store.remove());

  test('finds a revision that another reader saw before its own heartbeat', async () => {
    const reader = (await openStore(store.url, catalogue)).reader();
    expect(await reader.revision()).toBe(1);
    await store.publish(quotes, [quote({ symbol: 'ZZ2' })]);
    reader.observeRevision(2);
    expect(await reader.revision()).toBe(2);
    reader.close();
  });

  test('does not read what is older than another reader saw, from its first query on', async () => {
    const reader = openReader(store.readerSource as ReaderSource);
    reader.observeRevision(1_000);
    const result = reader.read({ kind: 'quotes', dataset: quotes, limit: 1 });
    await expect(result).rejects.toBeInstanceOf(StoreUnavailableError);
    reader.close();
  });

  test('shares what it has seen with the background thread, both ways', async () => {
    const observed: SeenRevision[] = [];
    let newestSeen = NOTHING_SEEN;
    const thread = new BackgroundThread(
      store.readerSource as ReaderSource,
      {
        newestSeen: () => newestSeen,
        observeRevision: (revision, identity = NO_REVISION) =>
          void observed.push({ revision, identity }),
      },
      () => {},
      () => {},
      (source) => startThread({ source, datasets: ['quotes'] }),
    );
    const read = () => thread.respond(REQUEST, new AbortController().signal);
    const revision = (await read()).page?.revision ?? 0;
    const checksum = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(observed).toEqual([{ revision, identity: { revision, checksum } }]);
    // As after a promotion that has lost it, and another of its number.
    newestSeen = { revision, identity: { revision, checksum: 'of another history' } };
    await read().then(
      () => expect.unreachable(),
      ({ message }) => expect(message).toBe(`another history has another revision ${revision}`),
    );
    newestSeen = { revision: 1_000, identity: NO_REVISION };
    // Not by `rejects`, which lets no message of a thread arrive while it waits.
    const failure = await read().catch((cause) => cause);
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(failure.message).toStartWith('no server has revision 1000');
    await thread.stop();
  });
});
