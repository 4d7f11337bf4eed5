import { afterEach, expect, jest, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { Database } from '../../src/http/pipeline/database.ts';
import { ResponseCache } from '../../src/http/responses/response-cache.ts';
import { KnownDamage } from '../../src/http/scrub/known-damage.ts';
import { type FileRequest, FileSender } from '../../src/operations/exports/file-sender.ts';
import { LengthMeasurement } from '../../src/operations/exports/length-measurement.ts';
import { AbandonedError } from '../../src/shared/abandoned-error.ts';
import { createPrincipal } from '../../src/tokens/token-registry.ts';
import { retryUntil } from '../support/eventually.ts';

afterEach(() => {
  jest.useRealTimers();
});

const CHUNK_BYTES = 3 * 1024 * 1024;
const TOTAL = 4 * CHUNK_BYTES;
const REST = { first: CHUNK_BYTES, last: Number.POSITIVE_INFINITY };

/** Files of four chunks, the last of which is not created before `release` is called. */
function startSlowFiles(maxWaitMs: number, chunkBytes = CHUNK_BYTES) {
  const slow = Promise.withResolvers<void>();
  const counts = { started: 0, ended: 0 };
  async function* exportFile(_: unknown, signal: AbortSignal) {
    counts.started++;
    try {
      for (let index = 0; index < 4; index++) {
        const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
        if (index === 3) await Promise.race([slow.promise, aborted]);
        if (signal.aborted) return undefined;
        yield new Uint8Array(chunkBytes).fill(index);
      }
    } finally {
      counts.ended++;
    }
    return undefined;
  }
  const responseCache = new ResponseCache(1_000_000);
  const scheduler = { background: { exportFile } };
  const newestRevision = { revision: 1 };
  const parts = { scheduler, responseCache, newestRevision, damage: new KnownDamage() };
  const database = parts as unknown as Database;
  const sender = new FileSender(maxWaitMs);
  const createRequest = ({ signal }: AbortController, tokenId: string): FileRequest => {
    const view = { revision: 1, namedBy: 'nothing' } as const;
    const version = { dataset: quotes, view, lastChange: undefined };
    const principal = createPrincipal(tokenId);
    const exchange = { database, headers: new Headers(), principal, signal };
    return { exchange, version, format: 'csv' };
  };
  return {
    send: (client = new AbortController(), tokenId = 't') =>
      sender.send(createRequest(client, tokenId), REST),
    sendWhole: (client = new AbortController()) => sender.send(createRequest(client, 't')),
    counts,
    release: slow.resolve,
  };
}

test('the rest of a file whose length takes long to measure is sent to a client that comes back', async () => {
  const { send, counts, release } = startSlowFiles(20);
  expect(await send()).toBeUndefined();
  // All that come back wait for one measurement, of whatever token.
  expect(await Promise.all([send(), send(undefined, 'other')])).toEqual([undefined, undefined]);
  const starts = 3;
  expect(counts).toEqual({ started: starts + 1, ended: starts });
  release();
  await retryUntil(5_000, async () => expect(counts.ended).toBe(starts + 1));
  const transfer = await send();
  expect(transfer?.part).toEqual({ span: { from: CHUNK_BYTES, to: TOTAL }, total: TOTAL });
  const bytes = await new Response(transfer?.stream?.bytes).bytes();
  expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([TOTAL - CHUNK_BYTES, 1, 3]);
});

test('the length of a file is no longer measured once the client that waits for it has gone', async () => {
  const { send, counts, release } = startSlowFiles(60_000);
  const client = new AbortController();
  const sent = send(client);
  await retryUntil(5_000, async () => expect(counts.started).toBe(2));
  client.abort();
  await expect(sent).rejects.toBeInstanceOf(AbandonedError);
  await retryUntil(5_000, async () => expect(counts.ended).toBe(2));
  // What it had come to is not taken for the length.
  release();
  expect((await send())?.part?.total).toBe(TOTAL);
});

test('a small file that was not finished, as its client had gone, is not kept for others', async () => {
  const { sendWhole, counts, release } = startSlowFiles(60_000, 1_000);
  const client = new AbortController();
  const abandoned = sendWhole(client);
  await retryUntil(5_000, async () => expect(counts.started).toBe(1));
  client.abort();
  await abandoned;
  release();
  for (let round = 0; round < 2; round++) {
    const { body } = (await sendWhole()) ?? {};
    expect((body as Blob).size).toBe(4_000);
  }
  expect(counts).toEqual({ started: 2, ended: 2 });
});

test('a length is measured for five minutes after the last client has left, and while one waits', async () => {
  jest.useFakeTimers();
  const release = Promise.withResolvers<void>();
  let signal = new AbortController().signal;
  const measurement = new LengthMeasurement(
    async function* (given) {
      signal = given;
      await release.promise;
      yield new Uint8Array(1);
      return undefined;
    },
    () => {},
  );
  const leave = async () => {
    const left = measurement.wait(new AbortController().signal, 1_000);
    jest.advanceTimersByTime(1_000);
    expect(await left).toBe(false);
  };
  await leave();
  const waiting = measurement.wait(new AbortController().signal, 900_000);
  jest.advanceTimersByTime(800_000);
  expect(signal.aborted).toBe(false);
  jest.advanceTimersByTime(100_000);
  expect(await waiting).toBe(false);
  jest.advanceTimersByTime(299_000);
  expect(signal.aborted).toBe(false);
  jest.advanceTimersByTime(1_000);
  expect(signal.aborted).toBe(true);
  release.resolve();
});
