import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { ApiClient } from '../../../src/explorer/api/api-client.ts';
import { StatePoller } from '../../../src/explorer/api/state-poller.ts';
import type { Tab } from '../../../src/explorer/api/tab.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A poller of a service with more revisions than are read at once, which cannot always send the first. */
function startPoller(areFirstAvailable: () => boolean) {
  const states: [first: number, shouldRefresh: boolean][] = [];
  let firstRequests = 0;
  const fetch = async (input: string | URL | Request) => {
    const { pathname, searchParams } = new URL(String(input));
    if (pathname === '/events') return new Response(null, { status: 503 });
    const isFirst = searchParams.get('before') === '101';
    if (isFirst) firstRequests++;
    if (isFirst && !areFirstAvailable()) return new Response(null, { status: 503 });
    const headers = { 'Tenor-Revision': '2000', Link: '</revisions?before=1001>; rel="next"' };
    return Response.json(
      { status: 'ok', data: pathname === '/catalogue' ? [] : [{ revision: isFirst ? 1 : 2000 }] },
      pathname === '/catalogue' ? { headers: { 'Tenor-Revision': '2000' } } : { headers },
    );
  };
  const tab: Tab = {
    baseUrl: new URL('http://localhost/'),
    fetch: fetch as NonNullable<Tab['fetch']>,
    locks: undefined,
    isHidden: () => false,
    hasFocus: () => true,
    addEventListener() {},
    openChannel: () => undefined,
  };
  const api = new ApiClient(tab, 'token', undefined);
  const poller = new StatePoller(api, 'token', {
    onPolled: ({ firstRevisions }, shouldRefresh) =>
      void states.push([firstRevisions.length, shouldRefresh]),
    onFailure() {},
    onTokenRejected() {},
  });
  return { api, poller, states, getFirstRequests: () => firstRequests };
}

async function settle(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  for (let step = 0; step < 200; step++) await Promise.resolve();
}

async function pollAgain({ api }: { readonly api: ApiClient }): Promise<void> {
  api.onOtherRevision();
  await settle(2_000);
}

test('the state reads the first revisions once, not with each poll', async () => {
  const started = startPoller(() => true);
  await settle(0);
  await pollAgain(started);
  started.poller.stop();
  expect(started.states).toEqual([
    [1, true],
    [1, false],
  ]);
  expect(started.getFirstRequests()).toBe(1);
});

test('the state does without the first revisions until they can be read', async () => {
  let areAvailable = false;
  const started = startPoller(() => areAvailable);
  await settle(0);
  areAvailable = true;
  await pollAgain(started);
  started.poller.stop();
  expect(started.states).toEqual([
    [0, true],
    [1, true],
  ]);
});
