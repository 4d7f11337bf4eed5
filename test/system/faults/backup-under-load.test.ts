import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { backUpStore, openStore, type Store } from '../../../src/store/open-store.ts';
import { exportDataset } from '../../../src/tabular/export-dataset.ts';
import { spawnChild } from '../../support/spawn-child.ts';
import { createStore, REPETITIONS, type SqliteTestStore } from '../../support/store.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

setDefaultTimeout(120_000);

const BACKUPS = 5 * REPETITIONS;

let store: SqliteTestStore;
let server: TestServer;
beforeAll(async () => {
  store = await createStore();
  server = await startTestServer(store);
});
afterAll(() => server.stop());

test('a backup at any moment of loads and requests equals an export as of its revision', async () => {
  const publisher = spawnChild(
    [process.execPath, join(import.meta.dirname, '../../support/many-loads.ts'), store.url],
    {
      stderr: 'inherit',
    },
  );
  let isFinished = false;
  const requests = (async () => {
    while (!isFinished) {
      const { status } = await server.request('/2.0/bnb/quotes');
      expect(status).toBe(200);
      await Bun.sleep(5);
    }
  })();
  const revisions: number[] = [];
  try {
    while (revisions.length < BACKUPS) {
      await Bun.sleep(300 * Math.random());
      expect(publisher.exitCode).toBeNull();
      revisions.push(await backUpAndCompare(`${store.path}.copy-${revisions.length}`));
    }
  } finally {
    publisher.kill();
    await publisher.exited;
    isFinished = true;
    await requests;
  }
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
  expect(new Set(revisions).size).toBeGreaterThan(1);
});

/** Returns the revision of the backup. */
async function backUpAndCompare(file: string): Promise<number> {
  const { verified } = await backUpStore(
    store.url,
    catalogue,
    { file, canReplace: false },
    async (copy) => {
      const { faults, revisions } = await checkDatabase(copy, catalogue);
      expect(faults).toEqual([]);
      return revisions;
    },
  );
  const restored = await openStore(`sqlite:${file}`, catalogue, { preparation: 'none' });
  expect(await exportQuotes(restored)).toEqual(await exportQuotes(store, verified));
  return verified;
}

async function exportQuotes(source: Store, asOf?: number): Promise<string> {
  const reader = source.reader();
  try {
    const chunks = await Array.fromAsync(exportDataset(reader, quotes, 'ndjson', asOf));
    return Buffer.concat(chunks).toString();
  } finally {
    reader.close();
  }
}
