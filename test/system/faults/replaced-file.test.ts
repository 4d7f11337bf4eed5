import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { catalogue } from '../../../src/catalogue/index.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { backUpStore, openStore } from '../../../src/store/open-store.ts';
import { copyDatabase } from '../../support/copy-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { quote } from '../../support/quote-fixture.ts';
import { createEventReader } from '../../support/read-events.ts';
import { buildEnvironment, COMMAND } from '../../support/run-tenor.ts';
import { checkpoint, FILLED_DATASETS, writePrivateKeys } from '../../support/store.ts';
import { NOTICE_TIMEOUT_MS, publication, readOther, useServedFile } from './served-file.ts';

setDefaultTimeout(120_000);

const served = useServedFile();
const {
  replace,
  publish,
  countEvents,
  listSymbols,
  waitForRevision,
  waitForUnavailable,
  readFaults,
} = served;

describe('a database file that is replaced under a running server', () => {
  test('by another database is answered from, and cursors of the first one are rejected', async () => {
    const first = await served.server.request('/2.0/bnb/quotes?from=2000-01-01&limit=1');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toContain('cursor=');
    expect((await served.server.request(next)).status).toBe(200);
    const events = createEventReader((await served.server.request('/events')).body);
    const other = await readOther();
    writePrivateKeys(other, served.store.path);
    replace(other);
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      expect(served.server.events).toContainEqual({ event: 'store.replaced', revision: 1 });
    });
    // Revisions start anew: whoever follows them has to as well.
    expect(await events.nextEvent()).toBeUndefined();
    expect(await listSymbols()).toEqual(['OTHER']);
    expect((await served.server.request(next)).status).toBe(400);
    expect(await (await served.server.request('/exports/quotes.csv')).text()).toContain('OTHER');
    await publish('LATER');
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      expect(await listSymbols()).toEqual(['LATER', 'OTHER']);
    });
    expect(countEvents('store.replaced')).toBe(1);
  });

  test('by an older copy of itself is answered from, whatever was cached of the newer one', async () => {
    const older = readFileSync(served.store.path);
    const { length } = FILLED_DATASETS;
    await publish('NEWER');
    checkpoint(served.store.path);
    await waitForRevision(length + 1);
    replace(older);
    await waitForRevision(length);
    expect(await listSymbols()).not.toContain('NEWER');
    await publish('OTHERWISE');
    await waitForRevision(length + 1);
    expect(await listSymbols()).toContain('OTHERWISE');
  });

  test('beside its write-ahead log loses nothing: the log is moved aside and not applied', async () => {
    const older = readFileSync(served.store.path);
    const { length } = FILLED_DATASETS;
    await publish('ONLY IN THE LOG');
    await waitForRevision(length + 1);
    const log = readFileSync(`${served.store.path}-wal`);
    expect(log.length).toBeGreaterThan(0);
    replace(older);
    await waitForRevision(length);
    expect(readFileSync(`${served.store.path}-wal.replaced`).equals(log)).toBe(true);
    expect(await readFaults()).toEqual([]);
  });

  test('by a copy over it in place is answered from', async () => {
    const older = readFileSync(served.store.path);
    const { length } = FILLED_DATASETS;
    await publish('NEWER');
    checkpoint(served.store.path);
    await waitForRevision(length + 1);
    writeFileSync(served.store.path, older);
    await waitForRevision(length);
    expect(countEvents('store.replaced')).toBe(1);
  });

  test('by a newer copy of it over it in place is answered from', async () => {
    const { length } = FILLED_DATASETS;
    await waitForRevision(length);
    const copy = `${served.store.path}.newer`;
    copyDatabase(served.store.path, copy);
    const newer = await openStore(`sqlite:${copy}`, catalogue);
    const publisher = newer.publisher();
    await publishRecords(publisher, { ...publication, records: [quote({ symbol: 'NEWER' })] });
    publisher.close();
    checkpoint(copy);
    writeFileSync(served.store.path, readFileSync(copy));
    await waitForRevision(length + 1);
    expect(await listSymbols()).toContain('NEWER');
    expect(countEvents('store.replaced')).toBe(1);
  });

  test('by a backup over it in place is never mixed with its log: 503 until a restart', async () => {
    const { length } = FILLED_DATASETS;
    const backup = `${served.store.path}.backup`;
    await backUpStore(
      served.store.url,
      catalogue,
      { file: backup, canReplace: false },
      async () => {},
    );
    const bytes = readFileSync(backup);
    for (const symbol of ['ONLY', 'IN', 'THE', 'LOG']) await publish(symbol);
    await waitForRevision(length + 4);
    writeFileSync(served.store.path, bytes);
    await waitForUnavailable();
    const message = expect.stringContaining('was overwritten beside its write-ahead log');
    expect(served.server.events).toContainEqual({ event: 'store.lost', cause: message });
    const { stdout } = Bun.spawnSync([...COMMAND, 'check', '--json'], {
      env: buildEnvironment({ DATABASE_URL: served.store.url }),
    });
    expect(JSON.parse(stdout.toString())).toMatchObject({ revisions: length, faultCount: 0 });
    replace(bytes);
    await waitForRevision(length);
  });

  test('by its own checkpoints is the same database', async () => {
    for (const symbol of ['A', 'B', 'C']) {
      await publish(symbol);
      checkpoint(served.store.path);
      await waitForRevision(
        (await served.store.query('SELECT max(revision) AS n FROM revisions'))[0]?.n as number,
      );
    }
    expect(countEvents('store.replaced')).toBe(0);
  });
});
