import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { fetchPages, findLink, parseRecords } from '../support/follow-links.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { errorMessage, startTestServer, type TestServer } from '../support/test-server.ts';

const PATH = '/2.0/bnb/quote';
const BAD =
  'parameter "cursor" is not one that this service gave out; follow the Link of an answer';
const OTHER =
  'parameter "cursor" belongs to a request with other parameters; send those that it was given with';

const LATER =
  'parameter "cursor" is of a later revision than header "Accept-Datetime" or parameter "as_of" asks for; leave that out';

let services: TestServer[] = [];
let service: TestServer;
beforeEach(async () => {
  service = await serving(await createStore());
  await service.store.publish(quotes, generateQuotes(['2026-06-01', '2026-06-02'], 6));
});
afterEach(async () => {
  for (const each of services.toReversed()) await each.stop();
  services = [];
});

async function serving(store: TestStore): Promise<TestServer> {
  const started = await startTestServer(store);
  services.push(started);
  return started;
}

/** The target of the second page, and the cursor in it. */
async function requestFirstPage(
  target: string,
  server = service,
): Promise<{ next: string; cursor: string }> {
  const next = findLink((await server.request(target)).headers, 'next') ?? '';
  return { next, cursor: /cursor=(.*)/.exec(next)?.[1] ?? '' };
}

const symbolsOf = async (response: Response) =>
  parseRecords(await response.text()).map(({ symbol }) => symbol);

describe('a cursor', () => {
  test('of a state before the first revision leads to its next page', async () => {
    const pages = await fetchPages(service.request, '/catalogue?limit=5&as_of=2000-01-01');
    expect(pages.slice(0, -1).map((page) => page.length)).toContain(5);
    expect(new Set(pages.flat().map(({ name }) => name)).size).toBe(catalogue.length);
  });

  test('is rejected if its signature is of another purpose', async () => {
    const { cursor } = await requestFirstPage(`${PATH}?limit=2`);
    const [print] = JSON.parse(Buffer.from(cursor, 'base64url').subarray(16).toString());
    const forged = Buffer.concat([
      Buffer.from(print, 'base64url'),
      Buffer.from('asked quotes {"limit":2}'),
    ]);
    const response = await service.request(
      `${PATH}?limit=2&cursor=${forged.toString('base64url')}`,
    );
    expect([response.status, await errorMessage(response)]).toEqual([400, BAD]);
  });

  test('is rejected after any change of a character, truncation or addition', async () => {
    const { cursor } = await requestFirstPage(`${PATH}?limit=2`);
    const other = (character: string) => (character === 'A' ? 'B' : 'A');
    const changed = [...cursor].flatMap((character, index) => [
      cursor.slice(0, index) + other(character) + cursor.slice(index + 1),
      cursor.slice(0, index) || 'x',
    ]);
    const added = ['=', 'A', '==', '%20', '.', '%0A', '%2B', 'é'].flatMap((end) => [
      cursor + end,
      end + cursor,
    ]);
    const strange = ['null', '%5B%5D', '-'.repeat(5_000), '\u{1f600}', cursor + cursor];
    for (const wrong of [...changed, ...added, ...strange]) {
      const response = await service.request(`${PATH}?limit=2&cursor=${wrong}`);
      expect([wrong, response.status]).toEqual([wrong, 400]);
      expect(await errorMessage(response)).toBe(BAD);
    }
  });

  test('is rejected if its payload is signed with an empty secret', async () => {
    const { cursor } = await requestFirstPage(`${PATH}?limit=2`);
    const payload = Buffer.from(cursor, 'base64url').subarray(16);
    const forged = Buffer.concat([Buffer.alloc(16), payload]).toString('base64url');
    const response = await service.request(`${PATH}?limit=2&cursor=${forged}`);
    expect(await errorMessage(response)).toBe(BAD);
  });

  test('of another database is rejected', async () => {
    const other = await serving(await createStore());
    await other.store.publish(quotes, generateQuotes(['2026-06-01', '2026-06-02'], 6));
    const { next } = await requestFirstPage(`${PATH}?limit=2`, other);
    expect((await other.request(next)).status).toBe(200);
    const response = await service.request(next);
    expect([response.status, await errorMessage(response)]).toEqual([400, BAD]);
  });

  test('of a revision that was lost is rejected when another one has its number', async () => {
    const restored = await createStore();
    using database = new Database(restored.path);
    database.run('UPDATE secrets SET value = ?', [await service.store.reader().secret()]);
    await publishAt(restored, '2026-06-05T00:00:00Z', quotes, {
      records: generateQuotes(['2026-06-03'], 6),
    });
    const { next } = await requestFirstPage(`${PATH}?limit=2`);
    expect((await service.request(next)).status).toBe(200);
    const response = await (await serving(restored)).request(next);
    expect([response.status, await errorMessage(response)]).toEqual([400, BAD]);
  });

  test.each([
    'from=2026-06-01&limit=3',
    'from=2026-06-01',
    'limit=2',
    'from=2026-06-02&limit=2',
    'from=2026-06-01&to=2026-06-02&limit=2',
    'from=2026-06-01&type=bond&limit=2',
    'from=2026-06-01&symbol=S01&limit=2',
    'date=2026-06-01&limit=2',
  ])('is rejected with other parameters: %s', async (query) => {
    const { cursor } = await requestFirstPage(`${PATH}?from=2026-06-01&limit=2`);
    const response = await service.request(`${PATH}?${query}&cursor=${cursor}`);
    expect([response.status, await errorMessage(response)]).toEqual([400, OTHER]);
  });

  test('is rejected when it is empty, repeated, or for an operation without pages', async () => {
    const { next, cursor } = await requestFirstPage(`${PATH}?limit=2`);
    const series = '/3.0/alternate/atm-transactions-annual-volume';
    for (const [target, message] of [
      [`${PATH}?limit=2&cursor=`, 'parameter "cursor" is empty; it must be text that is not empty'],
      [`${next}&cursor=${cursor}`, 'parameter "cursor" is given more than once; give it once'],
      [`${next}&%63ursor=x`, 'parameter "cursor" is given more than once; give it once'],
      [`${series}?cursor=${cursor}`, 'unknown parameter "cursor"; allowed: as_of, format'],
      [
        `${PATH}?limit=0&cursor=x`,
        'parameter "limit" must be a whole number from 1 to 10000, in plain digits',
      ],
    ] as const) {
      const response = await service.request(target);
      expect([response.status, await errorMessage(response)]).toEqual([400, message]);
    }
  });

  test('is accepted with reordered parameters, on the alias path and in another format', async () => {
    const { next, cursor } = await requestFirstPage(`${PATH}?from=2026-06-01&limit=2`);
    const expected = await symbolsOf(await service.request(next));
    const other = `/2.0/bnb/quotes?cursor=${cursor}&limit=2&from=2026-06-01`;
    expect(await symbolsOf(await service.request(other))).toEqual(expected);
    const lines = await service.request(other, { accept: 'application/x-ndjson' });
    expect(await symbolsOf(lines)).toEqual(expected);
  });

  test('is accepted after a restart and by another server', async () => {
    const { next } = await requestFirstPage(`${PATH}?from=2026-06-01&limit=4`);
    const expected = await fetchPages(service.request, next);
    const other = await serving({ ...service.store, remove: async () => {} });
    expect(await fetchPages(other.request, next)).toEqual(expected);
  });
});

describe('paging through quotes', () => {
  const day = '2026-06-02';

  test('stays with the ISIN when a security takes it as its symbol', async () => {
    const query = 'symbol=zz1&from=2026-01-01&limit=1';
    const { next } = await requestFirstPage(`${PATH}?${query}`);
    await service.store.publish(quotes, [quote({ date: day, symbol: 'ZZ1' })]);
    const records = (await fetchPages(service.request, next)).flat();
    expect(records.map(({ symbol }) => symbol)).toEqual(['S03', 'S02', 'S03']);
    const anew = (await fetchPages(service.request, `/2.0/bnb/quotes?${query}`)).flat();
    expect(anew.map(({ symbol }) => symbol)).toEqual(['ZZ1']);
  });

  test('as of an instant stays with its revision, with a later instant and without one', async () => {
    const store = await createStore();
    const noon = (date: number) => `2026-08-0${date}T12:00:00Z`;
    for (const date of [1, 2, 3]) {
      const records = generateQuotes([day], 4).map((each) => ({ ...each, lastPrice: date }));
      await publishAt(store, noon(date), quotes, { records });
    }
    const other = await serving(store);
    const first = await other.request(`${PATH}?limit=3`, { 'accept-datetime': noon(2) });
    const next = findLink(first.headers, 'next') ?? '';
    for (const instant of [noon(2), noon(3), '2999-01-01T00:00:00Z', '']) {
      const response = await other.request(next, { 'accept-datetime': instant });
      const memento = instant === '' ? null : 'Sun, 02 Aug 2026 12:00:00 GMT';
      expect(response.headers.get('memento-datetime')).toBe(memento);
      expect(response.headers.get('last-modified')).toBe('Sun, 02 Aug 2026 12:00:00 GMT');
      expect(response.headers.get('tenor-revision')).toBe('2');
      expect(parseRecords(await response.text())).toMatchObject([{ symbol: 'S03', lastPrice: 2 }]);
    }
    for (const instant of [noon(1), '2020-01-01T00:00:00Z']) {
      const response = await other.request(next, { 'accept-datetime': instant });
      expect([response.status, await errorMessage(response)]).toEqual([400, LATER]);
    }
  });
});
