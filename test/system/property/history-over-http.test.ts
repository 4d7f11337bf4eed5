import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume } from '../../../src/catalogue/datasets/series/online-banking-annual-volume.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { publishAt } from '../../support/publish-at.ts';
import { anyStep, publishStep } from '../../support/publish-step.ts';
import { getRaw } from '../../support/raw-http.ts';
import { type Entry, Model } from '../../support/reference-model.ts';
import { anyQuery, formatQuoteTarget } from '../../support/small-dataset.ts';
import { ENGINES } from '../../support/store.ts';
import { startTestServer, type TestServer, TOKEN } from '../../support/test-server.ts';

const series = onlineBankingAnnualVolume;
const datasets: readonly Dataset[] = [quotes, series, fundAllocation];

const anyHistory = fc.array(
  fc.record({
    datasetIndex: fc.constantFrom(0, 0, 0, 1, 2),
    step: anyStep,
    // Often within one second: the whole second is what an HTTP date names.
    gapMs: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 90_000 })),
  }),
  { minLength: 1, maxLength: 12 },
);

// The first who asks for a server waits until it has started.
setDefaultTimeout(120_000);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(engine, () => {
    test('any history is served as of every instant and revision for every query', async () => {
      await fc.assert(
        fc.asyncProperty(
          anyHistory,
          fc.array(anyQuery, { minLength: 3, maxLength: 6 }),
          async (history, queries) => {
            const store = await createStore();
            const model = new Model();
            let atMs = Date.parse('2026-05-01T00:00:00.000Z');
            for (const { datasetIndex, step, gapMs } of history) {
              atMs += gapMs;
              await publishStep(store, model, datasets[datasetIndex] as Dataset, step, atMs);
            }
            await using service = await startTestServer(store);
            for (const [instant, entry] of listInstants(model)) {
              const revision = entry?.revision ?? 0;
              const expectBody = async (target: string, body: string) => {
                const response = await requestAsOf(service, target, instant);
                const { headers } = response;
                expect([instant, headers.get('tenor-revision')]).toEqual([instant, `${revision}`]);
                const memento = headers.get('memento-datetime');
                if (entry) expect(memento).toBe(new Date(entry.publishedAt).toUTCString());
                expect(await response.text()).toBe(body);
              };
              for (const query of queries) {
                const records = model.quotes(model.texts(quotes, revision), query);
                await expectBody(formatQuoteTarget(query), `{"status":"ok","data":[${records}]}`);
              }
              const records = model.texts(series, revision);
              await expectBody(series.paths[0], `{"status":"ok","data":[${records}]}`);
              for (const id of ['fund-a', 'FUND-B', 'nobody']) {
                const fund = model
                  .texts(fundAllocation, revision)
                  .find((text) => JSON.parse(text).fund_id.toLowerCase() === id.toLowerCase());
                const missing = '{"status":"error","message":"no_record_found"}';
                await expectBody(
                  `${fundAllocation.paths[0]}?fund_id=${id}`,
                  fund ? `{"status":"ok","message":"","data":${fund}}` : missing,
                );
              }
            }
          },
        ),
        { numRuns: scaleRuns(15) },
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
      const anyDate = fc.date({
        min: new Date(0),
        noInvalidDate: true,
        max: new Date('9999-01-01'),
      });
      const header = fc.oneof(
        fc.string({ unit: printable }),
        anyDate.map((date) => date.toUTCString()),
        anyDate.map((date) => date.toISOString()),
        // One character replaced, but not the first of the year: `Date.parse` takes 26 for 2026.
        fc
          .tuple(
            anyDate,
            fc.nat(28).filter((index) => index !== 12),
            printable,
          )
          .map(([date, index, character]) => {
            const text = date.toUTCString();
            return text.slice(0, index) + character + text.slice(index + 1);
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
        { numRuns: scaleRuns(200) },
      );
      expect(service.events.some(({ event }) => event === 'request.failed')).toBe(false);
    });
  });
}

/** Numbers and exact instants by the parameter, whole seconds by the header. */
function requestAsOf({ request }: TestServer, target: string, instant: string): Promise<Response> {
  if (!/^\d+$|\./.test(instant)) return request(target, { 'accept-datetime': instant });
  return request(`${target}${target.includes('?') ? '&' : '?'}as_of=${instant}`);
}

/** Instants at, just before and just after every revision, as texts, with the newest revision. */
function listInstants({ entries }: Model): [string, Entry | undefined][] {
  const findEntry = (ms: number) =>
    entries.findLast(({ publishedAt }) => Date.parse(publishedAt) <= ms);
  const numbers = entries.map((entry): [string, Entry] => [String(entry.revision), entry]);
  const marks = entries.map(({ publishedAt }) => Date.parse(publishedAt));
  const instants = marks
    .flatMap((ms) => [ms - 1, ms, ms + 1, ms - 1_000])
    .flatMap((ms): [string, Entry | undefined][] => {
      const secondEnd = Math.floor(ms / 1_000) * 1_000 + 999;
      const iso = new Date(ms).toISOString();
      return [
        [iso, findEntry(ms)],
        [`${iso.slice(0, 19)}Z`, findEntry(secondEnd)],
        [new Date(ms).toUTCString(), findEntry(secondEnd)],
      ];
    });
  return [...instants, ...numbers];
}
