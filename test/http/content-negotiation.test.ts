import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../src/catalogue/model/response-format.ts';
import {
  negotiateEncoding,
  negotiateFormat,
  prefersExactCount,
} from '../../src/http/request/request-headers.ts';
import { fetchRaw, pickLastingHeaders } from '../support/fetch-raw.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { getRaw } from '../support/raw-http.ts';
import { createFilledStore } from '../support/store.ts';
import { TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

describe('Accept', () => {
  const XLSX = RESPONSE_FORMATS.xlsx.mediaType;
  test.each<[string | null, ResponseFormatName]>([
    [null, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['text/csv', 'csv'],
    ['application/x-ndjson', 'ndjson'],
    ['application/vnd.apache.arrow.stream', 'arrow'],
    ['application/vnd.apache.parquet', 'parquet'],
    [XLSX, 'xlsx'],
    // Letter case, spaces and empty elements do not matter.
    ['TEXT/Csv', 'csv'],
    [' text/csv\t;\tQ=0.5 , ,', 'csv'],
    [',,text/csv', 'csv'],
    // Unknown types get JSON.
    ['image/png', 'json'],
    ['text/html', 'json'],
    ['text/html, image/png;q=0.9', 'json'],
    ['csv', 'json'],
    // Ranges.
    ['text/*', 'csv'],
    ['application/*', 'json'],
    ['image/*', 'json'],
    ['text/html, */*;q=0.1', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'json'],
    ['application/json, text/plain, */*', 'json'],
    // Weights.
    ['application/json;q=0.5, text/csv;q=0.6', 'csv'],
    ['application/json;q=0.6, text/csv;q=0.5', 'json'],
    ['text/csv;q=0.001, image/png', 'csv'],
    ['text/csv;q=0.9, application/x-ndjson', 'ndjson'],
    ['text/csv;q=1.000, application/x-ndjson;q=0.999', 'csv'],
    ['text/csv;q=0.2;ext=1, application/json;q=0.1', 'csv'],
    // Not wanted.
    ['text/csv;q=0', 'json'],
    ['text/csv;q=0.000, application/x-ndjson;q=0.1', 'ndjson'],
    ['application/json;q=0', 'json'],
    ['*/*;q=0', 'json'],
    ['application/json;q=0, */*', 'csv'],
    ['text/csv;q=0, text/*', 'json'],
    // The most precise range counts for a type, whatever its weight and place.
    ['*/*;q=1, text/csv;q=0.5, application/*;q=0.4', 'csv'],
    ['text/csv;q=0.1, text/*;q=0.9, application/json;q=0.5', 'json'],
    ['application/*, application/json;q=0.1', 'ndjson'],
    // Of what is liked equally: what is named, then what is named first.
    ['*/*, text/csv', 'csv'],
    ['text/csv, application/json', 'csv'],
    ['application/json, text/csv', 'json'],
    ['application/x-ndjson;q=0.5, text/csv;q=0.5', 'ndjson'],
    ['application/*;q=0.5, text/csv;q=0.5', 'csv'],
    // Parameters are passed over, with separators in quotes.
    ['text/csv;header=present', 'csv'],
    ['text/csv; charset=utf-8; q=0.5, application/json;q=0.4', 'csv'],
    ['text/csv;x="a,b;q=0";q=0.5, application/json;q=0.4', 'csv'],
    ['text/csv;x="\\",application/json"', 'csv'],
    ['application/json;version=2;q=0.1, application/json, text/csv;q=0.5', 'json'],
    // What is malformed is passed over by itself.
    ['text/csv;q=1.5, application/x-ndjson;q=0.1', 'ndjson'],
    ['text/csv;q=abc', 'json'],
    ['text/csv;q=', 'json'],
    ['text/csv;q=-1', 'json'],
    ['text/csv;q=0.1234', 'json'],
    ['text/csv;q="0.5"', 'json'],
    ['text csv, application/x-ndjson', 'ndjson'],
    [';q=1, text/csv', 'csv'],
    ['"', 'json'],
    ['text/csv, "', 'csv'],
  ])('%j selects %s', (accept, format) => {
    expect(negotiateFormat(accept)).toBe(format);
    // The second result comes from the cache.
    expect(negotiateFormat(accept)).toBe(format);
  });

  test('selects the one known type among a thousand elements', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `x/y${index}`);
    expect(negotiateFormat([...many, 'text/csv;q=0.001', ...many].join())).toBe('csv');
  });
});

describe('Accept-Encoding', () => {
  test.each<[string | null, string | undefined]>([
    [null, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, compress', undefined],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    // Equal ones: zstd, then br, then gzip.
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['gzip, br;q=0.9, zstd;q=0.8', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0', undefined],
    ['*;q=0, gzip', 'gzip'],
    ['zstd;q=0, *', 'br'],
    ['zstd;q=0, br;q=0, *;q=0.1', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0, x-gzip', undefined],
    ['x-gzip;q=0, gzip', 'gzip'],
    // As it is, where that is liked better.
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0, br;q=0.001', 'br'],
    // With nothing acceptable, a body as it is remains.
    ['identity;q=0', undefined],
    ['identity;q=0, *;q=0', undefined],
    ['gzip;q=2, br;q=0.1', 'br'],
    ['gzip;q=1.0;x="a,zstd"', 'gzip'],
    ['"zstd", gzip', 'gzip'],
  ])('%j selects %p', (header, encoding) => {
    expect(negotiateEncoding(header)).toBe(encoding as ReturnType<typeof negotiateEncoding>);
  });
});

test('pathological headers are parsed in linear time', () => {
  // Each of the quotes might open a text that never ends: trying them all would take seconds.
  const quoted = '"\\'.repeat(50_000);
  expect(negotiateFormat(`${quoted}, text/csv`)).toBe('json');
  expect(negotiateEncoding(`gzip, ${quoted}`)).toBe('gzip');
  expect(prefersExactCount(quoted)).toBe(false);
});

describe('content negotiation', () => {
  const service = useTestServer(async () => {
    const store = await createFilledStore();
    await store.publish(quotes, generateQuotes(['2026-07-01'], 12));
    return store;
  });

  const QUOTES = '/2.0/bnb/quotes';
  const SERIES = '/3.0/alternate/atm-transactions-annual-volume';
  const FUND = '/3.0/funds/allocation?fund_id=';
  const VARY = 'Accept, Accept-Encoding, Prefer, Accept-Datetime';

  for (const [name, { mediaType, contentType, extension }] of Object.entries(RESPONSE_FORMATS)) {
    test(`${name} responses name type, file and Vary, also to HEAD`, async () => {
      for (const [target, fileName] of [
        [QUOTES, 'quotes'],
        [SERIES, 'atm-transactions-annual-volume'],
        ['/2.0/bnb/securities', 'securities'],
        ['/3.0/funds', 'funds'],
      ] as const) {
        for (const encoding of ['identity', 'zstd', 'br', 'gzip']) {
          const requestHeaders = { accept: mediaType, 'accept-encoding': encoding };
          const { status, headers, bytes } = await fetchRaw(service, target, requestHeaders);
          expect([status, headers.get('content-type')]).toEqual([200, contentType]);
          const file = name === 'json' ? null : `attachment; filename="${fileName}.${extension}"`;
          expect(headers.get('content-disposition')).toBe(file);
          expect(headers.get('vary')).toBe(VARY);
          expect(headers.get('content-length')).toBe(String(bytes.length));
          const head = await fetchRaw(service, target, requestHeaders, 'HEAD');
          expect([head.status, head.bytes.length]).toEqual([200, 0]);
          expect(pickLastingHeaders(head.headers)).toEqual(pickLastingHeaders(headers));
          const conditions = { ...requestHeaders, 'if-none-match': headers.get('etag') ?? '' };
          const unchanged = await fetchRaw(service, target, conditions);
          expect([unchanged.status, unchanged.headers.get('vary')]).toEqual([304, VARY]);
        }
      }
    });

    test(`${name} is not used for errors, which are JSON`, async () => {
      const accept = { accept: mediaType };
      for (const [target, requestHeaders, status] of [
        [`${QUOTES}?limit=0`, accept, 400],
        [QUOTES, { ...accept, authorization: '' }, 401],
        [QUOTES, { ...accept, 'if-match': '"other"' }, 412],
        [`${QUOTES}/`, accept, 404],
        ['/3.0/funds/allocation', accept, 200],
        [`${FUND}nobody`, accept, 200],
      ] as const) {
        const reply = await fetchRaw(service, target, requestHeaders);
        expect([target, reply.status]).toEqual([target, status]);
        expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(reply.headers.get('content-disposition')).toBeNull();
        expect(JSON.parse(reply.text)).toEqual({ status: 'error', message: expect.any(String) });
      }
      expect((await fetchRaw(service, `${FUND}nobody`, accept)).headers.get('vary')).toBe(VARY);
    });
  }

  test('a request without Accept and Accept-Encoding gets uncompressed JSON', async () => {
    const authorized = `Authorization: Bearer ${TOKEN}`;
    const { headers, body } = await getRaw(service.address, QUOTES, authorized);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.has('content-encoding')).toBe(false);
    expect(JSON.parse(body).data).toHaveLength(12);
  });

  test('two Accept headers count as one list', async () => {
    const lines = [
      'Accept: text/csv;q=0.1',
      'Accept: application/x-ndjson',
      `Authorization: Bearer ${TOKEN}`,
    ];
    const { headers } = await getRaw(service.address, QUOTES, ...lines);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  });

  test.each([
    ['/openapi.json', 'Accept-Encoding'],
    ['/revisions', 'Accept-Encoding, Authorization'],
    ['/revisions/1', 'Accept-Encoding, Authorization'],
  ])('%s responds in JSON whatever Accept prefers, with Vary: %s', async (target, vary) => {
    const { headers } = await fetchRaw(service, target, { accept: 'text/csv' });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('vary')).toBe(vary);
  });

  test.each([
    ['/catalogue', `${VARY}, Authorization`],
    ['/corrections/quotes', VARY],
  ])('%s responds in the format that Accept prefers, with Vary: %s', async (target, vary) => {
    for (const { mediaType, contentType } of Object.values(RESPONSE_FORMATS)) {
      const { headers } = await fetchRaw(service, target, { accept: mediaType });
      expect([headers.get('content-type'), headers.get('vary')]).toEqual([contentType, vary]);
    }
  });
});
