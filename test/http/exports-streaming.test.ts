import { afterEach, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { startThread } from '../../src/http/server/thread/start-thread.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';
import { retryUntil, waitUntilStable } from '../support/eventually.ts';
import { createStore, type TestStore } from '../support/store.ts';
import { errorMessage, startTestServer, type TestServer, TOKEN } from '../support/test-server.ts';

const NDJSON = '/exports/quotes.ndjson';
const FUNDS = '/exports/fund-allocation.ndjson';
const BATCH = Array.from({ length: 1_000 }, () => JSON.stringify(quotes.example));
const BATCH_BYTES = BATCH.length * ((BATCH[0]?.length ?? 0) + 1);

let services: TestServer[] = [];
let clients: Download[] = [];
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await Promise.all(services.map((service) => service.stop()));
  services = [];
});

test('a small file is created once for GET, HEAD and ranges', async () => {
  const reads = createEndlessReads(3);
  const service = await startServerWith(await createStore(), reads.records);
  const first = await service.request(NDJSON, {}, 'HEAD');
  expect(first.headers.get('content-length')).toBe(String(3 * BATCH_BYTES));
  const whole = await service.request(NDJSON);
  expect(whole.headers.get('content-length')).toBe(String(3 * BATCH_BYTES));
  const text = await whole.text();
  const part = await service.request(NDJSON, { range: 'bytes=-1000' });
  expect(await part.text()).toBe(text.slice(-1_000));
  const head = await service.request(NDJSON, {}, 'HEAD');
  expect(head.headers.get('content-length')).toBe(String(text.length));
  expect(await (await service.request(NDJSON)).text()).toBe(text);
  expect(reads.started).toBe(1);
});

describe('a large export', () => {
  test('has no Content-Length in the response to HEAD until it is complete', async () => {
    const gate = Promise.withResolvers<void>();
    const service = await startServerWith(await createStore(), yieldBatches(30, gate.promise));
    const head = await service.request(NDJSON, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, null]);
    gate.resolve();
    await retryUntil(30_000, async () => {
      const { headers } = await service.request(NDJSON, {}, 'HEAD');
      expect(headers.get('content-length')).toBe(String(30 * BATCH_BYTES));
    });
  });

  test('is created to its end, once for all clients, also after one has gone', async () => {
    const reads = createEndlessReads(40);
    const service = await startServerWith(await createStore(), reads.records);
    const clients = await Promise.all([1, 2, 3].map(() => startDownload(service, NDJSON)));
    clients[0]?.close();
    clients[1]?.socket.pause();
    await retryUntil(30_000, async () => expect(reads.ended).toBe(1));
    clients[1]?.socket.resume();
    for (const client of clients.slice(1))
      expect(decodeChunked((await client.whole).text)).toHaveLength(40 * BATCH_BYTES);
    expect(reads.started).toBe(1);
  });

  test('that the cache has no room for is created for each client, and no further than it reads', async () => {
    const reads = createEndlessReads();
    const service = await startServerWith(await createStore(), reads.records);
    const client = await startDownload(service, NDJSON);
    await retryUntil(30_000, async () => expect(reads.started).toBe(2));
    client.socket.pause();
    const made = await waitUntilStable(() => reads.batches);
    client.socket.resume();
    await retryUntil(30_000, async () => expect(reads.batches).toBeGreaterThan(made));
    client.close();
    await retryUntil(30_000, async () => expect(reads.ended).toBe(2));
    // Its length is not known: a range is ignored.
    const headers = { authorization: `Bearer ${TOKEN}`, range: 'bytes=5-' };
    const abort = new AbortController();
    const whole = await fetch(service.address + NDJSON, { headers, signal: abort.signal });
    expect([whole.status, whole.headers.get('content-range')]).toEqual([200, null]);
    abort.abort();
    await retryUntil(30_000, async () => expect(reads.ended).toBe(3));
    expect((await service.request('/2.0/bnb/quote')).status).toBe(200);
  });

  test('breaks off the connection if creating it fails, and logs the cause', async () => {
    const service = await startServerWith(
      await createStore(),
      yieldBatches(30, new Error('a wheel came off')),
    );
    const { text, isCut } = await (await startDownload(service, NDJSON)).whole;
    expect(text).toStartWith('HTTP/1.1 200');
    expect(text).not.toEndWith('\r\n0\r\n\r\n');
    expect(isCut).toBeTrue();
    const failed = { event: 'request.failed', cause: expect.stringContaining('a wheel came off') };
    await retryUntil(5_000, async () =>
      expect(service.events).toContainEqual(expect.objectContaining(failed)),
    );
    const logged = service.events.find(({ event }) => event === 'request');
    expect(logged).toMatchObject({ status: 200, bytes: expect.any(Number) });
    await expect(service.request(NDJSON).then((response) => response.bytes())).rejects.toThrow();
  });

  test('responds with an error in JSON if creating it fails before the first byte', async () => {
    const broken = await startServerWith(
      await createStore(),
      yieldBatches(0, new Error('a wheel came off')),
    );
    const response = await broken.request(NDJSON);
    expect(response.status).toBe(500);
    expect(await errorMessage(response)).toBe('internal_error');
    const unavailable = await startServerWith(
      await createStore(),
      yieldBatches(0, new StoreUnavailableError('gone')),
    );
    expect((await unavailable.request(NDJSON)).status).toBe(503);
  });

  test('is completed by a server that stops', async () => {
    const service = await startServerWith(await createStore(), yieldBatches(40));
    const client = await startDownload(service, NDJSON);
    client.socket.pause();
    const stopped = service.stop();
    services = [];
    client.socket.resume();
    await stopped;
    const { text } = await client.whole;
    expect(text).toEndWith('\r\n0\r\n\r\n');
    expect(text.length).toBeGreaterThan(40 * BATCH_BYTES);
  });

  test('has one revision, whatever is published meanwhile, and continues in it', async () => {
    const store = await createStore();
    await store.publish(fundAllocation, createFunds(1));
    const service = await startTestServer(store, { startThread });
    services.push(service);
    const before = await service.request(FUNDS);
    const whole = await before.text();
    const digest = `sha-256=:${new Bun.CryptoHasher('sha256').update(whole).digest('base64')}:`;
    for (const sent of [
      await service.request(FUNDS, {}, 'HEAD'),
      await service.request(`${FUNDS}?as_of=1`, { range: 'bytes=5-9' }),
    ])
      expect(sent.headers.get('repr-digest')).toBe(digest);
    service.events.length = 0;

    const client = await startDownload(service, FUNDS);
    client.socket.pause();
    await store.publish(fundAllocation, createFunds(2));
    // It is not complete yet.
    expect(service.events.filter(({ event }) => event === 'request')).toEqual([]);
    client.socket.resume();
    expect(decodeChunked((await client.whole).text)).toBe(whole);

    const [etag, from] = [before.headers.get('etag') ?? '', 6_000_000];
    const range = { range: `bytes=${from}-` };
    const rest = await service.request(FUNDS, { ...range, 'if-range': etag });
    expect([rest.status, rest.headers.get('repr-digest')]).toEqual([206, digest]);
    const logged = `bytes ${from}-${whole.length - 1}/${whole.length}`;
    expect(rest.headers.get('content-range')).toBe(logged);
    expect(await rest.text()).toBe(whole.slice(from));

    const now = await (await service.request(FUNDS)).text();
    expect(now).not.toBe(whole);
    expect(await (await service.request(FUNDS, range)).text()).toBe(now.slice(from));
    const last = await service.request(FUNDS, { range: 'bytes=-100' });
    expect(await last.text()).toBe(now.slice(-100));
    const beyond = await service.request(FUNDS, { range: `bytes=${now.length}-` });
    expect(beyond.headers.get('content-range')).toBe(`bytes */${now.length}`);
  }, 120_000);
});

type Records = StoreReader['records'];

/** A server whose quotes are replaced; all else is empty. */
async function startServerWith(store: TestStore, records: Records): Promise<TestServer> {
  const reader = () => {
    const original = store.reader();
    const replaced: Records = (dataset, asOf) =>
      dataset === quotes ? records(dataset, asOf) : original.records(dataset, asOf);
    return { ...original, records: replaced };
  };
  // A replaced reader stays on its thread.
  const { readerSource: _, ...singleThreaded } = store;
  const service = await startTestServer({ ...singleThreaded, reader });
  services.push(service);
  return service;
}

/** Reads that do not end, with counters. */
function createEndlessReads(max = Number.POSITIVE_INFINITY) {
  const reads = { started: 0, batches: 0, ended: 0, records };
  async function* records() {
    reads.started++;
    try {
      while (reads.batches++ < max) yield BATCH;
    } finally {
      reads.ended++;
    }
  }
  return reads;
}

const yieldBatches = (batches: number, ending?: Error | Promise<void>): Records =>
  async function* () {
    for (let count = 0; count < batches; count++) {
      if (count === batches - 1) await ending;
      yield BATCH;
    }
    if (ending instanceof Error) throw ending;
  };

/** More than connections hold on their way. */
function createFunds(version: number) {
  const frequency = String(version).repeat(20_000);
  return Array.from({ length: 600 }, (_, index) => ({
    ...fundAllocation.example,
    fund_id: `F${index}`,
    frequency,
  }));
}

interface Download {
  readonly firstBytes: string;
  readonly socket: Socket;
  /** The complete response, and whether the connection was broken off. */
  readonly whole: Promise<{ readonly text: string; readonly isCut: boolean }>;
  close(): void;
}

/** Starts a download, and waits for its first bytes. */
async function startDownload(
  { address }: TestServer,
  target: string,
  secret = TOKEN,
): Promise<Download> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const lines = [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${secret}`];
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<boolean>();
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    started.resolve();
  });
  socket.on('error', () => ended.resolve(true));
  socket.on('close', () => ended.resolve(false));
  await started.promise;
  const whole = ended.promise.then((isBroken) => {
    const text = Buffer.concat(chunks).toString('latin1');
    return { text, isCut: isBroken || !text.endsWith('\r\n0\r\n\r\n') };
  });
  const start = Buffer.concat(chunks).toString('latin1');
  const client = { socket, firstBytes: start, whole, close: () => void socket.destroy() };
  clients.push(client);
  return client;
}

/** The body of a chunked response. */
function decodeChunked(reply: string): string {
  let rest = reply.slice(reply.indexOf('\r\n\r\n') + 4);
  let body = '';
  for (;;) {
    const line = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, line), 16);
    if (size === 0) return body;
    if (Number.isNaN(size)) throw new Error('the response is cut off');
    body += rest.slice(line + 2, line + 2 + size);
    rest = rest.slice(line + 2 + size + 2);
  }
}
