import { describe, expect, setSystemTime, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../src/catalogue/datasets/securities.ts';
import { onlineBankingAnnualVolume as series } from '../../src/catalogue/datasets/series/online-banking-annual-volume.ts';
import {
  evaluatePreconditions,
  type PreconditionResult,
} from '../../src/http/pipeline/finalize-response.ts';
import { DAY_MS } from '../../src/shared/calendar.ts';
import { fetchRaw, pickLastingHeaders } from '../support/fetch-raw.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { publishAt } from '../support/publish-at.ts';
import { getRaw } from '../support/raw-http.ts';
import { createStore } from '../support/store.ts';
import { startTestServer, TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const SECOND = 'Mon, 01 Jun 2026 10:00:00 GMT';
const BEFORE = 'Mon, 01 Jun 2026 09:59:59 GMT';
const AFTER = 'Mon, 01 Jun 2026 10:00:01 GMT';

describe('evaluatePreconditions', () => {
  const atMs = Date.parse('2026-06-01T10:00:00Z');
  const outcome = (headers: Record<string, string>, isAmbiguous = false) =>
    evaluatePreconditions(new Headers(headers), {
      etag: '"a,b"',
      modified: { atMs, isAmbiguous },
    });

  test.each<[string, PreconditionResult]>([
    ['"a,b"', 'unchanged'],
    ['W/"a,b"', 'unchanged'],
    ['*', 'unchanged'],
    [' * ', 'unchanged'],
    ['"x", "a,b"', 'unchanged'],
    ['"x","a,b","y"', 'unchanged'],
    ['W/"x" , , W/"a,b"', 'unchanged'],
    ['"x"', 'send'],
    ['"a,b-gzip"', 'send'],
    ['"A,B"', 'send'],
    ['', 'send'],
    ['a,b', 'send'],
    ['"a,b', 'send'],
    ['"a", "b"', 'send'],
    ['"*"', 'send'],
    ['"x, "a,b"', 'send'],
    ['""', 'send'],
  ])('evaluates If-None-Match: %s to %s', (tags, expected) => {
    expect(outcome({ 'if-none-match': tags })).toBe(expected);
    // With a tag, the date is ignored.
    for (const date of [BEFORE, SECOND, AFTER]) {
      expect(outcome({ 'if-none-match': tags, 'if-modified-since': date })).toBe(expected);
    }
  });

  test.each<[string, PreconditionResult]>([
    [SECOND, 'unchanged'],
    ['Monday, 01-Jun-26 10:00:00 GMT', 'unchanged'],
    ['Mon Jun  1 10:00:00 2026', 'unchanged'],
    [AFTER, 'unchanged'],
    ['Sat Jun 13 10:00:00 2026', 'unchanged'],
    ['Tue, 01 Jan 2999 00:00:00 GMT', 'unchanged'],
    [BEFORE, 'send'],
    ['Monday, 01-Jun-26 09:59:59 GMT', 'send'],
    ['Mon Jun  1 09:59:59 2026', 'send'],
    // Invalid dates are ignored.
    ['', 'send'],
    ['tomorrow', 'send'],
    ['2026-06-01T10:00:00Z', 'send'],
    ['1780308000', 'send'],
    ['Mon, 01 Jun 2026 10:00:00 UTC', 'send'],
    ['Mon, 01 Jun 2026 10:00:00 +0000', 'send'],
    ['Mon, 1 Jun 2026 10:00:00 GMT', 'send'],
    ['Mon, 01 Jum 2026 10:00:00 GMT', 'send'],
    ['Wed, 31 Jun 2026 10:00:00 GMT', 'send'],
    ['Mon, 01 Jun 2026 25:00:00 GMT', 'send'],
    ['Wed, 31 Nov 2026 24:00:00 GMT', 'send'],
    [`${SECOND}, ${SECOND}`, 'send'],
    [`"${SECOND}"`, 'send'],
  ])('evaluates If-Modified-Since: %s to %s', (date, expected) => {
    expect(outcome({ 'if-modified-since': date })).toBe(expected);
  });

  test('sends the response if an earlier version has the same second', () => {
    expect(outcome({ 'if-modified-since': BEFORE }, true)).toBe('send');
    expect(outcome({ 'if-modified-since': SECOND }, true)).toBe('send');
    expect(outcome({ 'if-modified-since': AFTER }, true)).toBe('unchanged');
    expect(outcome({ 'if-none-match': '"a,b"', 'if-modified-since': SECOND }, true)).toBe(
      'unchanged',
    );
  });

  test.each<[Record<string, string>, PreconditionResult]>([
    [{ 'if-match': '"a,b"' }, 'send'],
    [{ 'if-match': '*' }, 'send'],
    [{ 'if-match': '"x", "a,b"' }, 'send'],
    // If-Match compares strongly.
    [{ 'if-match': 'W/"a,b"' }, 'failed'],
    [{ 'if-match': '"x"' }, 'failed'],
    [{ 'if-match': '' }, 'failed'],
    [{ 'if-unmodified-since': SECOND }, 'send'],
    [{ 'if-unmodified-since': AFTER }, 'send'],
    [{ 'if-unmodified-since': BEFORE }, 'failed'],
    [{ 'if-unmodified-since': 'yesterday' }, 'send'],
    [{ 'if-match': '"a,b"', 'if-unmodified-since': BEFORE }, 'send'],
    [{ 'if-match': '"x"', 'if-unmodified-since': AFTER }, 'failed'],
    [{ 'if-match': '"x"', 'if-none-match': '"a,b"' }, 'failed'],
    [{ 'if-match': '"a,b"', 'if-none-match': '"a,b"' }, 'unchanged'],
    [{ 'if-unmodified-since': BEFORE, 'if-none-match': '"a,b"' }, 'failed'],
    [{ 'if-unmodified-since': SECOND, 'if-modified-since': SECOND }, 'unchanged'],
  ])('evaluates %j to %s', (headers, expected) => {
    expect(outcome(headers)).toBe(expected);
  });

  test('ignores dates if the response has none', () => {
    const untimed = (headers: Record<string, string>) =>
      evaluatePreconditions(new Headers(headers), { etag: '"a"' });
    expect(untimed({ 'if-modified-since': AFTER })).toBe('send');
    expect(untimed({ 'if-unmodified-since': BEFORE })).toBe('send');
    expect(untimed({ 'if-none-match': '"a"' })).toBe('unchanged');
  });
});

describe('conditional requests', () => {
  const QUOTES = '/2.0/bnb/quotes';
  const service = useTestServer(async () => {
    const store = await createStore();
    const [first, ...rest] = generateQuotes(['2026-05-29'], 12);
    await publishAt(store, '2026-06-01T10:00:00.100Z', quotes, { records: first ? [first] : [] });
    await publishAt(store, '2026-06-01T10:00:00.900Z', quotes, { records: rest });
    await publishAt(store, '2026-06-01T10:00:00.950Z', series, { records: [series.example] });
    return store;
  });
  const ask = (target: string, headers = {}, method = 'GET') =>
    fetchRaw(service, target, headers, method);

  test.each([
    [`${QUOTES}?limit=5`, {}],
    [`${QUOTES}?limit=5`, { 'accept-encoding': 'br', accept: 'text/csv' }],
    [QUOTES, { prefer: 'count=exact', 'accept-datetime': '2026-06-01T10:00:00.950Z' }],
    [series.paths[0], { accept: 'application/vnd.apache.parquet' }],
    ['/revisions', { 'accept-encoding': 'gzip' }],
    ['/openapi.json', { 'accept-encoding': 'zstd', authorization: '' }],
  ])('%s %j responds 304 with the headers of the response and no body', async (target, headers) => {
    const full = await ask(target, headers);
    const conditionalHeaders = {
      ...headers,
      'if-none-match': `"x", W/${full.headers.get('etag')}`,
    };
    const bodyHeaders = [
      'content-type',
      'content-length',
      'content-encoding',
      'content-disposition',
    ];
    const expected = Object.entries(pickLastingHeaders(full.headers)).filter(
      ([name]) => !bodyHeaders.includes(name),
    );
    for (const method of ['GET', 'HEAD']) {
      const reply = await ask(target, conditionalHeaders, method);
      expect([reply.status, reply.bytes.length]).toEqual([304, 0]);
      expect(pickLastingHeaders(reply.headers)).toEqual(Object.fromEntries(expected));
    }
  });

  test('a 304 ends after its headers, and the next response has a body again', async () => {
    const authorized = `Authorization: Bearer ${TOKEN}`;
    const reply = await getRaw(service.address, QUOTES, authorized, 'If-None-Match: *');
    expect([reply.status, reply.body]).toEqual([304, '']);
    for (const name of ['content-length', 'content-type', 'transfer-encoding']) {
      expect([name, reply.headers.has(name)]).toEqual([name, false]);
    }
    expect((await ask(QUOTES)).headers.get('content-type')).toStartWith('application/json');
  });

  test('an ETag of another format or encoding does not match', async () => {
    const tag = (await ask(QUOTES)).headers.get('etag') ?? '';
    const others = [{ 'accept-encoding': 'gzip' }, { accept: 'text/csv' }];
    for (const headers of others) {
      expect((await ask(QUOTES, { ...headers, 'if-none-match': tag })).status).toBe(200);
      expect((await ask(QUOTES, { ...headers, 'if-match': tag })).status).toBe(412);
    }
  });

  test('Last-Modified is the last change of the dataset, which date conditions compare with', async () => {
    const { headers } = await ask(series.paths[0]);
    expect(headers.get('last-modified')).toBe(SECOND);
    for (const [name, date, status] of [
      ['if-modified-since', SECOND, 304],
      ['if-modified-since', BEFORE, 200],
      ['if-unmodified-since', SECOND, 200],
      ['if-unmodified-since', BEFORE, 412],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await ask(series.paths[0], { [name]: date }, method);
        expect([name, date, reply.status]).toEqual([name, date, status]);
      }
    }
  });

  test('no date tells whether the catalogue is the same, which depends on the token and the program', async () => {
    for (const format of ['json', 'csv']) {
      const target = `/catalogue?format=${format}`;
      const { headers } = await ask(target);
      expect(headers.get('last-modified')).toBeNull();
      expect((await ask(target, { 'if-modified-since': AFTER })).status).toBe(200);
      const conditions = { 'if-none-match': headers.get('etag') ?? '' };
      expect((await ask(target, conditions)).status).toBe(304);
    }
  });

  test('two versions of one second are never taken for each other', async () => {
    // At .100 there was only one of the quotes, with the same Last-Modified.
    const past = { 'accept-datetime': '2026-06-01T10:00:00.100Z' };
    const first = await ask(QUOTES, past);
    expect(first.headers.get('last-modified')).toBe(SECOND);
    expect((await ask(QUOTES)).headers.get('last-modified')).toBe(SECOND);
    const since = { 'if-modified-since': SECOND };
    expect((await ask(QUOTES, { ...past, ...since })).status).toBe(304);
    expect((await ask(QUOTES, since)).status).toBe(200);
    expect((await ask(QUOTES, { 'if-modified-since': AFTER })).status).toBe(304);
    const conditions = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await ask(QUOTES, { ...past, ...conditions })).status).toBe(304);
    expect((await ask(QUOTES, conditions)).status).toBe(200);
  });

  test('Last-Modified is never later than Date, and date conditions have no effect in the future', async () => {
    const store = await createStore();
    const future = new Date(Date.now() + 400 * DAY_MS);
    await publishAt(store, '2026-06-01T10:00:00Z', series, { records: [series.example] });
    await publishAt(store, future.getTime(), quotes, { records: [quotes.example] });
    await using ahead = await startTestServer(store);
    for (const target of [QUOTES, '/exports/quotes.csv']) {
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await ahead.request(target, {}, method);
        const modified = headers.get('last-modified') ?? '';
        expect(Date.parse(modified)).toBeLessThanOrEqual(Date.parse(headers.get('date') ?? ''));
        for (const date of [modified, future.toUTCString()]) {
          const since = { 'if-modified-since': date };
          expect((await ahead.request(target, since, method)).status).toBe(200);
          const unless = { 'if-unmodified-since': date };
          expect((await ahead.request(target, unless, method)).status).toBe(200);
        }
      }
    }
    const earlier = await ahead.request(series.paths[0], { 'if-modified-since': SECOND });
    expect([earlier.status, earlier.headers.get('last-modified')]).toEqual([304, SECOND]);
  });

  test('Last-Modified is not later than Date if Date as Bun sets it would be late', async () => {
    const store = await createStore();
    await using late = await startTestServer(store);
    // Bun's date keeps to the real clock.
    setSystemTime(Date.now() + 5_000);
    await store.publish(quotes, [quotes.example]);
    const { headers } = await late.request(QUOTES, { 'tenor-revision': '1' });
    const [modifiedMs = 0, dateMs] = ['last-modified', 'date'].map((name) =>
      Date.parse(headers.get(name) ?? ''),
    );
    setSystemTime();
    expect(modifiedMs).toBeLessThanOrEqual(dateMs ?? 0);
  });

  test('a list is sent again if both of its datasets changed within one second', async () => {
    const store = await createStore();
    await publishAt(store, '2026-06-01T10:00:00.100Z', quotes, { records: [quotes.example] });
    await publishAt(store, '2026-06-01T10:00:00.900Z', securities, {
      records: [securities.example],
    });
    await using changed = await startTestServer(store);
    const response = await changed.request('/2.0/bnb/securities', { 'if-modified-since': SECOND });
    expect([response.status, response.headers.get('last-modified')]).toEqual([200, SECOND]);
    const later = await changed.request('/2.0/bnb/securities', { 'if-modified-since': AFTER });
    expect(later.status).toBe(304);
  });

  test('conditions do not change error responses', async () => {
    const conditions = { 'if-none-match': '*', 'if-match': '"x"', 'if-modified-since': AFTER };
    for (const [target, headers, status] of [
      [`${QUOTES}?limit=0`, {}, 400],
      [QUOTES, { authorization: '' }, 401],
      ['/nowhere', {}, 404],
      ['/revisions/99', {}, 404],
      ['/3.0/funds/allocation?fund_id=nobody', {}, 200],
      ['/3.0/funds/allocation', {}, 200],
      [QUOTES, { 'accept-datetime': 'never' }, 400],
    ] as const) {
      const plain = await ask(target, headers);
      const reply = await ask(target, { ...headers, ...conditions });
      expect([target, reply.status, reply.text]).toEqual([target, status, plain.text]);
      expect(reply.headers.has('etag')).toBe(false);
      expect(reply.headers.has('last-modified')).toBe(false);
    }
  });

  test('before the first revision a response has an ETag and no Last-Modified', async () => {
    const past = { 'accept-datetime': '2020-01-01T00:00:00Z' };
    const { headers } = await ask(QUOTES, past);
    expect(headers.has('last-modified')).toBe(false);
    const conditions = { ...past, 'if-none-match': headers.get('etag') ?? '' };
    expect((await ask(QUOTES, conditions)).status).toBe(304);
    expect((await ask(QUOTES, { ...past, 'if-modified-since': AFTER })).status).toBe(200);
  });
});
