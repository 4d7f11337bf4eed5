import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { quotes } from '../../src/catalogue/quotes.ts';
import type { Event } from '../../src/events.ts';
import { changed } from '../../src/http/answers/changed.ts';
import { memory } from '../../src/http/answers/memory.ts';
import { stoodAt } from '../../src/http/answers/stood-at.ts';
import { totals } from '../../src/http/answers/totals.ts';
import { contact } from '../../src/http/contact.ts';
import { handle } from '../../src/http/handle.ts';
import { inTurn } from '../../src/http/in-turn.ts';
import { guesses } from '../../src/http/limits/guesses.ts';
import type { Service } from '../../src/http/needs.ts';
import { cursors } from '../../src/http/request/cursor.ts';
import { routesOf } from '../../src/http/routes.ts';
import type { Reader } from '../../src/store/index.ts';
import { StoreUnavailable } from '../../src/store/index.ts';

const route = { path: '/2.0/bnb/quote', dataset: quotes };
const routeOf = (path: string) => routesOf(catalogue).find((found) => found.path === path);
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
  const { reader = readerThat(async () => fail()) } = part;
  const emit = (event: Event) => events.push(event);
  const service: Service = {
    reader,
    contact: contact(emit),
    keyring: { find: () => holder, reload: async () => {}, flush: async () => {} },
    limit: () => null,
    guesses: guesses(),
    making: inTurn(1),
    totals: totals(reader),
    cursors: cursors(new Uint8Array(32)),
    memory: memory(1_000),
    stoodAt: stoodAt(reader),
    changed: changed(reader),
    collect: () => {},
    emit,
    ...part,
  };
  return { service, events };
}

/** A reader that only knows how to do that, whatever it is asked. */
function readerThat(does: () => Promise<never>): Reader {
  const walks = async function* () {
    yield await does();
  };
  return {
    revision: does,
    revisionAt: does,
    read: does,
    records: walks,
    revisions: does,
    entry: does,
    changes: does,
    corrections: does,
    coverage: does,
    securities: does,
    funds: does,
    secret: does,
    close() {},
  };
}

function fail(): never {
  throw new Error('secret cause');
}

const request = (headers: Record<string, string> = {}, path = '/2.0/bnb/quote') =>
  new Request(`http://x${path}`, {
    headers: { authorization: 'Bearer a', 'x-request-id': 'r1', ...headers },
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

  test.each([
    ['the present', request(), route],
    ['the past', request({ 'accept-datetime': '2026-01-01T00:00:00Z' }), route],
    ['revisions', request({}, '/revisions'), routeOf('/revisions')],
    ['one revision', request({}, '/revisions/1'), routeOf('/revisions/{n}')],
  ])('a store out of reach gives 503 with Retry-After: %s', async (_, asked, to) => {
    const reader = readerThat(async () => {
      throw new StoreUnavailable('disk gone');
    });
    const { service, events } = failing({ reader });
    const response = await handle(service, asked, to);
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('{"status":"error","message":"temporarily_unavailable"}');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(events[0]).toEqual({ event: 'store.unavailable', requestId: 'r1', cause: 'disk gone' });
  });

  test('what is wrong with a request is told even where the store is out of reach', async () => {
    const { service } = failing({});
    for (const [asked, to] of [
      [request({ 'accept-datetime': 'never' }), route],
      [request({}, '/revisions?x=1'), routeOf('/revisions')],
      [request({}, '/revisions/1?x=1'), routeOf('/revisions/{n}')],
    ] as const) {
      expect((await handle(service, asked, to)).status).toBe(400);
    }
  });
});
