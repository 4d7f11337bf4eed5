import { afterEach, expect, jest, test } from 'bun:test';
import type { LogEvent } from '../../src/event-log.ts';
import { startPollingStore } from '../../src/http/runtime/poll-store.ts';
import { createStoreHealth } from '../../src/http/runtime/store-health.ts';
import type { ServerContext } from '../../src/http/server-context.ts';
import { StoreUnavailableError } from '../../src/store/open-store.ts';

afterEach(() => {
  jest.useRealTimers();
});

/** A service whose store answers as long as nothing is said to be away. */
function watched() {
  const events: LogEvent[] = [];
  const emit = (event: LogEvent) => events.push(event);
  const away = { store: false, tokens: false };
  const here = async (isAway: boolean) => {
    if (isAway) throw new StoreUnavailableError('no server answers');
  };
  const service = {
    reader: { revision: () => here(away.store).then(() => 7) },
    contact: createStoreHealth(emit),
    keyring: { reload: () => here(away.store || away.tokens), flush: async () => {} },
    memory: { advance: () => false },
    emit,
  } as unknown as ServerContext;
  return { service, events, away };
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    jest.advanceTimersByTime(50);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
}

test('tells once that the store is lost, and once that it is back', async () => {
  jest.useFakeTimers();
  const { service, events, away } = watched();
  const stop = startPollingStore(service);
  await pass(1_000);
  expect(service.contact.lastAt).toBeUndefined();
  away.store = true;
  await pass(3_000);
  expect(service.contact.lastAt).toMatch(/ GMT$/);
  expect(events).toEqual([{ event: 'store.lost', cause: 'no server answers' }]);
  away.store = false;
  await pass(3_000);
  expect(service.contact.lastAt).toBeUndefined();
  expect(events.map(({ event }) => event)).toEqual(['store.lost', 'store.back']);
  await stop();
});

test('answers are confirmed while only the tokens cannot be looked up, which is told once', async () => {
  jest.useFakeTimers();
  const { service, events, away } = watched();
  const stop = startPollingStore(service);
  away.tokens = true;
  await pass(5_000);
  expect(service.contact.lastAt).toBeUndefined();
  expect(events).toEqual([{ event: 'tokens.unconfirmed', cause: 'no server answers' }]);
  await stop();
});
