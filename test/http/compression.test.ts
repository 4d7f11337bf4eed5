import { describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { finalizeResponse } from '../../src/http/responses/finalize-response.ts';
import type { HttpResponse } from '../../src/http/responses/response.ts';
import { fetchRaw, pickLastingHeaders } from '../support/fetch-raw.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { quote } from '../support/quote-fixture.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
function decoded(encoding: string, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(decoders[encoding]?.(bytes) ?? []);
}

const QUOTES = '/2.0/bnb/quotes';
const DAY = '2026-06-01';

/** A security whose answer has so many bytes. */
function weighing(bytes: number) {
  const symbol = `W${bytes}`;
  const plain = quote({ date: '2026-01-01', symbol, isin: '' });
  const rest = JSON.stringify({ status: 'ok', data: [plain] }).length;
  // Of four bytes each, so that there are not more than an ISIN may have.
  const isin = '𝔸'.repeat((bytes - rest) / 4) + 'I'.repeat((bytes - rest) % 4);
  return { symbol, record: { ...plain, isin } };
}

const service = useTestServer(async () => {
  const store = await createFilledStore();
  const edges = [1_023, 1_024].map((bytes) => weighing(bytes).record);
  await store.publish(quotes, [...generateQuotes([DAY], 60), ...edges]);
  return store;
});

const targets = [`${QUOTES}?date=${DAY}`, `${QUOTES}?date=${DAY}&limit=40`];

for (const encoding of Object.keys(decoders)) {
  describe(encoding, () => {
    test.each(Object.entries(RESPONSE_FORMATS))(
      'a compressed %s response decodes to the plain body',
      async (name, format) => {
        const requestHeaders = { accept: format.mediaType };
        for (const target of targets) {
          const plain = await fetchRaw(service, target, requestHeaders);
          // Made, then remembered.
          for (const _ of ['first', 'again']) {
            const sent = await fetchRaw(service, target, {
              ...requestHeaders,
              'accept-encoding': encoding,
            });
            expect(sent.headers.get('content-length')).toBe(String(sent.bytes.length));
            if (name === 'parquet' || name === 'xlsx') {
              expect(pickLastingHeaders(sent.headers)).toEqual(pickLastingHeaders(plain.headers));
              expect(sent.bytes).toEqual(plain.bytes);
              continue;
            }
            expect(sent.headers.get('content-encoding')).toBe(encoding);
            expect(sent.bytes.length).toBeLessThan(plain.bytes.length);
            expect(decoded(encoding, sent.bytes)).toEqual(plain.bytes);
            const differing = ['etag', 'content-length', 'content-encoding'];
            const others = ({ headers }: typeof sent) =>
              Object.entries(pickLastingHeaders(headers)).filter(
                ([header]) => !differing.includes(header),
              );
            expect(others(sent)).toEqual(others(plain));
          }
        }
      },
    );

    test.each(['/openapi.json', '/revisions', '/revisions/1'])(
      '%s is compressed',
      async (target) => {
        const plain = await fetchRaw(service, target);
        const sent = await fetchRaw(service, target, { 'accept-encoding': encoding });
        expect(plain.headers.has('content-encoding')).toBe(false);
        expect(sent.headers.get('content-encoding')).toBe(encoding);
        expect(sent.headers.get('etag')).not.toBe(plain.headers.get('etag'));
        expect(decoded(encoding, sent.bytes)).toEqual(plain.bytes);
      },
    );

    test('a response as of an instant is compressed', async () => {
      const past = { 'accept-datetime': '2999-01-01T00:00:00Z' };
      const requestHeaders = { ...past, 'accept-encoding': encoding };
      const { headers, bytes } = await fetchRaw(service, targets[0] ?? '', requestHeaders);
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(headers.has('memento-datetime')).toBe(true);
      const { text } = await fetchRaw(service, targets[0] ?? '', past);
      expect(new TextDecoder().decode(decoded(encoding, bytes))).toBe(text);
    });

    test('a body below 1,024 bytes is not compressed', async () => {
      for (const [bytes, sentAs] of [
        [1_023, null],
        [1_024, encoding],
      ] as const) {
        const target = `${QUOTES}?symbol=${weighing(bytes).symbol}`;
        const plain = await fetchRaw(service, target);
        expect(plain.bytes.length).toBe(bytes);
        const sent = await fetchRaw(service, target, { 'accept-encoding': encoding });
        expect(sent.headers.get('content-encoding')).toBe(sentAs);
        const isSame = sent.headers.get('etag') === plain.headers.get('etag');
        expect(isSame).toBe(sentAs === null);
      }
      for (const target of [`${QUOTES}?limit=0`, '/nowhere', `${QUOTES}?symbol=none`]) {
        const { headers } = await fetchRaw(service, target, { 'accept-encoding': encoding });
        expect(headers.has('content-encoding')).toBe(false);
      }
    });
  });
}

test('concurrent requests for a response compress it once, and its bytes are reported', async () => {
  const response: HttpResponse = {
    status: 200,
    body: new Blob(['x'.repeat(5_000)]),
    headers: new Headers({ ETag: '"a"' }),
    revision: 1,
    validators: { etag: '"a"' },
    isCompressible: true,
  };
  const reportedBytes: [HttpResponse, number][] = [];
  const copied: number[] = [];
  const service = {
    responseCache: {
      addBytes: (of: HttpResponse, bytes: number) => void reportedBytes.push([of, bytes]),
    },
    reportAllocatedBytes: (bytes: number) => void copied.push(bytes),
  };
  const requestHeaders = (encoding: string) =>
    finalizeResponse(new Headers({ 'accept-encoding': encoding }), response, service);
  const [one, two] = await Promise.all([requestHeaders('br'), requestHeaders('br')]);
  expect(two).toBe(one as HttpResponse);
  expect(await requestHeaders('br')).toBe(one as HttpResponse);
  const other = await requestHeaders('gzip');
  expect(reportedBytes).toEqual([
    [response, one?.body?.size ?? 0],
    [response, other.body?.size ?? 0],
  ]);
  expect(copied).toEqual(reportedBytes.map(([, bytes]) => 5_000 + bytes));
  expect(await requestHeaders('identity')).toBe(response);
});

test('nothing is compressed for a 304', async () => {
  const body = new Blob(['x'.repeat(5_000)]);
  body.bytes = () => {
    throw new Error('it was made smaller');
  };
  const response: HttpResponse = {
    status: 200,
    body,
    headers: new Headers({ ETag: '"b"' }),
    revision: 1,
    validators: { etag: '"b"' },
    isCompressible: true,
  };
  const headers = new Headers({ 'accept-encoding': 'br', 'if-none-match': '"b-br"' });
  const collect = () => {
    throw new Error('it was made smaller');
  };
  const sent = finalizeResponse(headers, response, {
    responseCache: { addBytes() {} },
    reportAllocatedBytes: collect,
  });
  expect(sent).toMatchObject({ status: 304, body: null });
  expect((await sent).headers.get('etag')).toBe('"b-br"');
});
