import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatDay } from '../../src/calendar.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { checkDatabase } from '../../src/publish/check/check-database.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { spawnTenor } from '../support/run-tenor.ts';
import { createTempFolder } from '../support/store.ts';

const DAYS = 25;
const SECURITIES = 400;
const PATIENCE_MS = 180_000;

let folder: string;
let before: string;
let file: string;
let old: State;
let renewed: State;
let wholeMs: number;

beforeAll(async () => {
  folder = createTempFolder();
  before = join(folder, 'before.db');
  file = join(folder, 'correction.csv');
  const market = (days: number, price: (at: number) => number) =>
    Array.from({ length: days * SECURITIES }, (_, index) => quoteAt(index, price(index)));
  const store = await openStore(`sqlite:${before}`, catalogue);
  const publisher = store.publisher();
  const records = market(DAYS, () => 100);
  await publishRecords(publisher, { dataset: quotes, records, source: 'first', author: 'test' });
  publisher.close();
  checkpoint(before);
  // Every other quote is corrected, and there is one more day.
  writeFileSync(file, csvOf(market(DAYS + 1, (at) => 100 + (at % 2))));
  old = await stateOf(store);
  const whole = loading();
  expect(await whole.child.exited).toBe(0);
  wholeMs = whole.elapsedMs();
  renewed = await stateOf(await whole.store());
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a load that is killed', () => {
  test(
    'at any of 50 instants leaves the old revision or the new one, exactly',
    async () => {
      const seed = Date.now() % 2 ** 31;
      const outcomes = new Set<State>();
      for (const instantMs of instants(seed)) {
        const { child, store } = loading();
        if (instantMs === 'after its end') await child.exited;
        else await Promise.race([Bun.sleep(instantMs), child.exited]);
        child.kill('SIGKILL');
        await child.exited;
        const found = await stateOf(await store());
        const expected = found.revisions === 1 ? old : renewed;
        outcomes.add(expected);
        expect({ seed, instantMs, ...found }).toEqual({ seed, instantMs, ...expected });
        await expectUsable(await store());
      }
      expect(outcomes).toEqual(new Set([old, renewed]));
    },
    PATIENCE_MS,
  );
});

describe('a load that is interrupted', () => {
  test(
    'says so in one line with status 130, and leaves the old revision whole',
    async () => {
      // Before it begins there is nothing to give up, and at its end there is no way back.
      const parts = [0.5, 0.6, 0.4, 0.7, 0.3, 0.8];
      for (const part of [...parts, ...parts, ...parts]) {
        const instantMs = wholeMs * part;
        const { child, store, err } = loading();
        await Bun.sleep(instantMs);
        child.kill('SIGINT');
        const status = await child.exited;
        const message = await err();
        const found = { instantMs, status, message, ...(await stateOf(await store())) };
        if (status === 0) {
          expect(found).toEqual({ instantMs, status, message: '', ...renewed });
          continue;
        }
        const told = message === '' ? '' : 'tenor: interrupted; nothing was published\n';
        expect(found).toEqual({ instantMs, status: 130, message: told, ...old });
        if (message !== '') return;
      }
      throw new Error(`no instant up to ${wholeMs} ms was one in which a load could be given up`);
    },
    PATIENCE_MS,
  );
});

/** All that a database holds of quotes and its ledger, and what the check finds wrong. */
interface State {
  readonly revisions: number;
  readonly ledger: unknown;
  readonly records: number;
  readonly digest: string;
  readonly past: string;
  readonly faults: readonly string[];
}

async function stateOf(store: Store): Promise<State> {
  const reader = store.reader();
  const ledger = await reader.revisions();
  const [records, digest] = await digestOf(reader.records(quotes));
  const [, past] = await digestOf(reader.records(quotes, 1));
  reader.close();
  const inspector = store.inspector();
  const { faults } = await checkDatabase(inspector, catalogue);
  inspector.close();
  const told = ledger.map(({ publishedAt: _, ...rest }) => rest);
  return { revisions: ledger.length, ledger: told, records, digest, past, faults };
}

async function digestOf(batches: AsyncIterable<readonly string[]>): Promise<[number, string]> {
  const hasher = new Bun.CryptoHasher('sha256');
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    for (const text of batch) hasher.update(text);
  }
  return [count, hasher.digest('hex')];
}

/** What comes next goes through as if nothing had happened. */
async function expectUsable(store: Store): Promise<void> {
  const publisher = store.publisher();
  const [last] = await publisher.revisions();
  const records = [quoteAt(0, 77)];
  const about = { dataset: quotes, records, source: 'next', author: 'test' };
  expect(await publishRecords(publisher, about)).toMatchObject({
    revision: (last?.revision ?? 0) + 1,
    corrected: 1,
  });
  publisher.close();
}

/** Brings all of a database into its file, so that a copy of the file is one of the database. */
function checkpoint(path: string): void {
  using database = new Database(path);
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
}

let loads = 0;

/** Starts the command on a copy of the database. */
function loading() {
  const path = join(folder, `${loads++}.db`);
  copyFileSync(before, path);
  const url = `sqlite:${path}`;
  const startedMs = performance.now();
  const child = spawnTenor(['load', 'quotes', file], { DATABASE_URL: url });
  return {
    child,
    elapsedMs: () => performance.now() - startedMs,
    store: () => openStore(url, catalogue),
    err: () => new Response(child.stderr).text(),
  };
}

/** From the very start to after the end; half of them where the revision lands. */
function instants(seed: number): (number | 'after its end')[] {
  const parts = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { seed, numRuns: 48 });
  const between = parts.map((part, index) => wholeMs * (index % 2 ? part : 0.75 + 0.25 * part));
  return [0, ...between, 'after its end'];
}

function quoteAt(at: number, lastPrice: number): Quote {
  const symbol = `Z${String(at % SECURITIES).padStart(4, '0')}`;
  return quote({ date: formatDay(20_000 + Math.floor(at / SECURITIES)), symbol, lastPrice });
}

function csvOf(records: readonly Quote[]): string {
  const names = Object.keys(quotes.fields) as (keyof Quote)[];
  const lines = records.map((record) => names.map((name) => record[name]).join(','));
  return [names.join(','), ...lines, ''].join('\n');
}
