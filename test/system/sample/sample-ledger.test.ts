import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { createSampleFile } from '../../support/damaged-server.ts';
import { computeProvenRoots, readCheckpoint, readEntry } from '../../support/ledger-client.ts';
import { createStore } from '../../support/store.ts';
import { useTestServer } from '../../support/use-test-server.ts';

const service = useTestServer(async () => {
  const store = await createStore();
  const path = join(store.path, '..', 'sample.db');
  await createSampleFile(path, '2026-07-01');
  return { ...store, ...(await openStore(`sqlite:${path}`, catalogue)) };
});

test('every revision of the sample is proved by the log, with the lines that it changed', async () => {
  const { size, root } = await readCheckpoint(service.request);
  for (let revision = 1; revision <= size; revision++) {
    const { entry, changes } = await readEntry(service.request, revision);
    expect([entry.dataset, entry.changes]).toEqual([entry.dataset, changes]);
    expect(await computeProvenRoots(service.request, revision)).toEqual([root]);
  }
  expect(size).toBeGreaterThan(20);
});
