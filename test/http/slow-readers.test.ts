import { afterEach, expect, test } from 'bun:test';
import { FileStream } from '../../src/operations/exports/file-stream.ts';
import { createSlowReader } from '../support/slow-reader.ts';

const CHUNK = new Uint8Array(65_536);
const MAX_STALL_MS = 150;
const OPTIONS = { hostname: '127.0.0.1', port: 0, development: false };

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

test('a client that stops reading is disconnected, and its place released', async () => {
  const stopped = Promise.withResolvers<void>();
  const { body } = new FileStream(
    createChunks(Number.POSITIVE_INFINITY),
    new AbortController().signal,
    async () => stopped.resolve(),
    MAX_STALL_MS,
  );
  const address = serve(body.bytes);
  const client = createSlowReader(address, '/', 'x');
  await client.hasStarted;
  await stopped.promise;
  expect(await body.completion).toMatchObject({ bytes: expect.any(Number), isTooSlow: true });
  // What was on its way arrives, but not the chunk that ends a complete response.
  const text = await client.readRest().catch(() => '');
  expect(text).not.toEndWith('\r\n0\r\n\r\n');
});

test('a client that waits for a file which is created slowly gets all of it', async () => {
  const chunks = createChunks(3, 2 * MAX_STALL_MS);
  const { body } = new FileStream(
    chunks,
    new AbortController().signal,
    async () => {},
    MAX_STALL_MS,
  );
  const response = await fetch(serve(body.bytes));
  expect((await response.bytes()).length).toBe(3 * CHUNK.length);
  const { bytes, createMs } = await body.completion;
  expect(bytes).toBe(3 * CHUNK.length);
  expect(createMs).toBeGreaterThanOrEqual(5 * MAX_STALL_MS);
});

function serve(bytes: ReadableStream<Uint8Array>): string {
  server = Bun.serve({ ...OPTIONS, fetch: () => new Response(bytes) });
  return String(server.url);
}

async function* createChunks(count: number, delayMs = 0) {
  for (let made = 0; made < count; made++) {
    if (delayMs > 0) await Bun.sleep(delayMs);
    yield CHUNK;
  }
  return undefined;
}
