import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { formatDay, parseDay } from '../../../src/shared/calendar.ts';
import { dumpTables } from '../../support/dump-tables.ts';
import { retryUntil } from '../../support/eventually.ts';
import { generateQuotes } from '../../support/generate-quotes.ts';
import { runTenor, spawnTenor, startTenorServer } from '../../support/run-tenor.ts';
import { createStore, createTempFolder, REPETITIONS } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';

setDefaultTimeout(600_000);

const KILLS = 10 * REPETITIONS;
const SECURITIES = 100;
const FIRST_DAY = parseDay('2025-01-01');
const FIRST_DAYS = 300;
/** A follower listens about then; a large revision takes longer to apply. */
const MAX_LIFE_MS = 2_000;

let source: TestServer;
let folder: string;
beforeAll(async () => {
  source = await startTestServer(await createStore());
  await publishDays(0, FIRST_DAYS);
  folder = createTempFolder();
});
afterAll(async () => {
  await source.stop();
  rmSync(folder, { recursive: true });
});

async function publishDays(first: number, count: number, volume = 1): Promise<void> {
  const days = Array.from({ length: count }, (_, day) => formatDay(FIRST_DAY + first + day));
  const records = generateQuotes(days, SECURITIES).map((record) => ({ ...record, volume }));
  await source.store.publish(quotes, records);
}

test(`a follower that is killed ${KILLS} times has what its source has, and no fault`, async () => {
  const DATABASE_URL = `sqlite:${join(folder, 'own.db')}`;
  const settings = { FOLLOW: source.address, FOLLOW_TOKEN: TOKEN, DATABASE_URL, PORT: '0' };
  let newest = 1;
  for (let kill = 0; kill < KILLS; kill++) {
    const follower = spawnTenor(['serve'], settings);
    // A day and a correction of the one before, while it starts or follows.
    await publishDays(FIRST_DAYS + kill, 1);
    await publishDays(FIRST_DAYS + kill - 1, 1, kill + 2);
    newest += 2;
    await Bun.sleep(Math.random() * MAX_LIFE_MS);
    follower.kill('SIGKILL');
    await follower.exited;
  }
  const server = await startTenorServer(settings);
  await retryUntil(60_000, async () => {
    const ready = await (await fetch(`${server.address}/ready`)).json();
    expect(ready).toMatchObject({ revision: newest, follow: { state: 'following' } });
  });
  await server.stop();
  const check = await runTenor(['check'], { DATABASE_URL });
  expect([check.status, check.err]).toEqual([0, '']);
  const [own, expected] = [await dumpTables(DATABASE_URL), await dumpTables(source.store.url)];
  for (const [table, rows] of Object.entries(expected))
    if (!/^(secrets|ledger_signers|tokens|links|sqlite_)/.test(table))
      expect([table, own[table]]).toEqual([table, rows]);
});
