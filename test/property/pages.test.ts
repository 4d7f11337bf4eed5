import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type {
  ResponseFormat,
  ResponseFormatName,
} from '../../src/catalogue/model/response-format.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { createInProcessServer } from '../../src/http/in-process-server.ts';
import { serializeRecord } from '../../src/schema/serialize-record.ts';
import { getStorageTable } from '../../src/schema/storage-table.ts';
import { findLink, parseRecords } from '../support/follow-links.ts';
import { getKey } from '../support/publish-at.ts';
import type { Quote } from '../support/quote-fixture.ts';
import { Model } from '../support/reference-model.ts';
import {
  anyQuery,
  anyRecordVariant,
  buildRecord,
  type Query,
  type RecordVariant,
} from '../support/small-dataset.ts';
import { ENGINES, type TestStore } from '../support/store.ts';
import { DECODERS } from '../tabular/decode-formats.ts';
import { fromCsv, rebuildRecords } from '../tabular/rebuild-records.ts';

/** Records to put, or to retire. */
interface Step {
  readonly put: boolean;
  readonly touches: readonly RecordVariant[];
}

const touches = (minLength: number) =>
  fc.uniqueArray(anyRecordVariant, { selector: ({ slot }) => slot, minLength, maxLength: 9 });
const anyStep: fc.Arbitrary<Step> = fc.record({ put: fc.boolean(), touches: touches(1) });
const forms = Object.entries(RESPONSE_FORMATS) as [ResponseFormatName, ResponseFormat][];
const anyForm = fc.constantFrom(...forms.map(([, { mediaType }]) => mediaType));

/** A market, a question about it, and what is published while its answers are walked through. */
const anyWalk = fc.record({
  market: touches(4),
  query: anyQuery,
  limit: fc.integer({ min: 1, max: 3 }),
  forms: fc.array(anyForm, { minLength: 1, maxLength: 3 }),
  steps: fc.array(anyStep, { maxLength: 8 }),
});

type Asked = Readonly<Record<string, string>>;

/** One answer of a walk: what it was made from, and what it had. */
interface Page {
  readonly revision: number;
  readonly texts: readonly string[];
}

// The first who asks for a server waits until it has started.
setDefaultTimeout(60_000);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(engine, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld(await createStore());
    });
    afterAll(() => world.close());

    test('joined pages equal the complete result of the first, whatever is published meanwhile', async () => {
      await fc.assert(
        fc.asyncProperty(anyWalk, async ({ market, query, limit, forms, steps }) => {
          await world.begin(market);
          const asked = forms.map((accept) => ({ accept }));
          const pages = await world.walk(targetOf(query, limit), asked, steps);
          expectWhole(world, pages, pages[0]?.revision ?? 0, query, limit);
        }),
        { numRuns: scaleRuns(150) },
      );
    });

    test('joined pages as of an instant do too, whether or not each request names it', async () => {
      await fc.assert(
        fc.asyncProperty(anyWalk, anyStep, async ({ market, query, limit, forms, steps }, step) => {
          const { revision, at } = await world.begin(market);
          await world.take(step);
          const past = { 'accept-datetime': at };
          const asked = forms.map((accept) => ({ accept, ...(accept === forms[0] && past) }));
          const pages = await world.walk(targetOf(query, limit), asked, steps);
          expectWhole(world, pages, revision, query, limit);
        }),
        { numRuns: scaleRuns(100) },
      );
    });
  });
}

function expectWhole(
  world: World,
  pages: readonly Page[],
  of: number,
  query: Query,
  limit: number,
): void {
  const standing = world.standing(of);
  const whole = standing.filter(meaningOf(query, standing));
  expect(pages.flatMap(({ texts }) => texts)).toEqual(whole);
  expect(pages.map(({ revision }) => revision)).toEqual(pages.map(() => of));
  expect(pages).toHaveLength(Math.max(1, Math.ceil(whole.length / limit)));
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** A store, a model of it, and somebody who answers. */
async function openWorld(store: TestStore) {
  const publisher = store.publisher();
  const model = new Model();
  const asking = await createInProcessServer(store, catalogue);
  let atMs = Date.parse('2026-07-01T00:00:00Z');
  const take = async ({ put, touches }: Step, replace = false) => {
    atMs += 1_000;
    const about = { dataset: quotes, source: 'test', author: 'test', at: new Date(atMs) };
    const records = touches.map((touch) => buildRecord(quotes, touch));
    if (put) {
      await publisher.publish({ ...about, rows: [rowsOf(records)], replace });
      model.load(quotes, records, { replace, source: 'test', atMs });
      return;
    }
    const gone = records.filter((record) => model.holds(quotes, record));
    await publisher.publish({
      ...about,
      retiredKeys: gone.map((record) => getKey(quotes, record)),
    });
    model.retire(quotes, gone, atMs);
  };
  return {
    standing: (revision: number) => model.texts(quotes, revision),
    /** Puts a market in the place of what there is; tells which revision that made, and when. */
    async begin(market: readonly RecordVariant[]) {
      await take({ put: true, touches: market }, true);
      return { revision: model.entries.length, at: new Date(atMs).toISOString() };
    },
    take,
    /** Follows the links, with each of the headers in turn; a step is taken behind each page. */
    async walk(target: string, headers: readonly Asked[], steps: readonly Step[]) {
      const pages: Page[] = [];
      for (let next: string | undefined = target; next !== undefined; ) {
        const response = await asking.get(next, headers[pages.length % headers.length]);
        expect([next, response.status]).toEqual([next, 200]);
        const texts = (await recordsOfAnswer(response)).map((record) => JSON.stringify(record));
        pages.push({ revision: Number(response.headers.get('tenor-revision')), texts });
        next = findLink(response.headers, 'next');
        const step = steps[pages.length - 1];
        if (step) await take(step);
      }
      return pages;
    },
    async close() {
      asking.close();
      publisher.close();
      await store.remove();
    },
  };
}

/** The records of an answer, in whatever form it came. */
async function recordsOfAnswer(response: Response): Promise<AnyRecord[]> {
  const type = response.headers.get('content-type')?.split(';')[0];
  const name = forms.find(([, { mediaType }]) => mediaType === type)?.[0] ?? 'json';
  if (name === 'json' || name === 'ndjson') return parseRecords(await response.text());
  const table = await DECODERS[name](await response.bytes());
  return rebuildRecords(quotes, name === 'csv' ? fromCsv(quotes, table) : table);
}

function rowsOf(records: readonly AnyRecord[]) {
  const { columns } = getStorageTable(quotes);
  return records.map((record) => ({
    columns: columns.map((column) => column.getValue(record)),
    json: serializeRecord(quotes, record),
  }));
}

function targetOf({ security, type, dateRange }: Query, limit: number): string {
  const [from, to] = dateRange?.toSorted() ?? [];
  const given = { symbol: security, type, from, to, limit: String(limit) };
  const kept = Object.entries(given).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return `/2.0/bnb/quotes?${new URLSearchParams(kept)}`;
}

const partsOf = (text: string) => JSON.parse(text) as Quote;

/** Which records a question means, from when it is first asked on: by symbol or ISIN, of what days. */
function meaningOf({ security, type, dateRange }: Query, standing: readonly string[]) {
  const is = (name: string) => name.toUpperCase() === security?.toUpperCase();
  const isSymbol = standing.some((text) => is(partsOf(text).symbol));
  const fits = (text: string) => {
    const { symbol, isin, type: kind } = partsOf(text);
    if (type !== undefined && kind !== type) return false;
    return security === undefined || is(isSymbol ? symbol : isin);
  };
  const newest = partsOf(standing.find(fits) ?? '{}').date;
  const [from = '', to = ''] = dateRange?.toSorted() ?? [newest, newest];
  return (text: string) => {
    const { date } = partsOf(text);
    return fits(text) && date >= from && date <= to;
  };
}
