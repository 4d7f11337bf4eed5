import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { ApiClient } from '../../../src/explorer/api/api-client.ts';
import type { QueryFailure } from '../../../src/explorer/api/query-failure.ts';
import { StatePoller } from '../../../src/explorer/api/state-poller.ts';
import type { Tab } from '../../../src/explorer/api/tab.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A service of which a test says what it has, and a poller of it in a tab. */
class World {
  /** The newest revision of the ledger, and of the server that sends data, which may be behind. */
  named = { revision: 2000, publishedAt: 'A' };
  served: World['named'] | undefined;
  status = 200;
  checkpointStatus = 200;
  areFirstAvailable = true;
  isHidden = false;
  readonly requests: string[] = [];
  readonly states: [first: number, shouldRefresh: boolean, revision: number][] = [];
  readonly failures: (QueryFailure['kind'] | undefined)[] = [];
  readonly sentToken: boolean[] = [];
  readonly api: ApiClient;
  poller!: StatePoller;
  #onVisibilityChange: () => void = () => {};

  constructor(asOf?: string) {
    const tab: Tab = {
      baseUrl: new URL('http://localhost/'),
      fetch: async (url, init) => this.#respond(new URL(url), new Headers(init.headers)),
      isHidden: () => this.isHidden,
      onVisibilityChange: (listener) => {
        this.#onVisibilityChange = listener;
      },
    };
    this.api = new ApiClient(tab, 'token', asOf);
  }

  async start(): Promise<this> {
    this.create();
    await this.settle(0);
    return this;
  }

  create(): StatePoller {
    this.poller = new StatePoller(this.api, {
      onPolled: ({ firstRevisions, revision }, shouldRefresh) =>
        void this.states.push([firstRevisions.length, shouldRefresh, revision]),
      onFailure: (failure) => void this.failures.push(failure?.kind),
      onTokenRejected: () => this.poller.stop(),
    });
    return this.poller;
  }

  /** The requests during this time. */
  async settle(ms: number): Promise<string[]> {
    const before = this.requests.length;
    for (let passed = 0; passed <= ms; passed += 500) {
      jest.advanceTimersByTime(Math.min(500, ms));
      for (let step = 0; step < 200; step++) await Promise.resolve();
    }
    return this.requests.slice(before);
  }

  show(isVisible: boolean): void {
    this.isHidden = !isVisible;
    this.#onVisibilityChange();
  }

  #respond({ pathname, searchParams }: URL, headers: Headers): Response {
    this.requests.push(pathname);
    if (pathname === '/ledger/checkpoint') return this.#sendCheckpoint(headers);
    const isFirst = searchParams.get('before') === '101';
    if (isFirst) this.requests.push('first');
    if (isFirst && !this.areFirstAvailable) return new Response(null, { status: 503 });
    if (this.status !== 200) return Response.json({}, { status: this.status });
    const { revision, publishedAt } = this.served ?? this.named;
    const data = [{ revision: isFirst ? 1 : revision, publishedAt }];
    return Response.json(
      { status: 'ok', data: pathname === '/catalogue' ? [] : data },
      {
        headers: {
          'Tenor-Revision': String(revision),
          'Tenor-Published-At': publishedAt,
          ...(pathname !== '/catalogue' && { Link: '</revisions?before=1001>; rel="next"' }),
        },
      },
    );
  }

  #sendCheckpoint(sent: Headers): Response {
    this.sentToken.push(sent.has('authorization'));
    const { revision, publishedAt } = this.named;
    if (this.checkpointStatus !== 200) return Response.json({}, { status: this.checkpointStatus });
    const headers = { ETag: `"${revision} ${publishedAt}"`, 'Tenor-Revision': String(revision) };
    const isSame = sent.get('if-none-match') === headers.ETag;
    return new Response(isSame ? null : 'note', {
      status: isSame ? 304 : 200,
      headers: { ...headers, 'Tenor-Published-At': publishedAt },
    });
  }
}

const CHECKPOINT = '/ledger/checkpoint';
const STATE = ['/catalogue', '/revisions'];
const countReads = (requests: readonly string[]) =>
  requests.filter((path) => path === '/catalogue').length;

test('a page reads the state once, and then only the checkpoint, every five seconds and without a token', async () => {
  const world = await new World().start();
  expect(world.requests.toSorted()).toEqual([...STATE, '/revisions', 'first']);
  expect(await world.settle(20_000)).toEqual(Array(4).fill(CHECKPOINT));
  expect(world.sentToken).toEqual(Array(4).fill(false));
  expect(world.states).toEqual([[1, true, 2000]]);
});

test('a page reads a revision that is published, once, and the first ones not again', async () => {
  const world = await new World().start();
  world.named = { revision: 2001, publishedAt: 'B' };
  expect((await world.settle(5_000)).toSorted()).toEqual([...STATE, CHECKPOINT].toSorted());
  expect(await world.settle(5_000)).toEqual([CHECKPOINT]);
  expect(world.states.map(([, ...state]) => state)).toEqual([
    [true, 2000],
    [true, 2001],
  ]);
});

test.each([
  { revision: 2000, publishedAt: 'other' },
  { revision: 7, publishedAt: 'other' },
])('a page reads another database whose ledger has $revision revisions', async (named) => {
  const world = await new World().start();
  await world.settle(5_000);
  world.named = named;
  expect(countReads(await world.settle(5_000))).toBe(1);
  expect(countReads(await world.settle(20_000))).toBe(0);
  expect(world.states.at(-1)).toEqual([1, true, named.revision]);
});

test('a page reads until the server that it reads has the revision that the checkpoint of another one names', async () => {
  const world = await new World().start();
  world.served = world.named;
  world.named = { revision: 2001, publishedAt: 'B' };
  expect(countReads(await world.settle(15_000))).toBe(3);
  world.served = undefined;
  expect(countReads(await world.settle(15_000))).toBe(1);
  expect(world.states.at(-1)).toEqual([1, true, 2001]);
});

test('a page does not read again and again a server whose checkpoint stays behind its data', async () => {
  const world = await new World().start();
  world.served = { revision: 2001, publishedAt: 'B' };
  world.named = { revision: 1999, publishedAt: 'Z' };
  expect(countReads(await world.settle(30_000))).toBe(1);
});

test('a page without revisions, or without a log, reads what is published first', async () => {
  const empty = new World();
  empty.named = { revision: 0, publishedAt: '' };
  empty.checkpointStatus = 404;
  await empty.start();
  // The console of a browser names requests that fail.
  expect(await empty.settle(5_000)).not.toContain(CHECKPOINT);
  const unsigned = new World();
  unsigned.checkpointStatus = 404;
  await unsigned.start();
  expect(countReads(await unsigned.settle(5_000))).toBe(1);
  expect(countReads(await unsigned.settle(20_000))).toBe(0);
  for (const world of [empty, unsigned]) {
    world.named = { revision: world.named.revision + 1, publishedAt: 'B' };
    world.checkpointStatus = 200;
    await world.settle(5_000);
    expect(world.states.at(-1)).toEqual([1, true, world.named.revision]);
  }
});

test('a page as of an instant reads again whenever the checkpoint changes, which may be before that instant', async () => {
  const world = await new World('2150-01-01T00:00:00Z').start();
  expect(countReads(await world.settle(15_000))).toBe(0);
  world.named = { revision: 2001, publishedAt: 'B' };
  expect(countReads(await world.settle(15_000))).toBe(1);
  expect(world.states.at(-1)?.[2]).toBe(2001);
});

test('a hidden tab requests nothing and looks at once when it is shown, and nothing once it is stopped', async () => {
  const world = await new World().start();
  world.show(false);
  expect(await world.settle(60_000)).toEqual([]);
  world.show(true);
  expect(await world.settle(1)).toEqual([CHECKPOINT]);
  world.poller.stop();
  world.show(true);
  expect(await world.settle(20_000)).toEqual([]);
});

test.each(['checkpoint', 'state'] as const)(
  'a page shows that the service is away by its %s, and reads everything again when it is back',
  async (part) => {
    const world = await new World().start();
    await world.settle(5_000);
    world.named = { revision: 2001, publishedAt: 'B' };
    if (part === 'checkpoint') world.checkpointStatus = 503;
    else world.status = 503;
    await world.settle(10_000);
    expect(world.failures.at(-1)).toBe('temporarily_unavailable');
    world.named = { revision: 2000, publishedAt: 'A' };
    world.checkpointStatus = 200;
    world.status = 200;
    await world.settle(1_500);
    expect(world.failures.at(-1)).toBeUndefined();
    expect(world.states.at(-1)).toEqual([1, true, 2000]);
  },
);

test('a failure of a query is shown until the state was read again after it', async () => {
  const world = await new World().start();
  const failure = { kind: 'network', message: 'gone', requestId: undefined } as const;
  world.poller.reportFailure(failure);
  await world.settle(500);
  expect(world.failures.at(-1)).toBe('network');
  await world.settle(4_000);
  expect(world.failures.at(-1)).toBeUndefined();
  expect(world.states.map(([, shouldRefresh]) => shouldRefresh)).toEqual([true, true, true]);
});

test('a page reads again when a response was of another revision than its catalogue', async () => {
  const world = await new World().start();
  world.api.onOtherRevision();
  expect(countReads(await world.settle(2_000))).toBe(1);
  expect(await world.settle(5_000)).toEqual([CHECKPOINT]);
});

test('a poller that is stopped while it waits for the checkpoint reads nothing more', async () => {
  const world = new World('2150-01-01T00:00:00Z');
  world.create().stop();
  await world.settle(500);
  expect(world.requests).toEqual([CHECKPOINT]);
});

test('a rejected token ends the polls', async () => {
  const world = new World();
  world.status = 401;
  await world.start();
  expect(await world.settle(60_000)).toEqual([]);
});

test('the state does without the first revisions until they can be read', async () => {
  const world = new World();
  world.areFirstAvailable = false;
  await world.start();
  world.areFirstAvailable = true;
  world.api.onOtherRevision();
  await world.settle(2_000);
  expect(world.states).toEqual([
    [0, true, 2000],
    [1, true, 2000],
  ]);
});
