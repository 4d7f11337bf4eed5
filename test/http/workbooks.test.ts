import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { funds } from '../../src/catalogue/datasets/funds.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import type { FileCell } from '../../src/formats/file-contents.ts';
import { securitiesOperation } from '../../src/operations/securities/securities-operation.ts';
import { readWorkbookRows } from '../formats/support/workbook.ts';
import { findLink } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { publishAt } from '../support/publish-at.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { startTestServer, TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const [QUOTES] = quotes.paths;
const SAMPLE_AT = '2026-06-01T10:00:00.000Z';
const CHANGED_AT = '2026-06-03T10:00:00.000Z';
const records = generateQuotes(['2026-06-01', '2026-06-02'], 5);

async function publishSample(): Promise<TestStore> {
  const store = await createStore();
  await publishAt(store, SAMPLE_AT, quotes, { records: records.slice(0, 5), sample: true });
  return store;
}

/** A sample of quotes, a fund that is not one, then quotes that are not of the sample. */
const service = useTestServer(async () => {
  const store = await publishSample();
  await publishAt(store, '2026-06-02T10:00:00Z', fundAllocation, {
    records: [fundAllocation.example],
  });
  await publishAt(store, CHANGED_AT, quotes, { records });
  return store;
});

type Lines = Readonly<Record<string, FileCell>>;

async function fetchWorkbook(target: string, headers = {}, server = service) {
  const response = await server.request(target, headers);
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, headers: response.headers };
}

/** The lines of the sheet about a table, by their labels; of several, the last. */
async function readLines(bytes: Uint8Array): Promise<Lines> {
  const rows = (await readWorkbookRows(bytes, 'About')).map(({ cells }) => cells);
  const end = rows.findIndex(([label]) => label === 'Column');
  return Object.fromEntries(rows.slice(0, end).map(([label, value]) => [label, value]));
}

describe('the sheet about a response', () => {
  test('says what it is, what was requested in whatever format, and which revision it is from', async () => {
    const target = `${QUOTES}?date=2026-06-02&format=xlsx`;
    const { bytes } = await fetchWorkbook(target);
    expect(await readLines(bytes)).toEqual({
      Title: quotes.title,
      Description: quotes.description,
      'Made up':
        'Some of this may be made up: a sample was published first. /revisions shows which.',
      Note: quotes.notes.at(-1) ?? '',
      Request: `GET ${QUOTES}?date=2026-06-02`,
      Revision: 3,
      'Revision published at': CHANGED_AT,
      Documentation: expect.stringContaining('/docs'),
      Records: 5,
    });
    const everything = await readWorkbookRows(bytes, 'About');
    expect(JSON.stringify(everything)).not.toContain(TOKEN);
    const [header, ...rows] = await readWorkbookRows(bytes);
    expect(header?.cells).toEqual(Object.keys(quotes.fields));
    expect(rows).toHaveLength(5);
  });

  test('has the unit of each column', async () => {
    const { bytes } = await fetchWorkbook(`${QUOTES}?format=xlsx`);
    const rows = (await readWorkbookRows(bytes, 'About')).map(({ cells }) => cells);
    const header = rows.findIndex(([label]) => label === 'Column');
    const units = rows.slice(header + 1).map(([name, , unit = null]) => [name, unit]);
    expect(units).toEqual(
      Object.entries(quotes.fields).map(([name, field]) => [
        name,
        'unit' in field ? field.unit : null,
      ]),
    );
  });

  test('says how to get the records that a limit leaves out', async () => {
    const target = `${QUOTES}?from=2026-06-01&limit=3&format=xlsx`;
    const first = await fetchWorkbook(target, { prefer: 'count=exact' });
    const lines = await readLines(first.bytes);
    expect(lines).toMatchObject({ Records: 3, 'Matching records': 10 });
    expect(lines['Left out']).toContain('A limit of up to 10000 gives more of them.');
    expect(lines['Left out']).toContain('/exports/quotes.csv');
    const next = findLink(first.headers, 'next') ?? '';
    const page = await readLines((await fetchWorkbook(next)).bytes);
    expect(page.Page).toBe('A later page: the pages before it have other records.');
    const last = await readLines(
      (await fetchWorkbook(target.replace('limit=3', 'limit=10'))).bytes,
    );
    expect(last).not.toContainKeys(['Left out', 'Page']);
  });

  test.each([
    [`${QUOTES}?format=xlsx&as_of=2`, {}],
    [`${QUOTES}?format=xlsx`, { 'accept-datetime': '2026-06-02T12:00:00Z' }],
    [`${securitiesOperation.path}?format=xlsx&as_of=2`, {}],
  ])('says what %s is as of, and that all of it is made up', async (target, headers) => {
    const lines = await readLines((await fetchWorkbook(target, headers)).bytes);
    expect(lines).toMatchObject({
      'Made up': 'No security, fund or figure here is real.',
      Request: `GET ${target.split('?')[0]}`,
      Revision: 1,
      'Revision published at': SAMPLE_AT,
      'As of revision': 2,
      'As of revision published at': '2026-06-02T10:00:00.000Z',
    });
  });

  test('says nothing of revisions before the first, nor of samples that there are none of', async () => {
    const before = await fetchWorkbook(`${QUOTES}?format=xlsx`, {
      'accept-datetime': '1970-01-01T00:00:00Z',
    });
    const lines = await readLines(before.bytes);
    expect(lines).toMatchObject({ 'As of revision': 'before the first one', Records: 0 });
    expect(lines).not.toContainKeys(['Revision', 'Made up']);
    const fund = `${fundAllocation.paths[0]}?fund_id=${fundAllocation.example.fund_id}&format=xlsx`;
    expect(await readLines((await fetchWorkbook(fund)).bytes)).not.toContainKey('Made up');
  });

  test('has the last revision of all that a table is computed from', async () => {
    const store = await publishSample();
    const publish = (at: string, dataset: Dataset, record: AnyRecord) =>
      publishAt(store, at, dataset, { records: [record] });
    await publish('2026-06-02T10:00:00Z', fundAllocation, fundAllocation.example);
    const [{ symbol = '' } = {}] = records;
    await publish('2026-06-03T10:00:00Z', securities, { ...securities.example, symbol });
    await publish('2026-06-04T10:00:00Z', funds, funds.example);
    await using server = await startTestServer(store);
    const analytics = `/2.0/bnb/analytics?symbol=${symbol}`;
    for (const [target, revision] of [
      [`${securitiesOperation.path}?`, 3],
      [analytics, 3],
      ['/2.0/bnb/curve?', 3],
      [`${QUOTES}?`, 1],
      ['/3.0/funds?', 4],
    ] as const) {
      const { bytes } = await fetchWorkbook(`${target}&format=xlsx`, {}, server);
      const { Revision, 'Made up': madeUp } = await readLines(bytes);
      expect([target, Revision]).toEqual([target, revision]);
      // The names that came after the sample are real.
      if (revision === 3) expect(madeUp).toStartWith('Some of this may be made up');
    }
  });

  test('says that a limit leaves securities out', async () => {
    const target = `${securitiesOperation.path}?limit=2&format=xlsx`;
    const lines = await readLines((await fetchWorkbook(target)).bytes);
    expect(lines).toMatchObject({ Records: 2, Request: `GET ${securitiesOperation.path}?limit=2` });
    expect(lines['Left out']).toContain('Link header');
    expect(lines['Left out']).not.toContain('/exports');
  });

  test('describes changes, with the revision that they lead to', async () => {
    const { bytes } = await fetchWorkbook('/changes/quotes?since=1&limit=2&format=xlsx');
    const lines = await readLines(bytes);
    expect(lines).toMatchObject({ Title: 'Changes of bill and bond quotes', Revision: 3 });
    const atm = '/changes/atm-transactions-annual-volume?since=0&format=xlsx';
    expect((await readLines((await fetchWorkbook(atm)).bytes)).Title).toBe(
      'Changes of ATM transactions, annual volume',
    );
    expect(lines['Left out']).toContain('Link header');
  });
});

describe('the bytes of a workbook', () => {
  test('are the same in every process, and have the same entity tag', async () => {
    const target = `${QUOTES}?format=xlsx&from=2026-06-01`;
    const [first, second] = [
      await startTestServer(await publishSample()),
      await startTestServer(await publishSample()),
    ];
    const [one, other] = [
      await fetchWorkbook(target, {}, first),
      await fetchWorkbook(target, {}, second),
    ];
    expect(Buffer.from(one.bytes).equals(other.bytes)).toBe(true);
    expect(one.headers.get('etag')).toBe(other.headers.get('etag'));
    await Promise.all([first.stop(), second.stop()]);
  });

  test('change with the revision of the dataset, and so does the entity tag', async () => {
    await using server = await startTestServer(await publishSample());
    const target = `${QUOTES}?format=xlsx&date=2026-06-01`;
    const publish = (at: string, ...change: [typeof quotes | typeof fundAllocation, object[]]) =>
      publishAt(server.store, at, change[0], { records: change[1] as never });
    const first = await fetchWorkbook(target, {}, server);
    const etag = first.headers.get('etag') ?? '';
    await publish('2026-06-04T10:00:00Z', fundAllocation, [fundAllocation.example]);
    const isNotModified = { 'if-none-match': etag, 'tenor-revision': '2' };
    expect((await server.request(target, isNotModified)).status).toBe(304);
    await publish('2026-06-05T10:00:00Z', quotes, records.slice(5));
    const changed = await fetchWorkbook(
      target,
      { ...isNotModified, 'tenor-revision': '3' },
      server,
    );
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(await readLines(changed.bytes)).toMatchObject({ Revision: 3 });
    expect(await readWorkbookRows(changed.bytes)).toEqual(await readWorkbookRows(first.bytes));
  });
});
