import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import {
  createInProcessServer,
  type InProcessServer,
} from '../../src/http/server/in-process-server.ts';
import { foldAsciiCase } from '../../src/schema/storage-table.ts';
import { compareRecords, splitLines } from '../support/apply-changes.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { findLink } from '../support/follow-links.ts';
import { anyStep, publishStep, type Step } from '../support/publish-step.ts';
import { Model } from '../support/reference-model.ts';
import { anyQuery, type Query } from '../support/small-dataset.ts';
import { ENGINES, type TestStore } from '../support/store.ts';

const { closing, removing } = closeAfterEach();

interface Vintage extends AnyRecord {
  readonly since: number;
  readonly until: number | null;
}

const LOAD = { action: 'load' } as const;

/** Corrected, retired and published again; another dataset is published in between. */
const HISTORY: readonly Step[] = [
  { action: 'load', variants: [0, 1, 2, 3].map((slot) => ({ slot, variant: 0 })) },
  { action: 'load', variants: [0, 1, 2].map((slot) => ({ slot, variant: 1 })) },
  { action: 'retire', variants: [0, 1].map((slot) => ({ slot, variant: 1 })) },
  { action: 'load', variants: [0, 2].map((slot) => ({ slot, variant: 2 })) },
  { action: 'replace', variants: [0, 4].map((slot) => ({ slot, variant: 0 })) },
];

for (const { name: engine, createStore, datasets, scaleRuns } of ENGINES) {
  describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
    `${engine}: vintages of %s`,
    (_, dataset) => {
      test('are a fold over revisions, and those valid at a revision are its export', async () => {
        const store = removing(await createStore());
        const [other = quotes] = catalogue.filter(({ name }) => name !== dataset.name);
        await publishAll(store, dataset, HISTORY.slice(0, 3));
        await store.publish(other, [other.example]);
        await publishAll(store, dataset, HISTORY.slice(3), 4);
        const server = closing(await createInProcessServer(store, catalogue));
        await expectVintages(server, dataset, 6);
      });
    },
  );

  test(`${engine}: vintages of any history are a fold over its revisions`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...catalogue),
        fc.array(anyStep, { minLength: 2, maxLength: 7 }),
        async (dataset, steps) => {
          await using store = await createStore();
          const revision = await publishAll(store, dataset, steps);
          const server = await createInProcessServer(store, catalogue);
          await expectVintages(server, dataset, revision);
          server.close();
        },
      ),
      { numRuns: scaleRuns(5) },
    );
  });

  test(`${engine}: vintages of quotes as of a revision have the days that it brought`, async () => {
    const store = removing(await createStore());
    const steps = [0, 2, 1].map((slot): Step => ({ ...LOAD, variants: [{ slot, variant: 0 }] }));
    const revision = await publishAll(store, quotes, steps);
    const server = closing(await createInProcessServer(store, catalogue));
    await expectVintages(server, quotes, revision);
  });

  test(`${engine}: vintages of quotes are those that match, of all states or of the first ones of all, in pages of any size and as of a revision`, async () => {
    const store = removing(await createStore());
    const server = closing(await createInProcessServer(store, catalogue));
    const variants = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((slot) => ({ slot, variant: slot % 3 }));
    const revision = await publishAll(store, quotes, [...HISTORY, { action: 'load', variants }]);
    const states = await foldRevisions(server, quotes, revision);
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.boolean(), async ({ limit, ...query }, isFirst) => {
        const expected = selectStates(states, query, isFirst ? keepFirst(quotes, states) : states);
        const target = `/vintages/quotes?${formatQuery(query)}${isFirst ? '&release=first' : ''}`;
        expect(await readPages(server, target, limit)).toEqual(expected);
        const asOf = 1 + (limit % revision);
        const known = await foldRevisions(server, quotes, asOf);
        expect(await readPages(server, `${target}&as_of=${asOf}`, limit)).toEqual(
          selectStates(known, query, isFirst ? keepFirst(quotes, known) : known),
        );
      }),
      { numRuns: scaleRuns(40) },
    );
  });
}

/** Publishes steps; gives the last revision. */
async function publishAll(
  store: TestStore,
  dataset: Dataset,
  steps: readonly Step[],
  published = 0,
): Promise<number> {
  const model = new Model();
  for (const step of steps)
    await publishStep(store, model, dataset, step, Date.UTC(2026, 0, 9 + published++));
  const reader = store.reader();
  const revision = await reader.revision();
  reader.close();
  return revision;
}

async function expectVintages(server: InProcessServer, dataset: Dataset, revision: number) {
  const target = `/vintages/${dataset.name}`;
  const all = await foldRevisions(server, dataset, revision);
  expect(await read(server, target)).toEqual(all);
  expect(await read(server, `${target}?release=first`)).toEqual(keepFirst(dataset, all));
  for (const limit of [1, 2, 3]) expect(await readPages(server, target, limit)).toEqual(all);
  const first = await readPages(server, `${target}?release=first`, 2);
  expect(first).toEqual(keepFirst(dataset, all));
  for (let asOf = 1; asOf <= revision; asOf++) {
    const known = await foldRevisions(server, dataset, asOf);
    expect(await read(server, `${target}?as_of=${asOf}`)).toEqual(known);
    const file = await server.get(`/exports/${dataset.name}.ndjson?as_of=${asOf}`);
    const isValid = ({ since, until }: Vintage) =>
      since <= asOf && (until === null || until > asOf);
    expect(all.filter(isValid).map((state) => toRecord(dataset, state))).toEqual(
      splitLines(await file.text()).map((line) => JSON.parse(line)),
    );
  }
}

function toRecord({ fields }: Dataset, state: Vintage): AnyRecord {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, state[name]]));
}

async function read(server: InProcessServer, target: string): Promise<Vintage[]> {
  const response = await server.get(target);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Vintage[] }).data;
}

async function readPages(server: InProcessServer, target: string, limit: number) {
  const states: Vintage[] = [];
  let next: string | undefined = `${target}${target.includes('?') ? '&' : '?'}limit=${limit}`;
  while (next !== undefined) {
    const response = await server.get(next);
    const { data } = (await response.json()) as { data: Vintage[] };
    states.push(...data);
    next = findLink(response.headers, 'next');
    if (next !== undefined) expect(data).toHaveLength(limit);
  }
  return states;
}

interface RevisionBody {
  readonly dataset: string;
  readonly publishedAt: string;
  readonly changes: readonly { readonly old: AnyRecord | null; readonly new: AnyRecord | null }[];
}

/** The states that revisions published, in the order of the dataset. */
async function foldRevisions(server: InProcessServer, dataset: Dataset, last: number) {
  const states: { text: string; vintage: Vintage }[] = [];
  for (let revision = 1; revision <= last; revision++) {
    const response = await server.get(`/revisions/${revision}?limit=10000`);
    const { data } = (await response.json()) as { data: RevisionBody };
    if (data.dataset !== dataset.name) continue;
    for (const { old, new: replacement } of data.changes) {
      const text = JSON.stringify(old);
      const state = states.find(({ vintage }, index) => {
        return vintage.until === null && states[index]?.text === text;
      });
      if (state) state.vintage = { ...state.vintage, until: revision, withdrawn: data.publishedAt };
      if (!replacement) continue;
      const status = dataset.shape === 'series' && { status: 'A' };
      const validity = { since: revision, published: data.publishedAt };
      const vintage = { ...replacement, ...status, ...validity, until: null, withdrawn: null };
      states.push({ text: JSON.stringify(replacement), vintage });
    }
  }
  return states
    .toSorted((a, b) => compareRecords(dataset, a.text, b.text))
    .map(({ vintage }) => vintage);
}

/** The first state of each record. */
function keepFirst(dataset: Dataset, states: readonly Vintage[]): Vintage[] {
  return states.filter((state, index) => {
    const earlier = states[index - 1];
    if (!earlier) return true;
    return compareRecords(dataset, JSON.stringify(earlier), JSON.stringify(state)) !== 0;
  });
}

type Filters = Omit<Query, 'limit'>;

function formatQuery({ security, securities, type, dateRange, isOldestFirst }: Filters): string {
  const symbol = securities?.join() ?? security;
  const [from, to] = dateRange ?? [];
  const pairs = Object.entries({ symbol, type, from, to, sort: isOldestFirst && 'asc' });
  return pairs.flatMap(([name, value]) => (value ? [`${name}=${value}`] : [])).join('&');
}

/** Those of some states that match; which texts are symbols follows from all of them. */
function selectStates(
  states: readonly Vintage[],
  query: Filters,
  candidates: readonly Vintage[],
): Vintage[] {
  const { security, securities = security ? [security] : undefined, type, dateRange } = query;
  const is = (value: unknown, text: string) => foldAsciiCase(String(value)) === foldAsciiCase(text);
  const matches = (state: Vintage) => (text: string) =>
    is(state[states.some(({ symbol }) => is(symbol, text)) ? 'symbol' : 'isin'], text);
  const [from = '', to = '9'] = dateRange ?? [];
  const selected = candidates.filter(
    (state) =>
      (!securities || securities.some(matches(state))) &&
      (type === undefined || state.type === type) &&
      String(state.date) >= from &&
      String(state.date) <= to,
  );
  if (!query.isOldestFirst) return selected;
  const compare = (a: Vintage, b: Vintage) =>
    -compareRecords(quotes, JSON.stringify(a), JSON.stringify(b));
  return selected.toSorted(compare);
}
