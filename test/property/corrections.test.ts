import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../src/schema/fold-ascii-case.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { Model } from '../support/reference-model.ts';
import { anyRecordVariant, buildRecord, type RecordVariant } from '../support/small-dataset.ts';
import { ENGINES, type TestStore } from '../support/store.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

interface Step {
  readonly act: 'load' | 'replace' | 'retire';
  readonly touched: readonly RecordVariant[];
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('load', 'load', 'load', 'replace', 'retire'),
  touched: fc.uniqueArray(anyRecordVariant, {
    selector: ({ slot }) => slot,
    minLength: 1,
    maxLength: 9,
  }),
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyDay = fc.constantFrom('2025-12-31', '2026-01-01', '2026-02-28');

/** What is asked for, of any dataset; each takes what belongs to it. */
const anyAsking = fc.record({
  symbol: maybe(fc.constantFrom('AAA', 'zz1', 'ZZ2', 'bBb', 'nobody')),
  days: maybe(fc.tuple(anyDay, anyDay).map(([a, b]) => (a < b ? [a, b] : [b, a]))),
  fund_id: maybe(fc.constantFrom('fund-a', 'FUND-B', 'nobody')),
  before: maybe(fc.integer({ min: 1, max: 9 })),
  limit: fc.integer({ min: 1, max: 4 }),
  asOf: maybe(fc.nat(8)),
});
type Asking = typeof anyAsking extends fc.Arbitrary<infer T> ? T : never;

const atMs = (revision: number) => Date.UTC(2026, 0, 1 + revision);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  test(`${engine}: joined pages of the corrections of any history equal the complete list, whatever is published meanwhile`, async () => {
    const [quotes, funds, series] = catalogue as [Dataset, Dataset, Dataset];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(quotes, quotes, funds, series),
        fc.array(anyStep, { minLength: 2, maxLength: 8 }),
        fc.array(anyAsking, { minLength: 3, maxLength: 5 }),
        anyStep,
        async (dataset, history, askings, later) => {
          const store = await createStore();
          const model = new Model();
          for (const step of history) await play(store, model, dataset, step);
          const service = await startTestServer(store);
          for (const asking of askings) {
            const walk = pagesOf(service, dataset, asking);
            const { data: told, revision } = (await walk.next()).value as Page;
            // A server may not know of it yet: the whole is that of the revision it began with.
            await play(store, model, dataset, later);
            for await (const { data } of walk) told.push(...data);
            expect(told).toEqual(expected(model, dataset, { ...asking, asOf: revision }));
          }
          await service.stop();
        },
      ),
      { numRuns: scaleRuns(40) },
    );
  });
}

async function play(store: TestStore, model: Model, dataset: Dataset, step: Step): Promise<void> {
  const { act, touched } = step;
  const at = atMs(model.entries.length + 1);
  const records = touched.map((touch) => buildRecord(dataset, touch));
  if (act === 'retire') {
    const standing = records.filter((record) => model.holds(dataset, record));
    model.retire(dataset, standing, at);
    await publishAt(store, at, dataset, {
      retiredKeys: standing.map((each) => getKey(dataset, each)),
    });
    return;
  }
  const replace = act === 'replace';
  model.load(dataset, records, { replace, atMs: at, source: 'test' });
  await publishAt(store, at, dataset, { records, replace });
}

interface Page {
  readonly data: object[];
  readonly revision: number;
}

async function* pagesOf(
  service: TestServer,
  dataset: Dataset,
  asking: Asking,
): AsyncGenerator<Page> {
  const { symbol, days, fund_id, before, limit, asOf } = asking;
  const [from, to] = days ?? [];
  const own = { quotes: { symbol, from, to }, fund: { fund_id }, series: {} }[dataset.shape];
  const given = Object.entries({ ...own, before, limit }).filter(([, value]) => value);
  const query = given.map(([name, value]) => `${name}=${value}`).join('&');
  const headers: Record<string, string> =
    asOf === undefined ? {} : { 'accept-datetime': new Date(atMs(asOf)).toISOString() };
  let target: string | undefined = `/corrections/${dataset.name}?${query}`;
  while (target !== undefined) {
    const response = await service.request(target, headers);
    const { data } = (await response.json()) as { data: object[] };
    expect(data.length).toBeLessThanOrEqual(limit);
    const revision = Number(response.headers.get('tenor-revision'));
    expect(revision).toBeLessThanOrEqual(asOf ?? revision);
    yield { data, revision };
    target = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    // A page that says that more comes is full.
    if (target !== undefined) expect(data).toHaveLength(limit);
  }
}

/** What is to be told, by a look at every revision, newest first. */
function expected(model: Model, dataset: Dataset, asking: Asking): object[] {
  const { symbol, days, fund_id, before = 99, asOf = 0 } = asking;
  const meant = model.entries.filter(({ revision }) => revision < before && revision <= asOf);
  const ever = meant.flatMap(({ after }) => [...after.values()].map(parsed));
  const is = (value: unknown, text: string) => foldAsciiCase(String(value)) === foldAsciiCase(text);
  const field = ever.some((record) => is(record.symbol, symbol ?? '')) ? 'symbol' : 'isin';
  const isMeant = (record: AnyRecord) => {
    if (dataset.shape === 'fund') return fund_id === undefined || is(record.fund_id, fund_id);
    if (dataset.shape === 'series') return true;
    const [from = '', to = '9'] = days ?? [];
    const isOn = String(record.date) >= from && String(record.date) <= to;
    return isOn && (symbol === undefined || is(record[field], symbol));
  };
  return meant.toReversed().flatMap(({ revision, publishedAt }) =>
    model.changes(dataset, revision).flatMap(({ change, old, new: replacement }) => {
      if (old === null || !isMeant(parsed(old))) return [];
      const now = replacement === null ? null : parsed(replacement);
      return [{ revision, publishedAt, change, old: parsed(old), new: now }];
    }),
  );
}

function parsed(text: string): AnyRecord {
  return JSON.parse(text) as AnyRecord;
}
