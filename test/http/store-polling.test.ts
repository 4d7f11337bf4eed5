import { afterEach, expect, jest, setSystemTime, test } from 'bun:test';
import type { LogEvent } from '../../src/event-log.ts';
import { StoreHealth } from '../../src/http/freshness/store-health.ts';
import type { Database } from '../../src/http/pipeline/database.ts';
import { KnownDamage } from '../../src/http/scrub/known-damage.ts';
import { startPollingStore } from '../../src/http/server/poll-store.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../src/store/open-store.ts';

afterEach(() => {
  jest.useRealTimers();
});

/** A context whose store fails while it is set to be unavailable. */
function watched() {
  const events: LogEvent[] = [];
  const emit = (event: LogEvent) => events.push(event);
  const away = { store: false, tokens: false };
  const here = async (isAway: boolean) => {
    if (isAway) throw new StoreUnavailableError('no server answers');
  };
  const storeHealth = new StoreHealth(emit);
  const shared: number[] = [];
  const data = {
    reader: { revision: () => here(away.store).then(() => 7) },
    newestRevision: {
      advanceTo() {},
      shareWithOtherProcesses: (revision: number) => shared.push(revision),
    },
    damage: new KnownDamage(),
    useSourceKeys() {},
  } as unknown as Database;
  const options = {
    replaceable: { database: data, reopenIfReplaced: async () => {} },
    storeHealth,
    tokens: {
      reload: () => here(away.store || away.tokens),
      getSourceKeys: () => undefined,
      saveSettledUses: async () => {},
      flushLastUsed: async () => {},
    },
    eventStreams: { advanceTo: async () => {} },
    emit,
  };
  return { options, storeHealth, events, away, shared };
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    jest.advanceTimersByTime(50);
    for (let iteration = 0; iteration < 10; iteration++) await Promise.resolve();
  }
}

test('a poll shares its revision with other processes before an event tells a client of it', async () => {
  jest.useFakeTimers();
  const { options, shared } = watched();
  const sharedAtEvents: number[][] = [];
  const eventStreams = { advanceTo: async () => void sharedAtEvents.push([...shared]) };
  const stop = startPollingStore({ ...options, eventStreams });
  await pass(300);
  await stop();
  expect(sharedAtEvents[0]).toEqual([7]);
});

test('polling logs once that the store is unreachable, and once that it is back', async () => {
  jest.useFakeTimers();
  const { options, storeHealth, events, away } = watched();
  const stop = startPollingStore(options);
  await pass(1_000);
  expect(storeHealth.unconfirmedSince).toBeUndefined();
  away.store = true;
  await pass(3_000);
  expect(storeHealth.unconfirmedSince).toMatch(/ GMT$/);
  expect(events).toEqual([{ event: 'store.lost', cause: 'no server answers' }]);
  away.store = false;
  await pass(3_000);
  expect(storeHealth.unconfirmedSince).toBeUndefined();
  expect(events.map(({ event }) => event)).toEqual(['store.lost', 'store.back']);
  await stop();
});

test('a poll that takes long is not overtaken by the next one, and polling goes on after it', async () => {
  jest.useFakeTimers();
  const { options } = watched();
  const reloads: PromiseWithResolvers<void>[] = [];
  const reload = () => {
    const pending = Promise.withResolvers<void>();
    reloads.push(pending);
    return pending.promise;
  };
  const stop = startPollingStore({ ...options, tokens: { ...options.tokens, reload } });
  await pass(5_000);
  expect(reloads).toHaveLength(1);
  reloads[0]?.resolve();
  await pass(1_100);
  expect(reloads).toHaveLength(2);
  await stop();
  reloads[1]?.resolve();
  await pass(5_000);
  expect(reloads).toHaveLength(2);
});

test('responses stay confirmed while only tokens cannot be reloaded, which is logged once', async () => {
  jest.useFakeTimers();
  const { options, storeHealth, events, away } = watched();
  const stop = startPollingStore(options);
  away.tokens = true;
  await pass(5_000);
  expect(storeHealth.unconfirmedSince).toBeUndefined();
  const unconfirmed = { event: 'tokens.unconfirmed', cause: 'no server answers' } as const;
  expect(events).toEqual([unconfirmed]);
  away.tokens = false;
  await pass(2_000);
  away.tokens = true;
  await pass(5_000);
  expect(events).toEqual([unconfirmed, unconfirmed]);
  await stop();
});

test('a ledger that is damaged counts as damaged, and the store as reachable', async () => {
  jest.useFakeTimers();
  const { options, storeHealth, events } = watched();
  let reads = 0;
  const advanceTo = async () => {
    reads++;
    throw new StoreDamagedError('a page of the ledger');
  };
  const stop = startPollingStore({ ...options, eventStreams: { advanceTo } });
  await pass(3_000);
  expect(events).toEqual([]);
  expect(storeHealth.unconfirmedSince).toBeUndefined();
  expect([reads, options.replaceable.database.damage.covers(['ledger'])]).toEqual([1, true]);
  await stop();
});

test('responses are unconfirmed since the store was last reached', () => {
  const events: LogEvent[] = [];
  const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number));
  setSystemTime(minute(0));
  const health = new StoreHealth((event) => events.push(event));
  setSystemTime(minute(1));
  health.markReachable();
  setSystemTime(minute(2));
  health.markUnreachable('gone');
  expect(health.unconfirmedSince).toBe(minute(1).toUTCString());
  setSystemTime(minute(4));
  health.markReachable();
  setSystemTime();
  expect(events.at(-1)).toEqual({ event: 'store.back', afterMs: 180_000 });
});
