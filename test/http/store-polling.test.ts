import { afterEach, expect, jest, test } from 'bun:test';
import type { LogEvent } from '../../src/event-log.ts';
import { startPollingStore } from '../../src/http/runtime/poll-store.ts';
import { createStoreHealth } from '../../src/http/runtime/store-health.ts';
import type { ServerContext } from '../../src/http/server-context.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';

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
  const context = {
    reader: { revision: () => here(away.store).then(() => 7) },
    eventStreams: { advanceTo: async () => {} },
    storeHealth: createStoreHealth(emit),
    tokens: { reload: () => here(away.store || away.tokens), flushLastUsed: async () => {} },
    responseCache: { advanceTo: () => false },
    emit,
  } as unknown as ServerContext;
  return {
    service: context,
    followed: { get: () => context, follow: async () => {} },
    events,
    away,
  };
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    jest.advanceTimersByTime(50);
    for (let iteration = 0; iteration < 10; iteration++) await Promise.resolve();
  }
}

test('polling logs once that the store is unreachable, and once that it is back', async () => {
  jest.useFakeTimers();
  const { service: context, followed, events, away } = watched();
  const stop = startPollingStore(followed);
  await pass(1_000);
  expect(context.storeHealth.unconfirmedSince).toBeUndefined();
  away.store = true;
  await pass(3_000);
  expect(context.storeHealth.unconfirmedSince).toMatch(/ GMT$/);
  expect(events).toEqual([{ event: 'store.lost', cause: 'no server answers' }]);
  away.store = false;
  await pass(3_000);
  expect(context.storeHealth.unconfirmedSince).toBeUndefined();
  expect(events.map(({ event }) => event)).toEqual(['store.lost', 'store.back']);
  await stop();
});

test('responses stay confirmed while only tokens cannot be reloaded, which is logged once', async () => {
  jest.useFakeTimers();
  const { service: context, followed, events, away } = watched();
  const stop = startPollingStore(followed);
  away.tokens = true;
  await pass(5_000);
  expect(context.storeHealth.unconfirmedSince).toBeUndefined();
  expect(events).toEqual([{ event: 'tokens.unconfirmed', cause: 'no server answers' }]);
  await stop();
});
