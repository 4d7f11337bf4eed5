import { afterEach, expect, test } from 'bun:test';
import { Catalogues, NONE_DECLARED } from '../../src/catalogue/catalogues.ts';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { EventStream } from '../../src/operations/events/event-stream.ts';
import { EventStreams } from '../../src/operations/events/event-streams.ts';
import type { Revision, RevisionFilter } from '../../src/store/open-store.ts';
import type { Principal } from '../../src/tokens/principal.ts';
import { createEventReader } from '../support/read-events.ts';

const TICK_MS = 2;
const LIMITS = { max: 5, maxPerToken: 3 };
const NEVER = new AbortController().signal;

const createPrincipal = (id: string, ...scopes: string[]): Principal => ({
  id,
  scopes: new Set(scopes),
  rate: undefined,
  expiresAtMs: Number.POSITIVE_INFINITY,
  lastUsedAtMs: 0,
});
const ALL = createPrincipal('all', 'quotes', 'funds');

/** Odd revisions are of quotes, even ones of funds. */
function createLedger() {
  let queries = 0;
  const toRevision = (revision: number): Revision => ({
    revision,
    dataset: revision % 2 === 1 ? quotes.name : fundAllocation.name,
    publishedAt: '2026-01-01T00:00:00.000Z',
    source: 'x'.repeat(1_000),
    files: [],
    author: 'test',
    sample: false,
    added: 1,
    corrected: 0,
    retired: 0,
    unchanged: 0,
  });
  return {
    get queries() {
      return queries;
    },
    async revisions({ before = 0, limit = 0 }: RevisionFilter = {}) {
      queries++;
      await Bun.sleep(1);
      const count = Math.min(limit, before - 1);
      return Array.from({ length: count }, (_, index) => toRevision(before - 1 - index));
    },
  };
}

const DATASETS = [quotes, fundAllocation];
const catalogues = new Catalogues(DATASETS, { declarations: () => NONE_DECLARED });
const created: EventStreams[] = [];
afterEach(() => {
  for (const streams of created.splice(0)) streams.stop();
});

function createStreams(isValid: (principal: Principal) => boolean = () => true): EventStreams {
  const streams = new EventStreams({ isValid }, LIMITS, TICK_MS);
  created.push(streams);
  return streams;
}

interface OpenOptions {
  readonly principal?: Principal;
  readonly after: number;
  readonly newest: number;
  readonly reader?: ReturnType<typeof createLedger>;
  readonly signal?: AbortSignal;
}

function open(streams: EventStreams, options: OpenOptions) {
  const { reader = createLedger(), ...others } = options;
  const body = streams.open({
    principal: ALL,
    source: { reader, catalogues },
    signal: NEVER,
    ...others,
  });
  return { ...createEventReader(body.bytes), completion: body.completion };
}

async function readIds(client: ReturnType<typeof open>, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push((await client.nextEvent())?.id ?? Number.NaN);
  return ids;
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('a client that missed a thousand revisions gets them in order, and those published meanwhile', async () => {
  const streams = createStreams();
  const reader = createLedger();
  const client = open(streams, { after: 3, newest: 1_003, reader });
  const start = await readIds(client, 300);
  await streams.advanceTo({ reader, catalogues }, 1_200);
  const remaining = await readIds(client, 897);
  expect([...start, ...remaining]).toEqual(range(4, 1_200));
  await streams.advanceTo({ reader, catalogues }, 1_201);
  expect(await readIds(client, 1)).toEqual([1_201]);
});

test('a client that missed many declarations has them read once for a page of revisions', async () => {
  const read: number[] = [];
  const declarations = (since: number) => {
    read.push(since);
    return { since, declarations: [], retired: [] };
  };
  const source = { reader: createLedger(), catalogues: new Catalogues(DATASETS, { declarations }) };
  const request = { principal: ALL, after: 0, newest: 1_000, signal: NEVER };
  const { bytes, completion } = createStreams().open({ source, ...request });
  const client = { ...createEventReader(bytes), completion };
  expect(await readIds(client, 1_000)).toEqual(range(1, 1_000));
  expect(read).toEqual([200, 400, 600, 800, 1_000]);
});

test('a client that missed many revisions of other scopes lets other requests run in between', async () => {
  const streams = createStreams();
  let queries = 0;
  const reader = {
    async revisions() {
      queries++;
      return [];
    },
  };
  const principal = createPrincipal('none');
  const body = streams.open({
    principal,
    source: { reader, catalogues },
    signal: NEVER,
    after: 0,
    newest: 100_000,
  });
  const client = createEventReader(body.bytes);
  await client.next();
  client.next();
  await Bun.sleep(0);
  expect(queries).toBeGreaterThan(0);
  expect(queries).toBeLessThan(100);
});

test('one query feeds all clients, each with the revisions of its scopes', async () => {
  const streams = createStreams();
  const reader = createLedger();
  const clients = [ALL, ALL, createPrincipal('q', 'quotes'), createPrincipal('f', 'funds')].map(
    (principal) => open(streams, { principal, after: 10, newest: 10, reader }),
  );
  for (const client of clients) await client.next();
  const ids = clients.map((client, index) => readIds(client, index < 2 ? 4 : 2));
  // Each client asks for more before there is anything new.
  await Bun.sleep(0);
  await streams.advanceTo({ reader, catalogues }, 14);
  expect(await Promise.all(ids)).toEqual([range(11, 14), range(11, 14), [11, 13], [12, 14]]);
  expect(reader.queries).toBe(1);
});

test('a revision that a client knew before the poll noticed it is not sent again', async () => {
  const streams = createStreams();
  const reader = createLedger();
  open(streams, { after: 5, newest: 5, reader });
  const ahead = open(streams, { after: 6, newest: 6, reader });
  await ahead.next();
  await streams.advanceTo({ reader, catalogues }, 6);
  await streams.advanceTo({ reader, catalogues }, 7);
  expect(await readIds(ahead, 1)).toEqual([7]);
  const later = open(streams, { after: 8, newest: 8, reader });
  await later.next();
  const ids = readIds(later, 1);
  await Bun.sleep(0);
  await streams.advanceTo({ reader, catalogues }, 9);
  expect(await ids).toEqual([9]);
});

test('without clients nothing is read', async () => {
  const streams = createStreams();
  const reader = createLedger();
  await streams.advanceTo({ reader, catalogues }, 5);
  const controller = new AbortController();
  const client = open(streams, { after: 5, newest: 5, reader, signal: controller.signal });
  await client.next();
  controller.abort();
  await client.completion;
  await streams.advanceTo({ reader, catalogues }, 9);
  expect([streams.count, reader.queries]).toEqual([0, 0]);
});

test('comments come while nothing is published', async () => {
  const client = open(createStreams(), { after: 1, newest: 1 });
  expect(await client.next()).toBe(': revisions follow as they are published');
  expect([await client.next(), await client.next()]).toEqual([':', ':']);
});

test('a stream ends when its token is no longer valid', async () => {
  const valid = new Set(['all']);
  const streams = createStreams(({ id }) => valid.has(id));
  const client = open(streams, { after: 1, newest: 1 });
  await client.next();
  valid.clear();
  expect(await client.nextEvent()).toBeUndefined();
  expect(streams.count).toBe(0);
});

test('a replaced database ends all streams, and revisions start anew', async () => {
  const streams = createStreams();
  const reader = createLedger();
  const client = open(streams, { after: 50, newest: 50, reader });
  await client.next();
  const advancing = streams.advanceTo({ reader, catalogues }, 60);
  streams.restart();
  await advancing;
  expect(await client.nextEvent()).toBeUndefined();
  const other = open(streams, { after: 7, newest: 7, reader });
  await other.next();
  const ids = readIds(other, 1);
  await Bun.sleep(5);
  expect(Bun.peek.status(ids)).toBe('pending');
  await streams.advanceTo({ reader, catalogues }, 8);
  expect(await ids).toEqual([8]);
});

test('there are limits for a token and for all, and none are opened while the server stops', () => {
  const streams = createStreams();
  const principals = [1, 2].map((id) => createPrincipal(String(id), 'quotes'));
  const openFor = (principal: Principal | undefined) =>
    open(streams, { principal: principal ?? ALL, after: 1, newest: 1 });
  for (const _ of range(1, 3)) openFor(principals[0]);
  expect(streams.findObstacle(principals[0] ?? ALL)).toBe('tooManyOfToken');
  expect(streams.findObstacle(ALL)).toBeUndefined();
  for (const _ of range(1, 2)) openFor(principals[1]);
  expect(streams.findObstacle(ALL)).toBe('tooMany');
  streams.stop();
  expect(streams.count).toBe(0);
  expect(streams.findObstacle(ALL)).toBe('stopping');
});

test('a client that does not read is disconnected, and the others get on', async () => {
  const streams = createStreams();
  const reader = createLedger();
  const idle = open(streams, { after: 0, newest: 0, reader });
  const client = open(streams, { after: 0, newest: 0, reader });
  for (const { next } of [idle, client]) await next();
  idle.next();
  // Events of a kilobyte each; what waits for one client is bounded.
  for (let newest = 100; newest <= 500; newest += 100) {
    await streams.advanceTo({ reader, catalogues }, newest);
    expect(await readIds(client, 100)).toEqual(range(newest - 99, newest));
  }
  expect(await idle.completion).toMatchObject({ isTooSlow: true });
  expect(streams.count).toBe(1);
});

test('what waits for a client is at most 256 KiB', async () => {
  const options = { after: 0, commentTick: 0, onWaiting() {}, onEnd() {} };
  const stream = new EventStream(ALL, NEVER, options);
  stream.send(new Uint8Array(262_144));
  await Bun.sleep(0);
  expect(Bun.peek.status(stream.body.completion)).toBe('pending');
  stream.send(new Uint8Array(1));
  expect(await stream.body.completion).toMatchObject({ isTooSlow: true });
});

test('a client that reads nothing for a minute is disconnected, whatever waits for it', async () => {
  const streams = createStreams();
  const idle = open(streams, { after: 0, newest: 900 });
  await idle.next();
  expect(await idle.completion).toMatchObject({ isTooSlow: true });
  expect(streams.count).toBe(0);
});

test('a ledger that cannot be read breaks the stream off with the cause', async () => {
  const cause = new Error('disk gone');
  const reader = { ...createLedger(), revisions: () => Promise.reject(cause) };
  const client = open(createStreams(), { after: 1, newest: 5, reader });
  await client.next();
  client.nextEvent().catch(() => {});
  expect(await client.completion).toMatchObject({ cause });
});
