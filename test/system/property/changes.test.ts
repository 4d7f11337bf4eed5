import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../../src/catalogue/datasets/securities.ts';
import { ivrBankingAnnualValue } from '../../../src/catalogue/datasets/series/ivr-banking-annual-value.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import type { Dataset } from '../../../src/catalogue/model/dataset.ts';
import { revertRevision } from '../../../src/publish/revert-revision.ts';
import { applyChanges, isInOrder, splitLines } from '../../support/apply-changes.ts';
import { findLink } from '../../support/follow-links.ts';
import { anyStep, publishStep, type Step } from '../../support/publish-step.ts';
import { Model } from '../../support/reference-model.ts';
import { ENGINES } from '../../support/store.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

// One of each shape. Years, funds and symbols may be written in another way and still have the same key.
const datasets: readonly Dataset[] = [quotes, ivrBankingAnnualValue, fundAllocation, securities];
const NDJSON = { accept: 'application/x-ndjson' };

interface Publication {
  readonly datasetIndex: number;
  /** Undefined to revert a revision. */
  readonly step: Step | undefined;
  /** Which revision is reverted: so many before the newest one. */
  readonly age: number;
}
const anyPublication: fc.Arbitrary<Publication> = fc.record({
  datasetIndex: fc.nat(datasets.length - 1),
  step: fc.option(anyStep, { nil: undefined, freq: 3 }),
  age: fc.nat(2),
});
const publications = (minLength: number, maxLength: number) =>
  fc.array(anyPublication, { minLength, maxLength });

setDefaultTimeout(120_000);

for (const { name: engine, createStore, scaleRuns } of ENGINES) {
  describe(engine, () => {
    test('an export of any revision plus the changes since is the export of the later one, while more is published', async () => {
      await fc.assert(
        fc.asyncProperty(
          publications(1, 8),
          publications(0, 4),
          fc.integer({ min: 1, max: 4 }),
          async (history, later, limit) => {
            await using service = await startTestServer(await createStore());
            const exports = [await readExports(service, 0)];
            const model = new Model();
            const publish = async (publication: Publication) => {
              await play(service, model, publication);
              const revision = model.entries.length;
              if (revision === exports.length) exports.push(await readExports(service, revision));
            };
            for (const publication of history) await publish(publication);
            for (const dataset of datasets) {
              for (let since = 0; since < exports.length; since++) {
                const publishNext = async () => {
                  const publication = later.pop();
                  if (publication) await publish(publication);
                };
                const target = `/changes/${dataset.name}?since=${since}&limit=${limit}`;
                const newest = await readChanges(service, target, limit, publishNext);
                const expectExport = ([revision, changes]: typeof newest) => {
                  expect(isInOrder(dataset, changes)).toBe(true);
                  expect(applyChanges(dataset, exports[since]?.[dataset.name] ?? '', changes)).toBe(
                    exports[revision]?.[dataset.name] ?? '',
                  );
                };
                expectExport(newest);
                const until = since + ((limit * 7 + since) % (exports.length - since));
                const bounded = await readChanges(service, `${target}&until=${until}`, limit);
                expect(bounded[0]).toBe(until);
                expectExport(bounded);
              }
            }
          },
        ),
        { numRuns: scaleRuns(9) },
      );
    });
  });
}

async function play(
  { store }: TestServer,
  model: Model,
  { datasetIndex, step, age }: Publication,
): Promise<void> {
  const newest = model.entries.length;
  const atMs = Date.parse('2026-05-01T00:00:00.000Z') + newest * 1_000;
  if (step) return publishStep(store, model, datasets[datasetIndex] as Dataset, step, atMs);
  const revision = newest - age;
  // One that later ones have built upon cannot be reverted.
  if (model.inTheWayOf(revision)?.length !== 0) return;
  const publisher = store.publisher();
  await revertRevision(publisher, catalogue, { revision, author: 'test' });
  publisher.close();
  model.revert(revision, atMs);
}

/** The NDJSON exports of a revision by dataset. */
async function readExports(service: TestServer, revision: number): Promise<Record<string, string>> {
  const exports: Record<string, string> = {};
  for (const { name } of datasets) {
    const headers = { 'tenor-revision': String(revision) };
    const response = await service.request(`/exports/${name}.ndjson`, headers);
    expect(response.headers.get('tenor-revision')).toBe(String(revision));
    exports[name] = await response.text();
  }
  return exports;
}

/** The lines of all pages, and their revision; something happens after the first page. */
async function readChanges(
  service: TestServer,
  target: string,
  limit: number,
  afterFirstPage = async () => {},
): Promise<[revision: number, changes: string[]]> {
  const first = await service.request(target, NDJSON);
  expect(first.status).toBe(200);
  const revision = Number(first.headers.get('tenor-revision'));
  const changes = splitLines(await first.text());
  let next = findLink(first.headers, 'next');
  if (next) await afterFirstPage();
  while (next) {
    // Every page but the last one is full.
    expect(changes.length % limit).toBe(0);
    const page = await service.request(next, NDJSON);
    expect(page.headers.get('tenor-revision')).toBe(String(revision));
    const lines = splitLines(await page.text());
    expect(lines.length).toBeGreaterThan(0);
    changes.push(...lines);
    next = findLink(page.headers, 'next');
  }
  return [revision, changes];
}
