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
      '%s decodes to the body as it is',
      async (name, form) => {
        const asked = { accept: form.mediaType };
        for (const target of targets) {
          const plain = await fetchRaw(service, target, asked);
          // Made, then remembered.
          for (const _ of ['first', 'again']) {
            const sent = await fetchRaw(service, target, { ...asked, 'accept-encoding': encoding });
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
      '%s comes smaller',
      async (target) => {
        const plain = await fetchRaw(service, target);
        const sent = await fetchRaw(service, target, { 'accept-encoding': encoding });
        expect(plain.headers.has('content-encoding')).toBe(false);
        expect(sent.headers.get('content-encoding')).toBe(encoding);
        expect(sent.headers.get('etag')).not.toBe(plain.headers.get('etag'));
        expect(decoded(encoding, sent.bytes)).toEqual(plain.bytes);
      },
    );

    test('an answer of the past comes smaller too', async () => {
      const past = { 'accept-datetime': '2999-01-01T00:00:00Z' };
      const asked = { ...past, 'accept-encoding': encoding };
      const { headers, bytes } = await fetchRaw(service, targets[0] ?? '', asked);
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(headers.has('memento-datetime')).toBe(true);
      const { text } = await fetchRaw(service, targets[0] ?? '', past);
      expect(new TextDecoder().decode(decoded(encoding, bytes))).toBe(text);
    });

    test('a body below 1,024 bytes stays as it is', async () => {
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

test('an answer is made smaller once, however many ask at once, and what it takes is told', async () => {
  const response: HttpResponse = {
    status: 200,
    body: new Blob(['x'.repeat(5_000)]),
    headers: new Headers({ ETag: '"a"' }),
    revision: 1,
    validators: { etag: '"a"' },
    isCompressible: true,
  };
  const told: [HttpResponse, number][] = [];
  const copied: number[] = [];
  const service = {
    responseCache: { addBytes: (of: HttpResponse, bytes: number) => void told.push([of, bytes]) },
    reportAllocatedBytes: (bytes: number) => void copied.push(bytes),
  };
  const asked = (encoding: string) =>
    finalizeResponse(new Headers({ 'accept-encoding': encoding }), response, service);
  const [one, two] = await Promise.all([asked('br'), asked('br')]);
  expect(two).toBe(one as HttpResponse);
  expect(await asked('br')).toBe(one as HttpResponse);
  const other = await asked('gzip');
  expect(told).toEqual([
    [response, one?.body?.size ?? 0],
    [response, other.body?.size ?? 0],
  ]);
  expect(copied).toEqual(told.map(([, bytes]) => 5_000 + bytes));
  expect(await asked('identity')).toBe(response);
});

test('what a client knows is not made smaller for it', async () => {
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
