import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { explainMissingCitus } from '../support/citus.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { createCitusStore, type TestStore } from '../support/store.ts';

const [FIRST, DAY] = ['2024-01-02', '2024-01-03'];
const SYMBOLS = Array.from({ length: 40 }, (_, index) => `S${index}`);
const REVISIONS = 30;

/** All quotes of a day say which revision they are of, and every other revision has one more. */
function recordsOf(revision: number): Quote[] {
  const on = (date: string, volume: number) => (symbol: string) =>
    quote({ date, symbol, isin: `I${symbol}`, type: 'bond', volume });
  const symbols = revision % 2 === 0 ? SYMBOLS : [...SYMBOLS, 'ODD'];
  return [...SYMBOLS.map(on(FIRST, 0)), ...symbols.map(on(DAY, revision))];
}

const countOf = (revision: number) => SYMBOLS.length + (revision % 2);

let store: TestStore;
beforeAll(async () => {
  if (!explainMissingCitus()) store = await createCitusStore();
}, 120_000);
afterAll(() => store?.remove());

describe.skipIf(explainMissingCitus() !== undefined)('while a cluster is published to', () => {
  test('every answer is wholly of the revision that it names', async () => {
    await store.publish(quotes, recordsOf(1));
    const reader = store.reader();
    let isFinished = false;
    const asked: Record<string, number> = {};
    const reading = async (kinds: readonly string[]) => {
      while (!isFinished) {
        for (const kind of kinds) {
          await KINDS[kind]?.(reader);
          asked[kind] = (asked[kind] ?? 0) + 1;
        }
      }
    };
    const names = Object.keys(KINDS);
    // Each begins with another kind, so that any two are under way together.
    const readers = [0, 3, 6].map((at) => reading([...names.slice(at), ...names.slice(0, at)]));
    const publisher = store.publisher();
    try {
      for (let revision = 2; revision <= REVISIONS; revision++) {
        const about = { dataset: quotes, source: 'test', author: 'test', replace: true };
        const made = await publishRecords(publisher, { ...about, records: recordsOf(revision) });
        expect(made).toMatchObject({ revision, corrected: SYMBOLS.length });
        // What is published can be read at once.
        expect((await reader.read({ ...ALL, limit: 1 })).revision).toBe(revision);
      }
    } finally {
      isFinished = true;
      await Promise.all(readers);
      publisher.close();
      reader.close();
    }
    for (const kind of names) expect([kind, asked[kind]]).not.toEqual([kind, undefined]);
  }, 180_000);
});

const ALL = { kind: 'quotes', dataset: quotes, limit: 1_000 } as const;

/** What can be asked, each with what must hold of the answer. */
const KINDS: Readonly<Record<string, (reader: StoreReader) => Promise<void>>> = {
  async snapshot(reader) {
    const { revision, records, total } = await reader.read({ ...ALL, includeTotal: true });
    expect(volumesIn(records)).toEqual(Array(countOf(revision)).fill(revision));
    expect(total).toBe(countOf(revision));
  },
  async type(reader) {
    const { revision, records } = await reader.read({ ...ALL, type: 'bond' });
    expect(volumesIn(records)).toEqual(Array(countOf(revision)).fill(revision));
  },
  async symbol(reader) {
    const { revision, records } = await reader.read({ ...ALL, security: 's7' });
    expect(volumesIn(records)).toEqual([revision]);
  },
  async isin(reader) {
    const { revision, records } = await reader.read({ ...ALL, security: 'is8' });
    expect(volumesIn(records)).toEqual([revision]);
  },
  async gone(reader) {
    const { revision, records } = await reader.read({ ...ALL, security: 'ODD' });
    expect(volumesIn(records)).toEqual(revision % 2 === 0 ? [] : [revision]);
  },
  async history(reader) {
    const dateRange = [FIRST, DAY] as const;
    const { revision, records } = await reader.read({ ...ALL, dateRange, security: 'S9' });
    expect(volumesIn(records)).toEqual([revision, 0]);
  },
  async pages(reader) {
    const dateRange = [FIRST, DAY] as const;
    const after = { date: DAY, symbol: 'S2' };
    const { revision, records } = await reader.read({ ...ALL, dateRange, after });
    const behind = SYMBOLS.filter((symbol) => symbol > 'S2');
    expect(volumesIn(records)).toEqual([...behind.map(() => revision), ...SYMBOLS.map(() => 0)]);
  },
  async past(reader) {
    const asOf = Math.max(1, (await reader.revision()) - 1);
    const { revision, records } = await reader.read({ ...ALL, asOf });
    expect(revision).toBe(asOf);
    expect(volumesIn(records)).toEqual(Array(countOf(asOf)).fill(asOf));
  },
  async securities(reader) {
    const { revision, entries } = await reader.securities(quotes);
    expect(entries).toHaveLength(countOf(revision));
  },
  async coverage(reader) {
    const { entries } = await reader.coverage([quotes]);
    const { count, first, last, lastRevision } = entries[0] ?? {};
    expect(count).toBe(SYMBOLS.length + countOf(lastRevision?.revision ?? 0));
    expect([first, last]).toEqual([FIRST, DAY]);
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
    const texts: string[] = [];
    for await (const batch of reader.records(quotes)) texts.push(...batch);
    const volumes = volumesIn(texts.join(','));
    const [revision = 0] = volumes;
    expect(volumes).toEqual([...Array(countOf(revision)).fill(revision), ...SYMBOLS.map(() => 0)]);
  },
};

function volumesIn(records: string): number[] {
  return (JSON.parse(`[${records}]`) as Quote[]).map(({ volume }) => volume);
}
