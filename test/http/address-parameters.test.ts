import { describe, expect, test } from 'bun:test';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import type { Operation } from '../../src/catalogue/model/operation.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { listOperations } from '../../src/openapi/document.ts';
import { readFixture } from '../support/fixtures.ts';
import { findLink } from '../support/follow-links.ts';
import { listOperationTargets } from '../support/operation-targets.ts';
import { publishAt } from '../support/publish-at.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { errorMessage } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const QUOTES = quotes.paths[0];
const FUND = `${fundAllocation.paths[0]}?fund_id=`;
const IMMUTABLE = 'private, max-age=31536000, immutable';
/** Targets whose responses another release may compute or describe otherwise. */
const COMPUTED =
  /^\/(?:2\.0\/bnb\/(?:curve|analytics|cashflows|price|portfolio)|catalogue|aligned|datapackage\.json)\?/;

/** A revision a day: each dataset, then a correction of all quotes. */
const publications = [...catalogue, quotes];
const NEWEST = publications.length;
const formatInstant = (revision: number) =>
  `2026-07-${String(revision).padStart(2, '0')}T10:00:00.500Z`;

async function publishDaily(store: TestStore): Promise<TestStore> {
  for (const [index, dataset] of publications.entries()) {
    const records = readFixture(dataset);
    const isCorrection = index === catalogue.length;
    await publishAt(store, formatInstant(index + 1), dataset, {
      records: isCorrection ? records.map((record) => ({ ...record, volume: 1 })) : records,
    });
  }
  return store;
}

const [fund] = readFixture(fundAllocation) as [{ fund_id: string }];

/** A target of every operation that takes the parameter, with examples of what it requires. */
function listTargets(parameter: string): string[] {
  const targets = listOperationTargets().filter(({ parameters }) => parameter in parameters);
  return targets.map(({ target }) => target);
}

test('every operation that takes Accept-Datetime takes as_of', () => {
  const operations = listOperations(catalogue).filter(({ supportsAsOf }) => supportsAsOf);
  for (const { name, parameters, isTabular } of [...catalogue, ...operations] as Operation[]) {
    const expected = name === 'exports' ? ['as_of'] : ['as_of', 'format'];
    expect([name, Object.keys(parameters)]).toEqual([name, expect.arrayContaining(expected)]);
    if (isTabular) expect(parameters.format?.parse('xlsx')).toBe('xlsx');
  }
});

describe('parameters instead of headers', () => {
  let store: TestStore;
  const service = useTestServer(async () => {
    store = await publishDaily(await createStore());
    return store;
  });
  const getBytes = async (response: Response) =>
    Buffer.from(await response.arrayBuffer()).toString('hex');

  test.each(listTargets('as_of'))(
    '%s is the same by as_of as by Accept-Datetime',
    async (target) => {
      const revision = catalogue.length;
      const instant = formatInstant(revision);
      const byHeader = await service.request(target, { 'accept-datetime': instant });
      const byNumber = await service.request(`${target}&as_of=${revision}`);
      const byInstant = await service.request(`${target}&as_of=${instant}`);
      const byDay = await service.request(`${target}&as_of=${instant.slice(0, 10)}`);
      const expected = await getBytes(byHeader);
      for (const response of [byNumber, byInstant, byDay]) {
        expect(response.status).toBe(200);
        for (const name of ['etag', 'tenor-revision', 'memento-datetime', 'last-modified', 'vary'])
          expect([name, response.headers.get(name)]).toEqual([name, byHeader.headers.get(name)]);
        expect(await getBytes(response)).toBe(expected);
      }
      expect(byNumber.headers.get('tenor-revision')).toBe(String(revision));
      expect(byNumber.headers.get('cache-control')).toBe(
        COMPUTED.test(target) ? 'private, no-cache' : IMMUTABLE,
      );
      for (const { headers } of [byHeader, byInstant, byDay])
        expect(headers.get('cache-control')).toBe('private, no-cache');
    },
  );

  // Each operation in two formats, each format by several operations.
  const formats = Object.entries(RESPONSE_FORMATS);
  const inTwo = listTargets('format').map((target, index) => {
    const start = (2 * index) % formats.length;
    return [target, [...formats, ...formats].slice(start, start + 2)] as const;
  });
  test.each(inTwo)('%s is the same by format as by Accept', async (target, two) => {
    for (const [format, { mediaType }] of two) {
      const byHeader = await service.request(target, { accept: mediaType });
      const response = await service.request(`${target}&format=${format}`, {
        accept: format === 'csv' ? 'application/json' : 'text/csv',
      });
      if (response.status === 400) {
        const allowed = target.startsWith('/releases') ? 'one of json, ics' : 'json';
        expect(await errorMessage(response)).toBe(`parameter "format" must be ${allowed}`);
        continue;
      }
      for (const name of ['content-type', 'content-disposition', 'etag', 'vary'])
        expect([name, response.headers.get(name)]).toEqual([name, byHeader.headers.get(name)]);
      expect(await getBytes(response)).toBe(await getBytes(byHeader));
    }
  });

  test('as_of wins over Accept-Datetime, valid or not', async () => {
    for (const header of [formatInstant(1), 'yesterday']) {
      const { headers } = await service.request(`${QUOTES}?as_of=3`, {
        'accept-datetime': header,
      });
      expect(headers.get('tenor-revision')).toBe('3');
    }
  });

  test.each([
    ['2026-07-02', 2],
    ['2026-07-02T10:00:00Z', 2],
    ['2026-07-02T10:00:00.499Z', 1],
    ['2026-07-02T15:00:00+05:00', 2],
    ['2026-07-02T15%3A00%3A00%2B05%3A00', 2],
    ['2026-06-30', 0],
    ['2100-01-01', NEWEST],
    ['9999-12-31', NEWEST],
  ])('as_of=%s is revision %d', async (asOf, revision) => {
    const { status, headers } = await service.request(`${QUOTES}?as_of=${asOf}`);
    expect([status, headers.get('tenor-revision')]).toEqual([200, String(revision)]);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.has('memento-datetime')).toBe(true);
  });

  test.each([
    ...['0', '-1', '007', '1.0', '1e2', '+1', 'yesterday', '2026-02-30', '2026-7-2'],
    ...['2026-07-02T10:00:00', 'Thu, 02 Jul 2026 10:00:00 GMT', '2026-07-02T15:00:00  05:00', ','],
  ])('as_of=%s is rejected', async (asOf) => {
    const response = await service.request(`${QUOTES}?as_of=${asOf}`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(await errorMessage(response)).toStartWith(
      'parameter "as_of" must be the number of a revision, a calendar day as YYYY-MM-DD',
    );
  });

  test.each([String(NEWEST + 1), '99999999999999999999'])(
    'as_of=%s is rejected while there is no such revision',
    async (asOf) => {
      for (const target of ['/catalogue', '/exports/quotes.csv', '/corrections/quotes', QUOTES]) {
        const response = await service.request(`${target}?as_of=${asOf}`);
        expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
        expect(await errorMessage(response)).toBe(
          `parameter "as_of" is the number of a revision that does not exist; the newest is ${NEWEST}`,
        );
      }
    },
  );

  test('a missing fund comes before what is wrong with as_of and format', async () => {
    for (const query of ['as_of=999', 'as_of=x', 'format=xml', 'as_of=999&format=csv']) {
      const missing = await service.request(`${FUND}nobody&${query}`);
      expect([missing.status, await errorMessage(missing)]).toEqual([200, 'no_record_found']);
      expect((await service.request(`${FUND}${fund.fund_id}&${query}`)).status).toBe(400);
    }
    const missing = await service.request(`${FUND}nobody&as_of=2`);
    expect(missing.headers.get('cache-control')).toBe(IMMUTABLE);
  });

  test('pages keep as_of and format, and name the time gate without as_of', async () => {
    const target = `${QUOTES}?from=2000-01-01&as_of=1&limit=1&format=csv`;
    const first = await service.request(target);
    const next = findLink(first.headers, 'next') ?? '';
    expect(next).toStartWith(`${target}&cursor=`);
    expect(findLink(first.headers, 'original timegate')).toBe(target.replace('&as_of=1', ''));
    const second = await service.request(next);
    expect(second.headers.get('content-type')).toStartWith('text/csv');
    expect(second.headers.get('tenor-revision')).toBe('1');
    expect(second.headers.get('cache-control')).toBe(IMMUTABLE);
    const later = await service.request(next.replace('as_of=1', 'as_of=13'));
    expect(later.headers.get('tenor-revision')).toBe('1');
  });

  test('a pinned response is not modified if the client has it', async () => {
    const target = `${QUOTES}?as_of=2`;
    const etag = (await service.request(target)).headers.get('etag') ?? '';
    const { status, headers } = await service.request(target, { 'if-none-match': etag });
    expect([status, headers.get('cache-control')]).toEqual([304, IMMUTABLE]);
  });

  test('a revision can be requested as soon as it is published, whoever asked for it before', async () => {
    const target = `${QUOTES}?as_of=${NEWEST + 1}`;
    expect((await service.request(target)).status).toBe(400);
    await publishAt(store, '2026-08-01T00:00:00Z', quotes, { records: readFixture(quotes) });
    const { status, headers } = await service.request(target);
    expect([status, headers.get('cache-control')]).toEqual([200, IMMUTABLE]);
  });
});
