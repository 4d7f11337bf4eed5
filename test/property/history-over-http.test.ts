import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume } from '../../src/catalogue/datasets/series/online-banking-annual-volume.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { type Quote, quote } from '../support/quote-fixture.ts';
import { getRaw } from '../support/raw-http.ts';
import { ENGINES, type TestStore } from '../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../support/test-server.ts';

const series = onlineBankingAnnualVolume;
const symbols = ['AAA', 'BBB', 'ZZ1'];
const isins = ['ZZ1', 'ZZ2'];
const days = ['2025-12-31', '2026-01-01', '2026-01-02', '2026-02-28'];
const types = ['tbill', 'bond', 'corporate'] as const;
const years = ['2021', '2022', '2023'];
const funds = ['fund-a', 'fund-b'];

/** A publication: records to put or to retire, so long after the one before. */
interface Publication {
  readonly dataset: Dataset;
  readonly records: readonly AnyRecord[];
  readonly retired: readonly AnyRecord[];
  readonly gapMs: number;
}

const number = fc.integer({ min: 1, max: 9 });
const anyQuote = fc
  .record({
    date: fc.constantFrom(...days),
    symbol: fc.constantFrom(...symbols),
    isin: fc.constantFrom(...isins),
    type: fc.constantFrom(...types),
    lastPrice: number,
  })
  .map((part): AnyRecord => quote(part));
const anyYear = fc
  .record({ year: fc.constantFrom(...years), total: number })
  .map((part): AnyRecord => ({ ...series.example, ...part }));
const anyFund = fc
  .record({ fund_id: fc.constantFrom(...funds), frequency: fc.constantFrom('Monthly', 'Weekly') })
  .map((part): AnyRecord => ({ ...fundAllocation.example, ...part }));

function publications(dataset: Dataset, record: fc.Arbitrary<AnyRecord>, maxLength: number) {
  const selector = (value: AnyRecord) => textKey(dataset, value);
  const touched = fc.uniqueArray(fc.tuple(record, fc.boolean()), {
    selector: ([value]) => selector(value),
    minLength: 1,
    maxLength,
  });
  // Often within one second: the whole second is what an HTTP date names.
  const gapMs = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 90_000 }));
  return fc.tuple(touched, gapMs).map(
    ([parts, gap]): Publication => ({
      dataset,
      records: parts.filter(([, put]) => put).map(([value]) => value),
      retired: parts.filter(([, put]) => !put).map(([value]) => value),
      gapMs: gap,
    }),
  );
}

const anyHistory = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: publications(quotes, anyQuote, 12) },
    { weight: 1, arbitrary: publications(series, anyYear, 3) },
    { weight: 1, arbitrary: publications(fundAllocation, anyFund, 2) },
  ),
  { minLength: 1, maxLength: 12 },
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyQuery = fc.record({
  symbol: maybe(fc.constantFrom(...symbols, ...isins, 'nobody')),
  type: maybe(fc.constantFrom(...types)),
  from: maybe(fc.constantFrom(...days.slice(0, 2))),
  to: maybe(fc.constantFrom(...days.slice(2))),
  limit: maybe(fc.integer({ min: 1, max: 8 })),
});
type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

/** What stood after a revision: every record by dataset and key. */
interface Standing {
  readonly revision: number;
  readonly atMs: number;
  readonly records: ReadonlyMap<string, AnyRecord>;
}

function textKey(dataset: Dataset, record: AnyRecord): string {
  return JSON.stringify([dataset.name, ...getKey(dataset, record)]);
}

/** The records of a dataset as they stood. */
function of({ records }: Standing, { name }: Dataset): AnyRecord[] {
  const mine = [...records].filter(([key]) => JSON.parse(key)[0] === name);
  return mine.map(([, record]) => record);
}

/** The contract's rules for quotes, for the parameters above. */
function expectedQuotes(standing: Standing, query: Query): AnyRecord[] {
  const { symbol, type, from, to, limit = 100 } = query;
  let found = of(standing, quotes) as unknown as Quote[];
  if (symbol) {
    const named = found.filter((record) => record.symbol === symbol);
    found = named.length > 0 ? named : found.filter((record) => record.isin === symbol);
  }
  found = found.filter((record) => !type || record.type === type);
  const newest = found.reduce((latest, { date }) => (date > latest ? date : latest), '');
  const [first, last] = from || to ? [from ?? '', to ?? '9'] : [newest, newest];
  return found
    .filter(({ date }) => date >= first && date <= last)
    .toSorted((a, b) => b.date.localeCompare(a.date) || (a.symbol < b.symbol ? -1 : 1))
    .slice(0, limit);
}

// The first who asks for a server waits until it has started.
setDefaultTimeout(60_000);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(engine, () => {
    test('any history is served as of every instant for every query', async () => {
      await fc.assert(
        fc.asyncProperty(
          anyHistory,
          fc.array(anyQuery, { minLength: 3, maxLength: 6 }),
          async (history, queries) => {
            const store = await createStore();
            const stood = await published(store, history);
            const service = await startTestServer(store);
            for (const [instant, standing] of instants(stood)) {
              const past = { 'accept-datetime': instant };
              const ask = async (target: string) => {
                const response = await service.request(target, past);
                const { revision, atMs } = standing;
                expect([instant, response.headers.get('tenor-revision')]).toEqual([
                  instant,
                  String(revision),
                ]);
                const memento = response.headers.get('memento-datetime');
                if (revision > 0) expect(memento).toBe(new Date(atMs).toUTCString());
                return response.json();
              };
              for (const query of queries) {
                const given = Object.entries(query).filter(([, value]) => value !== undefined);
                const search = new URLSearchParams(
                  given.map(([name, value]): [string, string] => [name, String(value)]),
                );
                expect(await ask(`/2.0/bnb/quote?${search}`)).toEqual({
                  status: 'ok',
                  data: expectedQuotes(standing, query),
                });
              }
              const newestYear = of(standing, series).toSorted((a, b) =>
                `${a.year}` < `${b.year}` ? 1 : -1,
              );
              expect(await ask(series.paths[0])).toEqual({ status: 'ok', data: newestYear });
              for (const id of funds) {
                const fund = of(standing, fundAllocation).find(({ fund_id }) => fund_id === id);
                expect(await ask(`${fundAllocation.paths[0]}?fund_id=${id}`)).toEqual(
                  fund
                    ? { status: 'ok', message: '', data: fund }
                    : { status: 'error', message: 'no_record_found' },
                );
              }
            }
            await service.stop();
          },
        ),
        { numRuns: scaleRuns(25) },
      );
    });

    let service: TestServer;
    beforeAll(async () => {
      const store = await createStore();
      await publishAt(store, '2026-05-01T00:00:00Z', quotes, { records: [quotes.example] });
      service = await startTestServer(store);
    });
    afterAll(() => service.stop());

    test('any Accept-Datetime gets 200 with a memento, or 400', async () => {
      const printable = fc
        .integer({ min: 0x20, max: 0x7e })
        .map((code) => String.fromCharCode(code));
      const right = fc.date({ min: new Date(0), noInvalidDate: true, max: new Date('9999-01-01') });
      const header = fc.oneof(
        fc.string({ unit: printable }),
        right.map((date) => date.toUTCString()),
        right.map((date) => date.toISOString()),
        // Near misses: one character of a right one replaced, but not the year's first, because what
        // tells right from wrong below takes the year 26 for 2026.
        fc
          .tuple(
            right,
            fc.nat(28).filter((place) => place !== 12),
            printable,
          )
          .map(([date, place, character]) => {
            const text = date.toUTCString();
            return text.slice(0, place) + character + text.slice(place + 1);
          }),
      );
      await fc.assert(
        fc.asyncProperty(header, async (value) => {
          const authorized = `Authorization: Bearer ${TOKEN}`;
          const line = `Accept-Datetime: ${value}`;
          const reply = await getRaw(service.address, '/2.0/bnb/quote', authorized, line);
          const sent = value.trim();
          const ms = Date.parse(sent);
          const texts = Number.isNaN(ms)
            ? []
            : [new Date(ms).toUTCString(), new Date(ms).toISOString()];
          expect([value, reply.status]).toEqual([value, texts.includes(sent) ? 200 : 400]);
          expect(reply.headers.has('memento-datetime')).toBe(reply.status === 200);
        }),
        { numRuns: scaleRuns(400) },
      );
      expect(service.events.some(({ event }) => event === 'request.failed')).toBe(false);
    });
  });
}

/** Publishes a history, and tells what stood after each revision: first of all, nothing. */
async function published(store: TestStore, history: readonly Publication[]): Promise<Standing[]> {
  const stood: Standing[] = [{ revision: 0, atMs: 0, records: new Map() }];
  let atMs = Date.parse('2026-05-01T00:00:00.000Z');
  for (const { dataset, records, retired, gapMs } of history) {
    atMs += gapMs;
    const before = stood.at(-1)?.records ?? new Map();
    const gone = retired.filter((record) => before.has(textKey(dataset, record)));
    const after = new Map(before);
    for (const record of records) after.set(textKey(dataset, record), record);
    for (const record of gone) after.delete(textKey(dataset, record));
    const keys = gone.map((record) => getKey(dataset, record));
    const revision = await publishAt(store, atMs, dataset, { records, retiredKeys: keys });
    if (revision) stood.push({ revision: revision.revision, atMs, records: after });
  }
  return stood;
}

/** Instants at, just before and just after every revision, as texts, with what stood then. */
function instants(stood: readonly Standing[]): [string, Standing][] {
  const at = (ms: number) => stood.findLast(({ atMs }) => atMs <= ms) as Standing;
  const marks = stood.slice(1).flatMap(({ atMs }) => [atMs - 1, atMs, atMs + 1, atMs - 1_000]);
  return marks.flatMap((ms): [string, Standing][] => {
    const second = Math.floor(ms / 1_000) * 1_000 + 999;
    const iso = new Date(ms).toISOString();
    return [
      [iso, at(ms)],
      [`${iso.slice(0, 19)}Z`, at(second)],
      [new Date(ms).toUTCString(), at(second)],
    ];
  });
}
