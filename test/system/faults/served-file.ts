import { afterEach, beforeEach, expect } from 'bun:test';
import { renameSync, writeFileSync } from 'node:fs';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { openInspector } from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { readFixture } from '../../support/fixtures.ts';
import { quote } from '../../support/quote-fixture.ts';
import {
  checkpoint,
  createDatabaseFile,
  createFilledStore,
  type SqliteTestStore,
} from '../../support/store.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

/** A file is noticed within two seconds; on a busy machine a test waits longer. */
export const NOTICE_TIMEOUT_MS = 10_000;

export const publication = { dataset: quotes, source: 'test', author: 'test' };
const FUND_ID = String(readFixture(fundAllocation)[0]?.fund_id);
const TARGETS = catalogue.map(({ paths: [path], shape }) =>
  shape === 'fund' ? `${path}?fund_id=${FUND_ID}` : String(path),
);

let otherBytes: Promise<Uint8Array> | undefined;

/** A database with one quote, and nothing else. */
export function readOther(): Promise<Uint8Array> {
  otherBytes ??= createDatabaseFile(async (store) => {
    const publisher = store.publisher();
    await publishRecords(publisher, { ...publication, records: [quote({ symbol: 'OTHER' })] });
    publisher.close();
  });
  return otherBytes;
}

/** Puts a file in the place of another at once, as a restore should. */
export function replaceFile(bytes: Uint8Array, path: string): void {
  writeFileSync(`${path}.copy`, bytes);
  renameSync(`${path}.copy`, path);
}

/** A filled database for each test, and a server that answers from its file. */
export function useServedFile() {
  let store: SqliteTestStore;
  let server: TestServer;
  beforeEach(async () => {
    store = await createFilledStore();
    checkpoint(store.path);
    server = await startTestServer(store);
  });
  afterEach(() => server.stop());
  return {
    get store() {
      return store;
    },
    get server() {
      return server;
    },
    replace: (bytes: Uint8Array) => replaceFile(bytes, store.path),
    publish: (symbol: string) => store.publish(quotes, [quote({ symbol })]),
    countEvents: (name: string) => server.events.filter(({ event }) => event === name).length,
    listSymbols: async (): Promise<string[]> =>
      (await server.getJson('/2.0/bnb/quotes?limit=1000')).data.map(
        ({ symbol }: { symbol: string }) => symbol,
      ),
    waitForRevision: (revision: number) =>
      retryUntil(NOTICE_TIMEOUT_MS, async () => {
        const responses = await Promise.all(TARGETS.map((target) => server.request(target)));
        for (const { status, headers } of responses)
          expect([status, headers.get('tenor-revision')]).toEqual([200, String(revision)]);
      }),
    waitForUnavailable: () =>
      retryUntil(NOTICE_TIMEOUT_MS, async () => {
        for (const target of TARGETS) {
          const response = await server.request(target);
          expect([target, response.status, response.headers.get('retry-after')]).toEqual([
            target,
            503,
            '1',
          ]);
          expect(await response.json()).toEqual({
            status: 'error',
            message: 'temporarily_unavailable',
          });
        }
      }),
    async readFaults() {
      const inspector = await openInspector(store.url, catalogue);
      try {
        return (await checkDatabase(inspector, catalogue)).faults;
      } finally {
        inspector.close();
      }
    },
  };
}
