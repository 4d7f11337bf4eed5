import { describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { RESPONSE_FORMATS } from '../../src/catalogue/model/response-format.ts';
import { type BackgroundWork, compress } from '../../src/http/background/background-work.ts';
import { JobScheduler } from '../../src/http/background/job-scheduler.ts';
import type { Database } from '../../src/http/pipeline/database.ts';
import { finalizeResponse } from '../../src/http/pipeline/finalize-response.ts';
import { countBodyBytes, type HttpResponse } from '../../src/http/responses/response.ts';
import { AbandonedError } from '../../src/shared/abandoned-error.ts';
import { OverloadedError } from '../../src/shared/overloaded-error.ts';
import { fetchRaw, pickLastingHeaders } from '../support/fetch-raw.ts';
import { generateQuotes } from '../support/generate-quotes.ts';
import { quote } from '../support/quote-fixture.ts';
import { createTestExchange } from '../support/request-context.ts';
import { createFilledStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
function decode(encoding: string, bytes: Uint8Array): Uint8Array {
  return new Uint8Array(DECODERS[encoding]?.(bytes) ?? []);
}

const QUOTES = '/2.0/bnb/quotes';
const DAY = '2026-06-01';

/** A security whose response has so many bytes. */
function createSecurity(bytes: number) {
  const symbol = `W${bytes}`;
  const plain = quote({ date: '2026-01-01', symbol, isin: '' });
  const rest = JSON.stringify({ status: 'ok', data: [plain] }).length;
  // Of four bytes each, so that there are not more than an ISIN may have.
  const isin = '𝔸'.repeat((bytes - rest) / 4) + 'I'.repeat((bytes - rest) % 4);
  return { symbol, record: { ...plain, isin } };
}

const service = useTestServer(async () => {
  const store = await createFilledStore();
  const edges = [1_023, 1_024].map((bytes) => createSecurity(bytes).record);
  await store.publish(quotes, [...generateQuotes([DAY], 60), ...edges]);
  return store;
});

const targets = [`${QUOTES}?date=${DAY}`, `${QUOTES}?date=${DAY}&limit=40`];

for (const encoding of Object.keys(DECODERS)) {
  describe(encoding, () => {
    test.each(Object.entries(RESPONSE_FORMATS))(
      'a compressed %s response decodes to the plain body',
      async (name, format) => {
        const requestHeaders = { accept: format.mediaType };
        for (const target of targets) {
          const plain = await fetchRaw(service, target, requestHeaders);
          for (const _ of ['store', 'cache']) {
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
            expect(decode(encoding, sent.bytes)).toEqual(plain.bytes);
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
        expect(decode(encoding, sent.bytes)).toEqual(plain.bytes);
      },
    );

    test('a response as of an instant is compressed', async () => {
      const past = { 'accept-datetime': '2999-01-01T00:00:00Z' };
      const requestHeaders = { ...past, 'accept-encoding': encoding };
      const { headers, bytes } = await fetchRaw(service, targets[0] ?? '', requestHeaders);
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(headers.has('memento-datetime')).toBe(true);
      const { text } = await fetchRaw(service, targets[0] ?? '', past);
      expect(new TextDecoder().decode(decode(encoding, bytes))).toBe(text);
    });

    test('a body below 1,024 bytes is not compressed', async () => {
      for (const [bytes, sentAs] of [
        [1_023, null],
        [1_024, encoding],
      ] as const) {
        const target = `${QUOTES}?symbol=${createSecurity(bytes).symbol}`;
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

const createResponse = (body: Blob): HttpResponse => ({
  status: 200,
  body,
  headers: new Headers({ ETag: '"a"' }),
  revision: 1,
  validators: { etag: '"a"' },
  isCompressible: true,
});

/** An exchange over a database with a scheduler and a cache of responses that counts bytes. */
function createExchange(
  headers: Record<string, string>,
  { run = new JobScheduler().run, ...parts }: ExchangeParts = {},
) {
  const { addBytes = () => {}, signal = null } = parts;
  const database = { scheduler: { run }, responseCache: { addBytes }, reportAllocatedBytes() {} };
  return createTestExchange(database, new Request('http://localhost/', { headers, signal }));
}

interface ExchangeParts {
  readonly run?: Database['scheduler']['run'];
  readonly addBytes?: Database['responseCache']['addBytes'];
  readonly signal?: AbortSignal;
}

const runInline: Database['scheduler']['run'] = async (_, __, run) => run();

test('concurrent requests for a response compress it once, and its bytes are counted', async () => {
  const response = createResponse(new Blob(['x'.repeat(5_000)]));
  const addedBytes: [HttpResponse, number][] = [];
  const addBytes = (stored: HttpResponse, bytes: number) => void addedBytes.push([stored, bytes]);
  const finalize = (encoding: string) =>
    finalizeResponse(
      createExchange({ 'accept-encoding': encoding }, { run: runInline, addBytes }),
      response,
    );
  const [first, second] = await Promise.all([finalize('br'), finalize('br')]);
  expect(second).toBe(first as HttpResponse);
  expect(await finalize('br')).toBe(first as HttpResponse);
  const other = await finalize('gzip');
  expect(addedBytes).toEqual([
    [response, countBodyBytes(first?.body ?? '')],
    [response, countBodyBytes(other.body ?? '')],
  ]);
  expect(await finalize('identity')).toBe(response);
});

test('a response that could not be compressed is sent as it is, and compressed for the next client', async () => {
  const response = createResponse(new Blob(['x'.repeat(5_000)]));
  const failures: Error[] = [new OverloadedError(), new Error('a bug')];
  const run: Database['scheduler']['run'] = async (...job) => {
    const failure = failures.shift();
    if (failure) throw failure;
    return runInline(...job);
  };
  const finalize = async () =>
    finalizeResponse(createExchange({ 'accept-encoding': 'br' }, { run }), response);
  expect(await finalize()).toBe(response);
  await expect(finalize()).rejects.toThrow('a bug');
  expect((await finalize()).headers.get('content-encoding')).toBe('br');
});

test('a response that several clients wait for is compressed, though the first of them has gone', async () => {
  const blocked = Promise.withResolvers<void>();
  const scheduler = new JobScheduler({ compress } as BackgroundWork);
  const run: Database['scheduler']['run'] = (...job) => scheduler.run(...job);
  const create = (signal?: AbortSignal) =>
    createExchange({ 'accept-encoding': 'gzip' }, { run, ...(signal && { signal }) });
  // All that one token may run at a time, so that what follows has to wait.
  const others = Array.from({ length: 3 }, () => run(create(), 10, () => blocked.promise));
  const response = createResponse(new Blob(['x'.repeat(200_000)]));
  const gone = new AbortController();
  const first = finalizeResponse(create(gone.signal), response);
  const second = finalizeResponse(create(), response);
  gone.abort();
  blocked.resolve();
  const sent = await second;
  expect(await first).toBe(sent);
  const bytes = await (sent.body as Blob).bytes();
  expect(decode('gzip', bytes)).toHaveLength(200_000);
  await Promise.all(others);
  // One who has gone before it began starts nothing.
  expect(() =>
    finalizeResponse(create(gone.signal), createResponse(new Blob(['x'.repeat(5_000)]))),
  ).toThrow(AbandonedError);
});

test('nothing is compressed for a 304', async () => {
  const body = new Blob(['x'.repeat(5_000)]);
  const fail = () => {
    throw new Error('the body was compressed');
  };
  const headers = { 'accept-encoding': 'br', 'if-none-match': '"a-br"' };
  const sent = finalizeResponse(createExchange(headers, { run: fail }), createResponse(body));
  expect(sent).toMatchObject({ status: 304, body: null });
  expect((await sent).headers.get('etag')).toBe('"a-br"');
});
