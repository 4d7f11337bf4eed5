import { afterAll, beforeAll, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import {
  createInProcessServer,
  type InProcessServer,
} from '../../src/http/server/in-process-server.ts';
import { declareDatasets } from '../../src/publish/declare-dataset.ts';
import { EXPORT_FORMATS } from '../../src/shared/formats.ts';
import { findLink } from '../support/follow-links.ts';
import { publishAt } from '../support/publish-at.ts';
import { createStore, type TestStore } from '../support/store.ts';

const BID = { field: 'bid', title: 'Bid', unit: 'percent', kind: 'rate', required: true } as const;
const OFFER = { field: 'offer', title: 'Offer', unit: 'percent', kind: 'rate' } as const;
const RATES: Declaration = {
  name: 'rates',
  title: 'Rates',
  period: { kind: 'day', field: 'date' },
  measures: [BID],
};
const RETITLED: Declaration = { ...RATES, measures: [{ ...BID, title: 'Best bid' }] };
const EXTENDED: Declaration = { ...RETITLED, measures: [...RETITLED.measures, OFFER] };
const NEW_RATES: Declaration = { ...RATES, name: 'new-rates', supersedes: 'rates' };

const FORMATS = Object.keys(RESPONSE_FORMATS);
const FILES = EXPORT_FORMATS.map((format) => `/exports/rates.${format}`);
const PAGES = FORMATS.map((format) => `/datasets/rates?format=${format}`);

let store: TestStore;
let server: InProcessServer;
beforeAll(async () => {
  store = await createStore();
  await declare(RATES, 1);
  await publishAt(store, '2026-01-02T00:00:00Z', createDeclaredDataset(RATES), {
    records: [
      { date: '2026-01-01', bid: 7 },
      { date: '2026-01-02', bid: 8 },
    ],
  });
  server = await createInProcessServer(store, catalogue);
});
afterAll(async () => {
  server.close();
  await store.remove();
});

async function declare(declaration: Declaration, day: number): Promise<void> {
  const publisher = store.publisher();
  const at = new Date(`2026-01-0${day}T00:00:00Z`);
  await declareDatasets(publisher, { declarations: [declaration], author: 'a', source: 'b', at });
  publisher.close();
}

const get = (revision: number, target: string, headers: Record<string, string> = {}) =>
  server.get(target, { 'Tenor-Revision': String(revision), ...headers });

const getTags = (revision: number, targets: readonly string[]) =>
  Promise.all(
    targets.map(async (target) => (await get(revision, target)).headers.get('ETag') ?? ''),
  );

const getDate = async (revision: number, target: string) =>
  new Date((await get(revision, target)).headers.get('Last-Modified') ?? '').getUTCDate();

test('another title of a measure makes other pages and files, but those of records alone', async () => {
  const pages = await getTags(2, PAGES);
  const files = await getTags(2, FILES);
  const modified = (await get(2, '/datasets/rates')).headers.get('Last-Modified') ?? '';
  expect(await getDate(2, '/datasets/rates')).toBe(2);
  await declare(RETITLED, 3);
  const later = await getTags(3, PAGES);
  expect(later.map((tag, index) => tag === pages[index])).toEqual(
    FORMATS.map((each) => each === 'json'),
  );
  expect((await getTags(3, FILES)).filter((tag) => files.includes(tag))).toEqual([]);
  expect([await getDate(3, '/datasets/rates'), await getDate(3, FILES[0] ?? '')]).toEqual([3, 3]);
  const headers = { 'If-Modified-Since': modified };
  expect((await get(3, '/datasets/rates', headers)).status).toBe(200);
});

test('a measure that is added is null, and no part of an earlier file is continued', async () => {
  const [csv = '', tag = ''] = [FILES[0], ...(await getTags(3, FILES))];
  const revision = await (await get(3, '/revisions/2')).text();
  await declare(EXTENDED, 4);
  // What a revision changed had no such measure.
  expect(await (await get(4, '/revisions/2')).text()).toBe(revision);
  expect(await (await get(4, '/datasets/rates?limit=1')).json()).toEqual({
    status: 'ok',
    data: [{ date: '2026-01-02', bid: 8, offer: null }],
  });
  const file = await get(4, csv, { Range: 'bytes=10-', 'If-Range': tag });
  expect([file.status, await file.text()]).toEqual([
    200,
    'date,bid,offer\r\n2026-01-02,8,\r\n2026-01-01,7,\r\n',
  ]);
});

test('a dataset says which other one has taken its place, and since when', async () => {
  await declare({ ...NEW_RATES, title: 'New rates' }, 5);
  await declare(NEW_RATES, 6);
  for (const target of PAGES) {
    const { headers } = await get(6, target);
    const seconds = Date.parse('2026-01-05T00:00:00Z') / 1_000;
    expect(headers.get('Deprecation')).toBe(`@${seconds}`);
    expect(findLink(headers, 'successor-version')).toBe('/datasets/new-rates');
  }
  for (const target of ['/datasets/new-rates', '/datasets/rates?as_of=4']) {
    const { headers } = await get(6, target);
    expect([headers.get('Deprecation'), findLink(headers, 'successor-version')]).toEqual([
      null,
      undefined,
    ]);
  }
  // biome-ignore lint/suspicious/noExplicitAny: a document is read as what it is
  const { paths }: any = await (await get(6, '/openapi.json')).json();
  expect(paths['/datasets/rates'].get.deprecated).toBe(true);
  expect(paths['/datasets/new-rates'].get.deprecated).toBeUndefined();
});
