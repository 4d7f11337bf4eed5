import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../../src/catalogue/model/dataset.ts';
import { foldAsciiCase } from '../../../src/schema/storage-table.ts';
import { findLink } from '../../support/follow-links.ts';
import { anyStep, publishStep, type Step } from '../../support/publish-step.ts';
import { Model } from '../../support/reference-model.ts';
import { maybe } from '../../support/small-dataset.ts';
import { ENGINES } from '../../support/store.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const anyDay = fc.constantFrom('2025-12-31', '2026-01-01', '2026-02-28');

/** Parameters of any dataset; each uses its own. */
const anyQuery = fc.record({
  symbol: maybe(fc.constantFrom('AAA', 'zz0000000017', 'ZZ0000000025', 'bBb', 'nobody')),
  days: maybe(fc.tuple(anyDay, anyDay).map(([a, b]) => (a < b ? [a, b] : [b, a]))),
  fund_id: maybe(fc.constantFrom('fund-a', 'FUND-B', 'nobody')),
  before: maybe(fc.integer({ min: 1, max: 9 })),
  limit: fc.integer({ min: 1, max: 4 }),
  asOf: maybe(fc.nat(8)),
});
type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

const toMs = (revision: number) => Date.UTC(2026, 0, 1 + revision);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  test(`${engine}: joined pages of the corrections of any history equal the complete list, whatever is published meanwhile`, async () => {
    const [quotes, funds, series] = catalogue as [Dataset, Dataset, Dataset];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(quotes, quotes, funds, series),
        fc.array(anyStep, { minLength: 2, maxLength: 8 }),
        fc.array(anyQuery, { minLength: 3, maxLength: 5 }),
        anyStep,
        async (dataset, history, queries, later) => {
          const store = await createStore();
          const model = new Model();
          const publish = (step: Step) =>
            publishStep(store, model, dataset, step, toMs(model.entries.length + 1));
          for (const step of history) await publish(step);
          await using service = await startTestServer(store);
          for (const query of queries) {
            const pages = readPages(service, dataset, query);
            const { data, revision } = (await pages.next()).value as Page;
            // All pages are of the revision of the first, which may not be the newest.
            await publish(later);
            for await (const page of pages) data.push(...page.data);
            expect(data).toEqual(listExpected(model, dataset, { ...query, asOf: revision }));
          }
        },
      ),
      { numRuns: scaleRuns(25) },
    );
  });
}

interface Page {
  readonly data: object[];
  readonly revision: number;
}

async function* readPages(
  service: TestServer,
  dataset: Dataset,
  query: Query,
): AsyncGenerator<Page> {
  const { symbol, days, fund_id, before, limit, asOf } = query;
  const [from, to] = days ?? [];
  const filters = {
    quotes: { symbol, from, to },
    fund: { fund_id },
    series: {},
    reference: dataset.name === 'funds' ? { fund_id } : { symbol },
  }[dataset.shape];
  const parameters = Object.entries({ ...filters, before, limit }).filter(([, value]) => value);
  const search = parameters.map(([name, value]) => `${name}=${value}`).join('&');
  const headers: Record<string, string> =
    asOf === undefined ? {} : { 'accept-datetime': new Date(toMs(asOf)).toISOString() };
  let target: string | undefined = `/corrections/${dataset.name}?${search}`;
  while (target !== undefined) {
    const response = await service.request(target, headers);
    const { data } = (await response.json()) as { data: object[] };
    expect(data.length).toBeLessThanOrEqual(limit);
    const revision = Number(response.headers.get('tenor-revision'));
    expect(revision).toBeLessThanOrEqual(asOf ?? revision);
    yield { data, revision };
    target = findLink(response.headers, 'next');
    // Only the last page may have fewer.
    if (target !== undefined) expect(data).toHaveLength(limit);
  }
}

/** The corrections of every revision, newest first. */
function listExpected(model: Model, dataset: Dataset, query: Query): object[] {
  const { symbol, days, fund_id, before = 99, asOf = 0 } = query;
  const revisions = model.entries.filter(({ revision }) => revision < before && revision <= asOf);
  const ever = revisions.flatMap(({ after }) => [...after.values()].map(parseRecord));
  const is = (value: unknown, text: string) => foldAsciiCase(String(value)) === foldAsciiCase(text);
  const field = ever.some((record) => is(record.symbol, symbol ?? '')) ? 'symbol' : 'isin';
  const isSelected = (record: AnyRecord) => {
    if (dataset.shape === 'fund') return fund_id === undefined || is(record.fund_id, fund_id);
    if (dataset.shape === 'series') return true;
    const [from = '', to = '9'] = days ?? [];
    const isOn = String(record.date) >= from && String(record.date) <= to;
    return isOn && (symbol === undefined || is(record[field], symbol));
  };
  return revisions.toReversed().flatMap(({ revision, publishedAt }) =>
    model.changes(dataset, revision).flatMap(({ change, old, new: replacement }) => {
      if (old === null || !isSelected(parseRecord(old))) return [];
      const now = replacement === null ? null : parseRecord(replacement);
      return [{ revision, publishedAt, change, old: parseRecord(old), new: now }];
    }),
  );
}

function parseRecord(text: string): AnyRecord {
  return JSON.parse(text) as AnyRecord;
}
