import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { catalogue } from '../../src/catalogue/index.ts';
import { RequestMetrics } from '../../src/http/pipeline/request-metrics.ts';
import { FollowedDatabase } from '../../src/http/server/followed-database.ts';
import { openStore } from '../../src/store/open-store.ts';
import { checkpoint, createFilledStore, type SqliteTestStore } from '../support/store.ts';

setDefaultTimeout(60_000);

const PAGE_BYTES = 8_192;

let store: SqliteTestStore;
beforeEach(async () => {
  store = await createFilledStore();
  checkpoint(store.path);
});
afterEach(() => store.remove());

/** Makes the table of quotes and its indexes unreadable. */
function damageQuotes(): void {
  using database = new Database(store.path, { readonly: true });
  const sql = "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'quotes_now'";
  const roots = database.query<unknown, []>(sql).values().flat().map(Number);
  const bytes = readFileSync(store.path);
  for (const root of roots) bytes.fill(0xff, (root - 1) * PAGE_BYTES, root * PAGE_BYTES);
  writeFileSync(store.path, bytes);
}

const open = (isServed: boolean) =>
  openStore(store.url, catalogue, { preparation: 'none', isServed });

test('a file that is damaged in part stays attached when less is damaged than was thought', async () => {
  const followed = await FollowedDatabase.open(store, {
    ...{ catalogue, metrics: new RequestMetrics(), emit() {}, reportAllocatedBytes() {} },
    ...{
      scrubber: { restart() {}, noteRead() {}, suspect() {} },
      eventStreams: { restart() {} },
    },
  });
  damageQuotes();
  await expect(store.reopen()).rejects.toThrow('malformed');
  followed.setDamaged(['funds', 'quotes']);
  const before = followed.data;
  followed.setDamaged(['quotes']);
  await followed.follow();
  const { damage, reader } = followed.data;
  expect(followed.data).not.toBe(before);
  expect([damage.covers(['funds']), damage.covers(['quotes'])]).toEqual([false, true]);
  expect(await reader.revision()).toBeGreaterThan(0);
  await followed.close();
});

test('a worker starts on a file that was damaged since its server has started', async () => {
  damageQuotes();
  await expect(open(false)).rejects.toThrow('malformed');
  const reader = (await open(true)).reader();
  expect(await reader.revision()).toBeGreaterThan(0);
  reader.close();
});
