import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import {
  createSharedNumberFile,
  openSharedRevision,
} from '../../../src/http/freshness/shared-revision.ts';
import { RequestMetrics } from '../../../src/http/pipeline/request-metrics.ts';
import { FollowedDatabase } from '../../../src/http/server/followed-database.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import {
  backUpStore,
  openInspector,
  openStore,
  type Store,
  type StoreReader,
  StoreUnavailableError,
} from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { readFixture } from '../../support/fixtures.ts';
import { quote } from '../../support/quote-fixture.ts';
import { createEventReader } from '../../support/read-events.ts';
import { buildEnvironment, COMMAND } from '../../support/run-tenor.ts';
import {
  checkpoint,
  createDatabaseFile,
  createFilledStore,
  type SqliteTestStore,
} from '../../support/store.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import {
  isLinux,
  readLog,
  requestFromAllWorkers,
  useWorkerServers,
} from '../../support/workers.ts';

setDefaultTimeout(60_000);

/** A file is noticed within two seconds; on a busy machine a test waits longer. */
const NOTICE_TIMEOUT_MS = 10_000;

const publication = { dataset: quotes, source: 'test', author: 'test' };
const FUND_ID = String(readFixture(fundAllocation)[0]?.fund_id);
const TARGETS = catalogue.map(({ paths: [path], shape }) =>
  shape === 'fund' ? `${path}?fund_id=${FUND_ID}` : String(path),
);

/** A database with one quote, and nothing else. */
let otherBytes: Promise<Uint8Array> | undefined;
const readOther = () => {
  otherBytes ??= createDatabaseFile(async (store) => {
    const publisher = store.publisher();
    await publishRecords(publisher, { ...publication, records: [quote({ symbol: 'OTHER' })] });
    publisher.close();
  });
  return otherBytes;
};

let store: SqliteTestStore;
let server: TestServer;
beforeEach(async () => {
  store = await createFilledStore();
  checkpoint(store.path);
  server = await startTestServer(store);
});
afterEach(() => server.stop());

/** Puts a file in the place of another at once, as a restore should. */
function replaceFile(bytes: Uint8Array, path = store.path): void {
  writeFileSync(`${path}.copy`, bytes);
  renameSync(`${path}.copy`, path);
}

const publish = (symbol: string) => store.publish(quotes, [quote({ symbol })]);

function waitForRevision(revision: number): Promise<void> {
  return retryUntil(NOTICE_TIMEOUT_MS, async () => {
    const responses = await Promise.all(TARGETS.map((target) => server.request(target)));
    for (const { status, headers } of responses)
      expect([status, headers.get('tenor-revision')]).toEqual([200, String(revision)]);
  });
}

function waitForUnavailable(): Promise<void> {
  return retryUntil(NOTICE_TIMEOUT_MS, async () => {
    for (const target of TARGETS) {
      const response = await server.request(target);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await response.json()).toEqual({
        status: 'error',
        message: 'temporarily_unavailable',
      });
    }
  });
}

const countEvents = (name: string) => server.events.filter(({ event }) => event === name).length;

const listSymbols = async (target = '/2.0/bnb/quotes?limit=1000') =>
  (await server.getJson(target)).data.map(({ symbol }: { symbol: string }) => symbol);

const readFaults = async () => {
  const inspector = await openInspector(store.url, catalogue);
  try {
    return (await checkDatabase(inspector, catalogue)).faults;
  } finally {
    inspector.close();
  }
};

describe('a database file that is replaced under a running server', () => {
  test('by another database is answered from, and cursors of the first one are rejected', async () => {
    const first = await server.request('/2.0/bnb/quotes?from=2000-01-01&limit=1');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toContain('cursor=');
    expect((await server.request(next)).status).toBe(200);
    const events = createEventReader((await server.request('/events')).body);
    replaceFile(await readOther());
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      expect(server.events).toContainEqual({ event: 'store.replaced', revision: 1 });
    });
    // Revisions start anew: whoever follows them has to as well.
    expect(await events.nextEvent()).toBeUndefined();
    expect(await listSymbols()).toEqual(['OTHER']);
    expect((await server.request(next)).status).toBe(400);
    expect(await (await server.request('/exports/quotes.csv')).text()).toContain('OTHER');
    await publish('LATER');
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      expect(await listSymbols()).toEqual(['LATER', 'OTHER']);
    });
    expect(countEvents('store.replaced')).toBe(1);
  });

  test('by an older copy of itself is answered from, whatever was cached of the newer one', async () => {
    const older = readFileSync(store.path);
    const { length } = catalogue;
    await publish('NEWER');
    checkpoint(store.path);
    await waitForRevision(length + 1);
    replaceFile(older);
    await waitForRevision(length);
    expect(await listSymbols()).not.toContain('NEWER');
    await publish('OTHERWISE');
    await waitForRevision(length + 1);
    expect(await listSymbols()).toContain('OTHERWISE');
  });

  test('beside its write-ahead log loses nothing: the log is moved aside and not applied', async () => {
    const older = readFileSync(store.path);
    const { length } = catalogue;
    await publish('ONLY IN THE LOG');
    await waitForRevision(length + 1);
    const log = readFileSync(`${store.path}-wal`);
    expect(log.length).toBeGreaterThan(0);
    replaceFile(older);
    await waitForRevision(length);
    expect(readFileSync(`${store.path}-wal.replaced`).equals(log)).toBe(true);
    expect(await readFaults()).toEqual([]);
  });

  test('by a copy over it in place is answered from', async () => {
    const older = readFileSync(store.path);
    const { length } = catalogue;
    await publish('NEWER');
    checkpoint(store.path);
    await waitForRevision(length + 1);
    writeFileSync(store.path, older);
    await waitForRevision(length);
    expect(countEvents('store.replaced')).toBe(1);
  });

  test('by a newer copy of it over it in place is answered from', async () => {
    const { length } = catalogue;
    await waitForRevision(length);
    const copy = `${store.path}.newer`;
    copyFileSync(store.path, copy);
    const newer = await openStore(`sqlite:${copy}`, catalogue);
    const publisher = newer.publisher();
    await publishRecords(publisher, { ...publication, records: [quote({ symbol: 'NEWER' })] });
    publisher.close();
    checkpoint(copy);
    writeFileSync(store.path, readFileSync(copy));
    await waitForRevision(length + 1);
    expect(await listSymbols()).toContain('NEWER');
    expect(countEvents('store.replaced')).toBe(1);
  });

  test('by a backup over it in place is never mixed with its log: 503 until a restart', async () => {
    const { length } = catalogue;
    const backup = `${store.path}.backup`;
    await backUpStore(store.url, catalogue, { file: backup, canReplace: false }, async () => {});
    const bytes = readFileSync(backup);
    for (const symbol of ['ONLY', 'IN', 'THE', 'LOG']) await publish(symbol);
    await waitForRevision(length + 4);
    writeFileSync(store.path, bytes);
    await waitForUnavailable();
    const message = expect.stringContaining('was overwritten beside its write-ahead log');
    expect(server.events).toContainEqual({ event: 'store.lost', cause: message });
    const { stdout } = Bun.spawnSync([...COMMAND, 'check', '--json'], {
      env: buildEnvironment({ DATABASE_URL: store.url }),
    });
    expect(JSON.parse(stdout.toString())).toMatchObject({ revisions: length, faultCount: 0 });
    replaceFile(bytes);
    await waitForRevision(length);
  });

  test('by its own checkpoints is the same database', async () => {
    for (const symbol of ['A', 'B', 'C']) {
      await publish(symbol);
      checkpoint(store.path);
      await waitForRevision(
        (await store.query('SELECT max(revision) AS n FROM revisions'))[0]?.n as number,
      );
    }
    expect(countEvents('store.replaced')).toBe(0);
  });
});

describe('a database file that is lost under a running server', () => {
  test('by removal gets 503 for every request, until there is one again', async () => {
    await waitForRevision(catalogue.length);
    const bytes = readFileSync(store.path);
    rmSync(store.path);
    await waitForUnavailable();
    expect((await server.request('/exports/quotes.csv')).status).toBe(503);
    expect(existsSync(store.path)).toBe(false);
    expect(countEvents('store.lost')).toBe(1);
    replaceFile(bytes);
    await waitForRevision(catalogue.length);
    expect(countEvents('store.back')).toBe(1);
  });

  test('by removal still gets the errors of parameters and funds, which come before those of data', async () => {
    rmSync(store.path);
    await waitForUnavailable();
    for (const target of ['/2.0/bnb/quote?limit=0', '/changes/quotes', '/widgets.json?x=1'])
      expect([target, (await server.request(target)).status]).toEqual([target, 400]);
    const header = { 'Tenor-Revision': 'x' };
    expect((await server.request('/2.0/bnb/quote', header)).status).toBe(400);
    const fund = await server.request('/3.0/funds/allocation');
    expect(await fund.json()).toEqual({ status: 'error', message: 'no fund_id provided' });
  });

  test('by removal of its write-ahead log gets 503, until a file is restored', async () => {
    await waitForRevision(catalogue.length);
    checkpoint(store.path);
    const bytes = readFileSync(store.path);
    for (const suffix of ['-wal', '-shm']) rmSync(`${store.path}${suffix}`);
    await waitForUnavailable();
    const message = expect.stringContaining('restart the server');
    expect(server.events).toContainEqual({ event: 'store.lost', cause: message });
    replaceFile(bytes);
    await waitForRevision(catalogue.length);
    expect(countEvents('store.lost')).toBe(1);
  });

  test('by moving it away is answered from once it is moved back', async () => {
    renameSync(store.path, `${store.path}.away`);
    await waitForUnavailable();
    renameSync(`${store.path}.away`, store.path);
    await waitForRevision(catalogue.length);
    expect(countEvents('store.replaced')).toBe(0);
  });

  test.each<[string, (path: string) => void]>([
    ['truncation', (path) => truncateSync(path, 50_000)],
    ['truncation to nothing', (path) => truncateSync(path, 0)],
    ['a file that is no database', (path) => replaceFile(Buffer.from('x'.repeat(9_000)), path)],
    ['text over it in place', (path) => writeFileSync(path, 'x'.repeat(9_000))],
  ])('by %s gets 503 until a copy is restored', async (_, destroy) => {
    const bytes = readFileSync(store.path);
    destroy(store.path);
    await waitForUnavailable();
    replaceFile(bytes);
    await waitForRevision(catalogue.length);
  });
});

describe('a publisher whose database file is replaced before it commits', () => {
  test.each<[string, () => Promise<void> | void]>([
    ['replaced', async () => replaceFile(await readOther())],
    ['removed', () => rmSync(store.path)],
  ])('publishes nothing and says so: %s', async (_, change) => {
    const publisher = store.publisher();
    const published = publisher.transaction(async (transaction) => {
      await publishRecords(transaction, { ...publication, records: [quote({ symbol: 'LOST' })] });
      await change();
    });
    await expect(published).rejects.toThrow(StoreUnavailableError);
    await expect(published).rejects.toThrow(/was replaced or removed; nothing was published/);
    publisher.close();
    if (!existsSync(store.path)) return;
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      expect(await listSymbols()).toEqual(['OTHER']);
    });
    expect(await readFaults()).toEqual([]);
  });
});

describe.skipIf(!isLinux)('two processes that share their revision', () => {
  test('still follow each other after two replacements that each noticed at its own time', async () => {
    const shared = createSharedNumberFile();
    const gate = Promise.withResolvers<void>();
    const first = await followDatabase(shared.path, store);
    const second = await followDatabase(shared.path, store, gate.promise);
    const older = readFileSync(store.path);
    replaceFile(older);
    // The second one opens this file, and is done with it only after the next replacement.
    const slow = second.follow();
    await first.follow();
    replaceFile(older);
    await first.follow();
    gate.resolve();
    await slow;
    await second.follow();
    for (const [symbol, sender, receiver] of [
      ['LATER', first, second],
      ['STILL LATER', second, first],
    ] as const) {
      const revision = (await publish(symbol))?.revision ?? 0;
      sender.data.newestRevision.shareWithOtherProcesses(revision);
      receiver.data.newestRevision.followOtherProcesses();
      expect(receiver.data.responseCache.revision).toBe(revision);
    }
    await Promise.all([first.close(), second.close()]);
    shared.close();
  });

  test('take no revision of the file before an older copy was written over it', async () => {
    const shared = createSharedNumberFile();
    const first = await followDatabase(shared.path, store);
    const second = await followDatabase(shared.path, store);
    const older = readFileSync(store.path);
    await publish('NEWER');
    checkpoint(store.path);
    writeFileSync(store.path, older);
    await first.follow();
    // The second has not noticed it yet.
    second.data.newestRevision.shareWithOtherProcesses(catalogue.length + 1);
    first.data.newestRevision.followOtherProcesses();
    expect(first.data.responseCache.revision).toBe(catalogue.length);
    await Promise.all([first.close(), second.close()]);
    shared.close();
  });
});

/** A process that serves the database; it opens later ones no sooner than the gate opens. */
async function followDatabase(sharedPath: string, opened: Store, gate?: Promise<void>) {
  const reopen = async (): Promise<Store> => {
    const next = await opened.reopen();
    const reader = (): StoreReader => {
      const open = next.reader();
      return { ...open, secret: async () => gate?.then(open.secret) ?? open.secret() };
    };
    return { ...next, reader, reopen };
  };
  return FollowedDatabase.open(
    { ...opened, reopen },
    {
      ...{ catalogue, metrics: new RequestMetrics(), emit() {}, reportAllocatedBytes() {} },
      ...{
        scrubber: { restart() {}, noteRead() {}, suspect() {} },
        eventStreams: { restart() {} },
      },
      sharedRevision: openSharedRevision(sharedPath),
    },
  );
}

describe.skipIf(!isLinux)('with several workers', () => {
  const { start, file } = useWorkerServers();

  test('all of them answer from a file that was replaced', async () => {
    const running = await start();
    const path = file('x.db');
    const target = '/2.0/bnb/quotes';
    for (const { body } of await requestFromAllWorkers(running, target))
      expect(JSON.parse(String(body)).data).toEqual([]);
    copyFileSync(path, join(path, '..', 'empty.db'));
    replaceFile(await readOther(), path);
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      for (const { body } of await requestFromAllWorkers(running, target))
        expect(JSON.parse(String(body)).data).toMatchObject([{ symbol: 'OTHER' }]);
    });
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      expect(readLog(running, 'store.replaced')).toHaveLength(2);
    });
    // A worker that is started again finds no database, and does not create one.
    rmSync(path);
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      for (const { status } of await requestFromAllWorkers(running, target))
        expect(status).toBe(503);
    });
    expect(existsSync(path)).toBe(false);
  });
});
