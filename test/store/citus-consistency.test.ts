import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { explainMissingCitus } from '../support/citus.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { createCitusStore, type TestStore } from '../support/store.ts';

const [FIRST_DAY, LAST_DAY] = ['2024-01-02', '2024-01-03'];
const SYMBOLS = Array.from({ length: 40 }, (_, index) => `S${index}`);
const REVISIONS = 30;

/** The volume of quotes of the last day is the revision; odd revisions have one more symbol. */
function buildRecords(revision: number): Quote[] {
  const buildQuote = (date: string, volume: number) => (symbol: string) =>
    quote({ date, symbol, isin: `I${symbol}`, type: 'bond', volume });
  const symbols = revision % 2 === 0 ? SYMBOLS : [...SYMBOLS, 'ODD'];
  return [...SYMBOLS.map(buildQuote(FIRST_DAY, 0)), ...symbols.map(buildQuote(LAST_DAY, revision))];
}

const getCount = (revision: number) => SYMBOLS.length + (revision % 2);

let store: TestStore;
beforeAll(async () => {
  if (!explainMissingCitus()) store = await createCitusStore();
}, 120_000);
afterAll(() => store?.remove());

describe.skipIf(explainMissingCitus() !== undefined)('a cluster during publications', () => {
  test('gives responses whose records are all of one revision', async () => {
    await store.publish(quotes, buildRecords(1));
    const reader = store.reader();
    let isFinished = false;
    const counts: Record<string, number> = {};
    const runQueries = async (names: readonly string[]) => {
      while (!isFinished) {
        for (const name of names) {
          await QUERIES[name]?.(reader);
          counts[name] = (counts[name] ?? 0) + 1;
        }
      }
    };
    const names = Object.keys(QUERIES);
    // Each starts with another query, so that different ones run at the same time.
    const readers = [0, 3, 6].map((index) =>
      runQueries([...names.slice(index), ...names.slice(0, index)]),
    );
    const publisher = store.publisher();
    try {
      for (let revision = 2; revision <= REVISIONS; revision++) {
        const change = { dataset: quotes, source: 'test', author: 'test', replace: true };
        const result = await publishRecords(publisher, {
          ...change,
          records: buildRecords(revision),
        });
        expect(result).toMatchObject({ revision, corrected: SYMBOLS.length });
        // A publication can be read at once.
        expect((await reader.read({ ...ALL, limit: 1 })).revision).toBe(revision);
      }
    } finally {
      isFinished = true;
      await Promise.all(readers);
      publisher.close();
      reader.close();
    }
    for (const name of names) expect([name, counts[name]]).not.toEqual([name, undefined]);
  }, 180_000);
});

const ALL = { kind: 'quotes', dataset: quotes, limit: 1_000 } as const;

/** Queries with their expectations. */
const QUERIES: Readonly<Record<string, (reader: StoreReader) => Promise<void>>> = {
  async snapshot(reader) {
    const { revision, records, total } = await reader.read({ ...ALL, includeTotal: true });
    expect(parseVolumes(records)).toEqual(Array(getCount(revision)).fill(revision));
    expect(total).toBe(getCount(revision));
  },
  async type(reader) {
    const { revision, records } = await reader.read({ ...ALL, type: 'bond' });
    expect(parseVolumes(records)).toEqual(Array(getCount(revision)).fill(revision));
  },
  async symbol(reader) {
    const { revision, records } = await reader.read({ ...ALL, security: 's7' });
    expect(parseVolumes(records)).toEqual([revision]);
  },
  async isin(reader) {
    const { revision, records } = await reader.read({ ...ALL, security: 'is8' });
    expect(parseVolumes(records)).toEqual([revision]);
  },
  async retired(reader) {
    const { revision, records } = await reader.read({ ...ALL, security: 'ODD' });
    expect(parseVolumes(records)).toEqual(revision % 2 === 0 ? [] : [revision]);
  },
  async history(reader) {
    const dateRange = [FIRST_DAY, LAST_DAY] as const;
    const { revision, records } = await reader.read({ ...ALL, dateRange, security: 'S9' });
    expect(parseVolumes(records)).toEqual([revision, 0]);
  },
  async pages(reader) {
    const dateRange = [FIRST_DAY, LAST_DAY] as const;
    const after = [LAST_DAY, 'S2'];
    const { revision, records } = await reader.read({ ...ALL, dateRange, after });
    const following = SYMBOLS.filter((symbol) => symbol > 'S2');
    expect(parseVolumes(records)).toEqual([
      ...following.map(() => revision),
      ...SYMBOLS.map(() => 0),
    ]);
  },
  async asOf(reader) {
    const asOf = Math.max(1, (await reader.revision()) - 1);
    const { revision, records } = await reader.read({ ...ALL, asOf });
    expect(revision).toBe(asOf);
    expect(parseVolumes(records)).toEqual(Array(getCount(asOf)).fill(asOf));
  },
  async securities(reader) {
    const { revision, entries } = await reader.securities(quotes);
    expect(entries).toHaveLength(getCount(revision));
  },
  async coverage(reader) {
    const { entries } = await reader.coverage([quotes]);
    const { count, first, last, lastRevision } = entries[0] ?? {};
    expect(count).toBe(SYMBOLS.length + getCount(lastRevision?.revision ?? 0));
    expect([first, last]).toEqual([FIRST_DAY, LAST_DAY]);
  },
  async changes(reader) {
    const revision = await reader.revision();
    if (revision === 1) return;
    const changes = await reader.changes(quotes, revision, 1_000);
    const counts = Object.groupBy(changes, ({ change }) => change);
    expect(counts.corrected).toHaveLength(SYMBOLS.length);
    expect(counts[revision % 2 === 0 ? 'retired' : 'added']).toHaveLength(1);
    expect(changes).toHaveLength(SYMBOLS.length + 1);
  },
  async everything(reader) {
    const texts = (await Array.fromAsync(reader.records(quotes))).flat();
    const volumes = parseVolumes(texts.join(','));
    const [revision = 0] = volumes;
    expect(volumes).toEqual([...Array(getCount(revision)).fill(revision), ...SYMBOLS.map(() => 0)]);
  },
};

function parseVolumes(records: string): number[] {
  return (JSON.parse(`[${records}]`) as Quote[]).map(({ volume }) => volume);
}
