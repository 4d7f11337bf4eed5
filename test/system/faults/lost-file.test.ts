import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { checkpoint, FILLED_DATASETS } from '../../support/store.ts';
import { replaceFile, useServedFile } from './served-file.ts';

setDefaultTimeout(120_000);

const served = useServedFile();
const { replace, countEvents, waitForRevision, waitForUnavailable } = served;

describe('a database file that is lost under a running server', () => {
  test('by removal gets 503 for every request, until there is one again', async () => {
    await waitForRevision(FILLED_DATASETS.length);
    const bytes = readFileSync(served.store.path);
    rmSync(served.store.path);
    await waitForUnavailable();
    expect((await served.server.request('/exports/quotes.csv')).status).toBe(503);
    expect(existsSync(served.store.path)).toBe(false);
    expect(countEvents('store.lost')).toBe(1);
    replace(bytes);
    await waitForRevision(FILLED_DATASETS.length);
    expect(countEvents('store.back')).toBe(1);
  });

  test('by removal still gets the errors of parameters and funds, which come before those of data', async () => {
    rmSync(served.store.path);
    await waitForUnavailable();
    for (const target of ['/2.0/bnb/quote?limit=0', '/changes/quotes', '/widgets.json?x=1'])
      expect([target, (await served.server.request(target)).status]).toEqual([target, 400]);
    const header = { 'Tenor-Revision': 'x' };
    expect((await served.server.request('/2.0/bnb/quote', header)).status).toBe(400);
    const fund = await served.server.request('/3.0/funds/allocation');
    expect(await fund.json()).toEqual({ status: 'error', message: 'no fund_id provided' });
  });

  test('by removal of its write-ahead log gets 503, until a file is restored', async () => {
    await waitForRevision(FILLED_DATASETS.length);
    checkpoint(served.store.path);
    const bytes = readFileSync(served.store.path);
    for (const suffix of ['-wal', '-shm']) rmSync(`${served.store.path}${suffix}`);
    await waitForUnavailable();
    const message = expect.stringContaining('restart the server');
    expect(served.server.events).toContainEqual({ event: 'store.lost', cause: message });
    replace(bytes);
    await waitForRevision(FILLED_DATASETS.length);
    expect(countEvents('store.lost')).toBe(1);
  });

  test('by moving it away is answered from once it is moved back', async () => {
    renameSync(served.store.path, `${served.store.path}.away`);
    await waitForUnavailable();
    renameSync(`${served.store.path}.away`, served.store.path);
    await waitForRevision(FILLED_DATASETS.length);
    expect(countEvents('store.replaced')).toBe(0);
  });

  test.each<[string, (path: string) => void]>([
    ['truncation', (path) => truncateSync(path, 50_000)],
    ['truncation to nothing', (path) => truncateSync(path, 0)],
    ['a file that is no database', (path) => replaceFile(Buffer.from('x'.repeat(9_000)), path)],
    ['text over it in place', (path) => writeFileSync(path, 'x'.repeat(9_000))],
  ])('by %s gets 503 until a copy is restored', async (_, destroy) => {
    const bytes = readFileSync(served.store.path);
    destroy(served.store.path);
    await waitForUnavailable();
    replace(bytes);
    await waitForRevision(FILLED_DATASETS.length);
  });
});
