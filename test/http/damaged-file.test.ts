import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { LogEvent } from '../../src/event-log.ts';
import { RequestMetrics } from '../../src/http/pipeline/request-metrics.ts';
import { ReplaceableDatabase } from '../../src/http/server/replaceable-database.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { openStore } from '../../src/store/open-store.ts';
import { retryUntil } from '../support/eventually.ts';
import { startServingInProcess } from '../support/start-thread-in-process.ts';
import { checkpoint, createFilledStore, type SqliteTestStore } from '../support/store.ts';
import { SERVER_SETTINGS, TOKEN } from '../support/test-server.ts';

setDefaultTimeout(120_000);

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
  const replaceable = await ReplaceableDatabase.open(store, {
    catalogue,
    metrics: new RequestMetrics(),
    emit() {},
    reportAllocatedBytes() {},
    scrubber: { restart() {}, suspect() {} },
    eventStreams: { restart() {} },
  });
  damageQuotes();
  await expect(store.reopen()).rejects.toThrow('are damaged; restore it');
  replaceable.setDamaged(['funds', 'quotes']);
  const before = replaceable.database;
  replaceable.setDamaged(['quotes']);
  await replaceable.reopenIfReplaced();
  const { damage, reader } = replaceable.database;
  expect(replaceable.database).not.toBe(before);
  expect([damage.covers(['funds']), damage.covers(['quotes'])]).toEqual([false, true]);
  expect(await reader.revision()).toBeGreaterThan(0);
  await replaceable.close();
});

test('a worker starts on a file that was damaged since its server has started', async () => {
  damageQuotes();
  await expect(open(false)).rejects.toThrow('are damaged; restore it');
  const reader = (await open(true)).reader();
  expect(await reader.revision()).toBeGreaterThan(0);
  reader.close();
});

test.each(['/catalogue', '/revisions/N'])(
  'a read of %s that fails damages no dataset but the one that is damaged',
  async (path) => {
    const revision = await findRevision();
    damageQuotes();
    const events: LogEvent[] = [];
    const settings = { ...SERVER_SETTINGS, scrubInterval: null };
    const emit = (event: LogEvent) => events.push(event);
    const server = await startServer({
      store,
      catalogue,
      settings,
      emit,
      startThread: startServingInProcess,
    });
    const getStatus = async (target: string) => {
      const headers = { Authorization: `Bearer ${TOKEN}` };
      return (await fetch(`${server.address}${target}`, { headers })).status;
    };
    expect(await getStatus(path.replace('N', `${revision}`))).toBe(503);
    expect(await getStatus('/exports/funds.csv')).toBe(200);
    await retryUntil(30_000, async () =>
      expect(events.map(({ event }) => event)).toContain('scrub.finished'),
    );
    const told = events.flatMap((event) => (event.event === 'store.damaged' ? event.datasets : []));
    expect(told.toSorted()).toEqual(['ledger', 'quotes']);
    expect(await getStatus('/exports/funds.csv')).toBe(200);
    expect(await getStatus('/2.0/bnb/quotes')).toBe(503);
    await server.stop();
  },
);

async function findRevision(): Promise<number> {
  const reader = store.reader();
  const [newest] = await reader.revisions({ datasets: [quotes.name], before: Infinity, limit: 1 });
  reader.close();
  return newest?.revision ?? 0;
}
