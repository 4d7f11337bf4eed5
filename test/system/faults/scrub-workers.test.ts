import { expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { ensurePrivateFolder, getPrivateFolder } from '../../../src/shared/database-folders.ts';
import { retryUntil } from '../../support/eventually.ts';
import { quote } from '../../support/quote-fixture.ts';
import { createDatabaseFile } from '../../support/store.ts';
import {
  findLiveWorkers,
  isLinux,
  readLog,
  requestFromAllWorkers,
  useWorkerServers,
} from '../../support/workers.ts';

setDefaultTimeout(120_000);

/** A scrub of a small database takes a second or two; on a busy machine a test waits longer. */
const SCRUB_TIMEOUT_MS = 60_000;
/** Another dataset. */
const SERIES = '/3.0/alternate/atm-transactions-annual-volume';

const { start, file } = useWorkerServers();

test.skipIf(!isLinux)(
  'of several workers one scrubs, another takes over when it dies, and all know what was found',
  async () => {
    const bytes = await createDatabaseFile(async (database) => {
      const publisher = database.publisher();
      const publication = { dataset: quotes, source: 'test', author: 'test' };
      await publishRecords(publisher, { ...publication, records: [quote({})] });
      publisher.close();
    });
    // Changes a price in a way that only its checksum shows.
    const field = '"lastPrice":';
    const buffer = Buffer.from(bytes.buffer);
    buffer.write('7', buffer.indexOf(field) + field.length);
    writeFileSync(file('x.db'), bytes);
    ensurePrivateFolder(getPrivateFolder(file('x.db')));
    const running = await start({ SCRUB_INTERVAL: '1s' });
    const expectDamaged = async () => {
      for (const { body } of await requestFromAllWorkers(running, '/ready'))
        expect(JSON.parse(body)).toMatchObject({
          reasons: ['data_damaged'],
          damaged: ['ledger', 'quotes'],
        });
      for (const { status } of await requestFromAllWorkers(running, '/2.0/bnb/quote'))
        expect(status).toBe(503);
      for (const { status } of await requestFromAllWorkers(running, SERIES))
        expect(status).toBe(200);
    };
    await retryUntil(SCRUB_TIMEOUT_MS, expectDamaged);
    // The first worker that was started is the one that scrubs.
    const [first = 0] = findLiveWorkers(running);
    process.kill(first, 'SIGKILL');
    await retryUntil(SCRUB_TIMEOUT_MS, async () =>
      expect(findLiveWorkers(running)).toHaveLength(2),
    );
    const before = readLog(running, 'scrub.finished').length;
    await retryUntil(SCRUB_TIMEOUT_MS, async () =>
      expect(readLog(running, 'scrub.finished').length).toBeGreaterThan(before),
    );
    await expectDamaged();
  },
);
