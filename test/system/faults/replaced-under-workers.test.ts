import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import {
  createSharedNumberFile,
  openSharedRevision,
} from '../../../src/http/freshness/shared-revision.ts';
import { RequestMetrics } from '../../../src/http/pipeline/request-metrics.ts';
import { ReplaceableDatabase } from '../../../src/http/server/replaceable-database.ts';
import type { Store, StoreReader } from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { checkpoint, FILLED_DATASETS } from '../../support/store.ts';
import {
  isLinux,
  readLog,
  requestFromAllWorkers,
  useWorkerServers,
} from '../../support/workers.ts';
import { NOTICE_TIMEOUT_MS, readOther, replaceFile, useServedFile } from './served-file.ts';

setDefaultTimeout(120_000);

describe.skipIf(!isLinux)('two processes that share their revision', () => {
  const served = useServedFile();
  const { replace, publish } = served;

  test('still follow each other after two replacements that each noticed at its own time', async () => {
    const shared = createSharedNumberFile();
    const gate = Promise.withResolvers<void>();
    const first = await reopenDatabase(shared.path, served.store);
    const second = await reopenDatabase(shared.path, served.store, gate.promise);
    const older = readFileSync(served.store.path);
    replace(older);
    // The second one opens this file, and is done with it only after the next replacement.
    const slow = second.reopenIfReplaced();
    await first.reopenIfReplaced();
    replace(older);
    await first.reopenIfReplaced();
    gate.resolve();
    await slow;
    await second.reopenIfReplaced();
    for (const [symbol, sender, receiver] of [
      ['LATER', first, second],
      ['STILL LATER', second, first],
    ] as const) {
      const revision = (await publish(symbol))?.revision ?? 0;
      sender.database.newestRevision.shareWithOtherProcesses(revision);
      await receiver.database.newestRevision.catchUp(null);
      expect(receiver.database.responseCache.revision).toBe(revision);
    }
    await Promise.all([first.close(), second.close()]);
    shared.close();
  });

  test('take no revision of the file before an older copy was written over it', async () => {
    const shared = createSharedNumberFile();
    const first = await reopenDatabase(shared.path, served.store);
    const second = await reopenDatabase(shared.path, served.store);
    const older = readFileSync(served.store.path);
    await publish('NEWER');
    checkpoint(served.store.path);
    writeFileSync(served.store.path, older);
    await first.reopenIfReplaced();
    // The second has not noticed it yet.
    second.database.newestRevision.shareWithOtherProcesses(FILLED_DATASETS.length + 1);
    await first.database.newestRevision.catchUp(null);
    expect(first.database.responseCache.revision).toBe(FILLED_DATASETS.length);
    await Promise.all([first.close(), second.close()]);
    shared.close();
  });
});

/** A process that serves the database; it opens later ones no sooner than the gate opens. */
async function reopenDatabase(sharedPath: string, opened: Store, gate?: Promise<void>) {
  const reopen = async (): Promise<Store> => {
    const next = await opened.reopen();
    const reader = (): StoreReader => {
      const open = next.reader();
      return { ...open, secret: async () => gate?.then(open.secret) ?? open.secret() };
    };
    return { ...next, reader, reopen };
  };
  return ReplaceableDatabase.open(
    { ...opened, reopen },
    {
      catalogue,
      metrics: new RequestMetrics(),
      emit() {},
      reportAllocatedBytes() {},
      scrubber: { restart() {}, suspect() {} },
      eventStreams: { restart() {} },
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
