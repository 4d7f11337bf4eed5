import { afterEach, expect, jest, test } from 'bun:test';
import type { Event } from '../../src/events.ts';
import { contact } from '../../src/http/contact.ts';
import type { Service } from '../../src/http/needs.ts';
import { watch } from '../../src/http/watch.ts';
import { StoreUnavailable } from '../../src/store/index.ts';

afterEach(() => {
  jest.useRealTimers();
});

/** A service whose store answers as long as nothing is said to be away. */
function watched() {
  const events: Event[] = [];
  const emit = (event: Event) => events.push(event);
  const away = { store: false, tokens: false };
  const here = async (isAway: boolean) => {
    if (isAway) throw new StoreUnavailable('no server answers');
  };
  const service = {
    reader: { revision: () => here(away.store).then(() => 7) },
    contact: contact(emit),
    keyring: { reload: () => here(away.store || away.tokens), flush: async () => {} },
    memory: { advance: () => false },
    emit,
  } as unknown as Service;
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
  const stop = watch(service);
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
  const stop = watch(service);
  away.tokens = true;
  await pass(5_000);
  expect(service.contact.lastAt).toBeUndefined();
  expect(events).toEqual([{ event: 'tokens.unconfirmed', cause: 'no server answers' }]);
  await stop();
});
