import { describe, expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/quotes.ts';
import type { Event } from '../../src/events.ts';
import { handle, type Service } from '../../src/http/handle.ts';
import { memory } from '../../src/http/memory.ts';
import { StoreUnavailable } from '../../src/store/index.ts';

const route = { path: '/2.0/bnb/quote', dataset: quotes };
const holder = {
  id: 't',
  scopes: new Set(['quotes']),
  rate: null,
  expiresAtMs: Infinity,
  usedAtMs: 0,
};

/** A service whose reader or keyring fails. */
function failing(part: Partial<Service>): { service: Service; events: Event[] } {
  const events: Event[] = [];
  const service: Service = {
    reader: { revision: async () => 0, read: async () => fail(), close() {} },
    keyring: { find: () => holder, reload: async () => {}, flush: async () => {} },
    limit: () => undefined,
    memory: memory(1_000),
    collect: () => {},
    emit: (event) => events.push(event),
    ...part,
  };
  return { service, events };
}

function fail(): never {
  throw new Error('secret cause');
}

const request = () =>
  new Request('http://x/2.0/bnb/quote', {
    headers: { authorization: 'Bearer a', 'x-request-id': 'r1' },
  });

describe('when something breaks', () => {
  test.each([
    ['reading', {}],
    [
      'a look-up of the token',
      { keyring: { find: fail, reload: async () => {}, flush: async () => {} } },
    ],
  ])('%s gives 500; the cause is logged with the request id, never sent', async (_, part) => {
    const { service, events } = failing(part);
    const response = await handle(service, request(), route);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"status":"error","message":"internal_error"}');
    expect(response.headers.get('x-request-id')).toBe('r1');
    const [logged] = events;
    expect(logged).toMatchObject({ event: 'request.failed', requestId: 'r1' });
    expect(JSON.stringify(logged)).toContain('secret cause');
  });

  test('a store out of reach gives 503 with Retry-After', async () => {
    const read = async () => {
      throw new StoreUnavailable('disk gone');
    };
    const { service, events } = failing({
      reader: { revision: async () => 0, read, close() {} },
    });
    const response = await handle(service, request(), route);
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('{"status":"error","message":"temporarily_unavailable"}');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(events[0]).toEqual({ event: 'store.unavailable', requestId: 'r1', cause: 'disk gone' });
  });
});
