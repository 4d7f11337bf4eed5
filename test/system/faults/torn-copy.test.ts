import { expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { openInspector, openStore } from '../../../src/store/open-store.ts';
import { generateQuotes } from '../../support/generate-quotes.ts';
import { checkpoint, createStore, createTempFolder } from '../../support/store.ts';

const PAGE_BYTES = 8_192;
const CUTS = 60;

/** What opening a copy and then checking all of it finds. */
async function judgeCopy(path: string): Promise<'rejected' | 'sound' | 'missed'> {
  const url = `sqlite:${path}`;
  try {
    await openStore(url, catalogue, { preparation: 'none' });
  } catch {
    return 'rejected';
  }
  const inspector = await openInspector(url, catalogue);
  try {
    return (await checkDatabase(inspector, catalogue)).faultCount === 0 ? 'sound' : 'missed';
  } catch {
    return 'missed';
  } finally {
    inspector.close();
  }
}

test('nine of ten copies that were torn by a checkpoint are rejected when they are opened', async () => {
  const store = await createStore();
  const publish = async (day: string) => {
    await store.publish(quotes, generateQuotes([day], 300));
    checkpoint(store.path);
    return readFileSync(store.path);
  };
  await publish('2026-06-01');
  const [before, after] = [await publish('2026-06-02'), await publish('2026-06-03')];
  await store.remove();

  const folder = createTempFolder();
  const path = join(folder, 'copy.db');
  const counts = { rejected: 0, sound: 0, missed: 0 };
  const pages = after.length / PAGE_BYTES;
  for (let index = 1; index <= CUTS; index++) {
    const cut = Math.floor((pages * index) / (CUTS + 1)) * PAGE_BYTES;
    for (const [first, second] of [
      [before, after],
      [after, before],
    ] as const) {
      writeFileSync(path, Buffer.concat([first.subarray(0, cut), second.subarray(cut)]));
      counts[await judgeCopy(path)]++;
      for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    }
  }
  rmSync(folder, { recursive: true });
  expect(counts.rejected).toBeGreaterThan(0);
  expect(counts.rejected / (counts.rejected + counts.missed)).toBeGreaterThan(0.9);
}, 120_000);
