import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { StoreUnavailableError } from '../../../src/store/open-store.ts';
import { retryUntil } from '../../support/eventually.ts';
import { quote } from '../../support/quote-fixture.ts';
import { NOTICE_TIMEOUT_MS, publication, readOther, useServedFile } from './served-file.ts';

setDefaultTimeout(120_000);

const served = useServedFile();
const { replace, listSymbols, readFaults } = served;

describe('a publisher whose database file is replaced before it commits', () => {
  test.each<[string, () => Promise<void> | void]>([
    ['replaced', async () => replace(await readOther())],
    ['removed', () => rmSync(served.store.path)],
  ])('publishes nothing and says so: %s', async (_, change) => {
    const publisher = served.store.publisher();
    const published = publisher.transaction(async (transaction) => {
      await publishRecords(transaction, { ...publication, records: [quote({ symbol: 'LOST' })] });
      await change();
    });
    await expect(published).rejects.toThrow(StoreUnavailableError);
    await expect(published).rejects.toThrow(/was replaced or removed; nothing was published/);
    publisher.close();
    if (!existsSync(served.store.path)) return;
    await retryUntil(NOTICE_TIMEOUT_MS, async () => {
      expect(await listSymbols()).toEqual(['OTHER']);
    });
    expect(await readFaults()).toEqual([]);
  });
});
