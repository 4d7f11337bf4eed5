import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { checkDatabase } from '../../../src/publish/check/check-database.ts';
import { publishRecords } from '../../../src/publish/publish-records.ts';
import { formatDay } from '../../../src/shared/calendar.ts';
import { openStore, type Store } from '../../../src/store/open-store.ts';
import { copyDatabase } from '../../support/copy-store.ts';
import { type Quote, quote } from '../../support/quote-fixture.ts';
import { spawnTenor } from '../../support/run-tenor.ts';
import { checkpoint, createTempFolder, REPETITIONS } from '../../support/store.ts';

const DAYS = 8;
const SECURITIES = 400;
const TIMEOUT_MS = 180_000;

let folder: string;
let initialFile: string;
let file: string;
let oldState: State;
let newState: State;
let loadMs: number;

beforeAll(async () => {
  folder = createTempFolder();
  initialFile = join(folder, 'initial.db');
  file = join(folder, 'correction.csv');
  const market = (days: number, price: (index: number) => number) =>
    Array.from({ length: days * SECURITIES }, (_, index) => buildQuote(index, price(index)));
  const store = await openStore(`sqlite:${initialFile}`, catalogue);
  const publisher = store.publisher();
  const records = market(DAYS, () => 100);
  await publishRecords(publisher, { dataset: quotes, records, source: 'first', author: 'test' });
  publisher.close();
  checkpoint(initialFile);
  // Every other quote is corrected, and there is one more day.
  writeFileSync(file, formatCsv(market(DAYS + 1, (index) => 100 + (index % 2))));
  oldState = await readState(store);
  const load = startLoad();
  expect(await load.child.exited).toBe(0);
  loadMs = load.elapsedMs();
  newState = await readState(await load.store());
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a load killed', () => {
  test(
    'at any of a dozen instants leaves exactly the old revision or the new one',
    async () => {
      const seed = Date.now() % 2 ** 31;
      const outcomes = new Set<State>();
      for (const instantMs of pickInstants(seed)) {
        const { child, store } = startLoad();
        if (instantMs === 'after its exit') await child.exited;
        else await Promise.race([Bun.sleep(instantMs), child.exited]);
        child.kill('SIGKILL');
        await child.exited;
        const state = await readState(await store());
        const expected = state.revisions === 1 ? oldState : newState;
        outcomes.add(expected);
        expect({ seed, instantMs, ...state }).toEqual({ seed, instantMs, ...expected });
        await expectUsable(await store());
      }
      expect(outcomes).toEqual(new Set([oldState, newState]));
    },
    TIMEOUT_MS,
  );
});

describe('a load interrupted', () => {
  test(
    'by SIGINT exits with status 130 and one line, and leaves the old revision as it was',
    async () => {
      // Before it begins there is nothing to give up, and at its end there is no way back.
      const fractions = [0.5, 0.6, 0.4, 0.7, 0.3, 0.8];
      let durationMs = loadMs;
      for (const fraction of [...fractions, ...fractions, ...fractions]) {
        const instantMs = durationMs * fraction;
        const { child, store, err } = startLoad();
        await Bun.sleep(instantMs);
        child.kill('SIGINT');
        const status = await child.exited;
        const message = await err();
        const state = { instantMs, status, message, ...(await readState(await store())) };
        if (status === 0) {
          expect(state).toEqual({ instantMs, status, message: '', ...newState });
          // The machine may be less busy than it was for the first load.
          durationMs = instantMs;
          continue;
        }
        const expected = message === '' ? '' : 'tenor: interrupted; nothing was published\n';
        expect(state).toEqual({ instantMs, status: 130, message: expected, ...oldState });
        if (message !== '') return;
      }
      throw new Error(`no instant up to ${loadMs} ms was one in which a load could be given up`);
    },
    TIMEOUT_MS,
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

async function readState(store: Store): Promise<State> {
  const reader = store.reader();
  const ledger = await reader.revisions();
  const [records, digest] = await hashRecords(reader.records(quotes));
  const [, past] = await hashRecords(reader.records(quotes, 1));
  reader.close();
  const inspector = store.inspector();
  const { faults } = await checkDatabase(inspector, catalogue);
  inspector.close();
  const entries = ledger.map(({ publishedAt: _, ...rest }) => rest);
  return { revisions: ledger.length, ledger: entries, records, digest, past, faults };
}

async function hashRecords(batches: AsyncIterable<readonly string[]>): Promise<[number, string]> {
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
  const records = [buildQuote(0, 77)];
  const change = { dataset: quotes, records, source: 'next', author: 'test' };
  expect(await publishRecords(publisher, change)).toMatchObject({
    revision: (last?.revision ?? 0) + 1,
    corrected: 1,
  });
  publisher.close();
}

let loadCount = 0;

/** Starts the command on a copy of the database. */
function startLoad() {
  const path = join(folder, `${loadCount++}.db`);
  copyDatabase(initialFile, path);
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

/** From the very start to after the exit; half of them near the commit. */
function pickInstants(seed: number): (number | 'after its exit')[] {
  // An integer, since most doubles that fast-check picks are next to 0.
  const percents = fc.sample(fc.integer({ min: 0, max: 100 }), { seed, numRuns: 10 * REPETITIONS });
  const instants = percents.map((percent, index) =>
    Math.round((loadMs / 100) * (index % 2 ? percent : 75 + percent / 4)),
  );
  return [0, ...instants, 'after its exit'];
}

function buildQuote(index: number, lastPrice: number): Quote {
  const symbol = `Z${String(index % SECURITIES).padStart(4, '0')}`;
  return quote({ date: formatDay(20_000 + Math.floor(index / SECURITIES)), symbol, lastPrice });
}

function formatCsv(records: readonly Quote[]): string {
  const names = Object.keys(quotes.fields) as (keyof Quote)[];
  const lines = records.map((record) => names.map((name) => record[name]).join(','));
  return [names.join(','), ...lines, ''].join('\n');
}
