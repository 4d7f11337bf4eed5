import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { AnyRecord } from '../../../src/catalogue/model/dataset.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormat,
  type ResponseFormatName,
} from '../../../src/catalogue/model/response-format.ts';
import { createInProcessServer } from '../../../src/http/server/in-process-server.ts';
import { findLink, parseRecords } from '../../support/follow-links.ts';
import { anyStep, anyVariants, publishStep, type Step } from '../../support/publish-step.ts';
import { Model } from '../../support/reference-model.ts';
import {
  anyQuery,
  formatQuoteTarget,
  type Query,
  type RecordVariant,
} from '../../support/small-dataset.ts';
import { ENGINES, type TestStore } from '../../support/store.ts';
import { DECODERS } from '../../tabular/decode-formats.ts';
import { fromCsv, rebuildRecords } from '../../tabular/rebuild-records.ts';

const forms = Object.entries(RESPONSE_FORMATS) as [ResponseFormatName, ResponseFormat][];
const anyForm = fc.constantFrom(...forms.map(([, { mediaType }]) => mediaType));

/** Quotes, a query, and what is published while its pages are read. */
const anyReading = fc.record({
  variants: anyVariants(4),
  query: fc
    .tuple(anyQuery, fc.integer({ min: 1, max: 3 }))
    .map(([query, limit]): Query => ({ ...query, limit })),
  forms: fc.array(anyForm, { minLength: 1, maxLength: 3 }),
  steps: fc.array(anyStep, { maxLength: 8 }),
});

type RequestHeaders = Readonly<Record<string, string>>;

interface Page {
  readonly revision: number;
  readonly texts: readonly string[];
}

// The first who asks for a server waits until it has started.
setDefaultTimeout(120_000);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(engine, () => {
    let scenario: Scenario;
    beforeAll(async () => {
      scenario = await openScenario(await createStore());
    });
    afterAll(() => scenario.close());

    test('joined pages equal the complete result of the first, whatever is published meanwhile', async () => {
      await fc.assert(
        fc.asyncProperty(anyReading, async ({ variants, query, forms, steps }) => {
          await scenario.reset(variants);
          const headers = forms.map((accept) => ({ accept }));
          const pages = await scenario.readPages(formatQuoteTarget(query), headers, steps);
          expectPages(scenario, pages, pages[0]?.revision ?? 0, query);
        }),
        { numRuns: scaleRuns(80) },
      );
    });

    test('joined pages as of an instant do too, whether or not each request names it', async () => {
      await fc.assert(
        fc.asyncProperty(anyReading, anyStep, async ({ variants, query, forms, steps }, step) => {
          const { revision, instant } = await scenario.reset(variants);
          await scenario.publish(step);
          const past = { 'accept-datetime': instant };
          const headers = forms.map((accept) => ({ accept, ...(accept === forms[0] && past) }));
          const pages = await scenario.readPages(formatQuoteTarget(query), headers, steps);
          expectPages(scenario, pages, revision, query);
        }),
        { numRuns: scaleRuns(60) },
      );
    });
  });
}

function expectPages(
  { model }: Scenario,
  pages: readonly Page[],
  revision: number,
  query: Query,
): void {
  const all = model.quotes(model.texts(quotes, revision), { ...query, limit: Infinity });
  expect(pages.flatMap(({ texts }) => texts)).toEqual(all);
  expect(pages.map((page) => page.revision)).toEqual(pages.map(() => revision));
  expect(pages).toHaveLength(Math.max(1, Math.ceil(all.length / query.limit)));
}

type Scenario = Awaited<ReturnType<typeof openScenario>>;

/** A store, a model of it, and a server over it. */
async function openScenario(store: TestStore) {
  const model = new Model();
  const server = await createInProcessServer(store, catalogue);
  let atMs = Date.parse('2026-07-01T00:00:00Z');
  const publish = async (step: Step) => {
    atMs += 1_000;
    await publishStep(store, model, quotes, step, atMs);
  };
  return {
    model,
    publish,
    /** Replaces all quotes; returns the revision, and when it was published. */
    async reset(variants: readonly RecordVariant[]) {
      await publish({ action: 'replace', variants });
      return { revision: model.entries.length, instant: new Date(atMs).toISOString() };
    },
    /** Follows the links, with each of the headers in turn; publishes a step after each page. */
    async readPages(target: string, headers: readonly RequestHeaders[], steps: readonly Step[]) {
      const pages: Page[] = [];
      for (let next: string | undefined = target; next !== undefined; ) {
        const response = await server.get(next, headers[pages.length % headers.length]);
        expect([next, response.status]).toEqual([next, 200]);
        const texts = (await decodeRecords(response)).map((record) => JSON.stringify(record));
        pages.push({ revision: Number(response.headers.get('tenor-revision')), texts });
        next = findLink(response.headers, 'next');
        const step = steps[pages.length - 1];
        if (step) await publish(step);
      }
      return pages;
    },
    async close() {
      server.close();
      await store.remove();
    },
  };
}

/** The records of a response in any format. */
async function decodeRecords(response: Response): Promise<AnyRecord[]> {
  const type = response.headers.get('content-type')?.split(';')[0];
  const name = forms.find(([, { mediaType }]) => mediaType === type)?.[0] ?? 'json';
  if (name === 'json' || name === 'ndjson') return parseRecords(await response.text());
  const table = await DECODERS[name](await response.bytes());
  return rebuildRecords(quotes, name === 'csv' ? fromCsv(quotes, table) : table);
}
