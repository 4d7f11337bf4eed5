import { describe, expect, test } from 'bun:test';
import { followRevisions, type RevisionSource } from '../../clients/typescript/src/follow.ts';
import type { RevisionsRecord } from '../../clients/typescript/src/index.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { parseEvents } from '../../src/client/parse-events.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore } from '../support/store.ts';
import { useTestServer } from '../support/use-test-server.ts';
import {
  catchError,
  createClient,
  errorResponse,
  ok,
  startScriptedServer,
} from './typescript-support.ts';

const instant = (revision: number) => `2026-01-0${revision}T00:00:00.000Z`;
const build = (symbol: string, volume = 1) => quote({ symbol, volume, date: '2026-04-01' });

describe('with a service', () => {
  const server = useTestServer(async () => {
    const store = await createStore();
    await publishAt(store, instant(1), quotes, { records: [build('A'), build('B')] });
    await publishAt(store, instant(2), quotes, {
      records: [build('A', 2), build('C')],
      retiredKeys: [getKey(quotes, build('B'))],
    });
    return store;
  });

  test('changes are typed by dataset, come in pages, and name the revision to go on with', async () => {
    const client = createClient(server);
    const { data, meta } = await client.changes('quotes', { since: 1 });
    const lines = data.map(({ change, record }) => `${change} ${record.symbol} ${record.volume}`);
    expect(lines).toEqual(['corrected A 2', 'retired B 1', 'added C 1']);
    expect(meta.revision).toBe(2);
    const pages = await Array.fromAsync(client.changes.pages('quotes', { since: 0, limit: 1 }));
    expect(pages.map((page) => page.meta.revision)).toEqual([2, 2]);
    expect(await client.changes.all('quotes', { since: 2 }).toArray()).toEqual([]);
    expect(await catchError(client.changes('quotes', { since: 9 }))).toMatchObject({
      kind: 'bad_request',
    });
  });

  test('follow has each revision as it is published, and ends with its signal', async () => {
    const controller = new AbortController();
    const revisions = createClient(server).follow({ since: 1, signal: controller.signal });
    expect((await revisions.next()).value.revision).toBe(2);
    const third = revisions.next();
    await publishAt(server.store, instant(3), quotes, { records: [build('D')] });
    expect((await third).value).toMatchObject({ revision: 3, dataset: 'quotes', added: 1 });
    const fourth = revisions.next();
    controller.abort(new Error('enough'));
    await expect(fourth).rejects.toThrow('enough');
  });
});

describe('follow', () => {
  const event = (revision: number) =>
    `event: revision\nid: ${revision}\ndata: ${JSON.stringify({ revision })}\n\n`;
  const stream =
    (text: string, revision = 7) =>
    () =>
      new Response(`: revisions follow\n\n${text}`, {
        headers: { 'content-type': 'text/event-stream', 'tenor-revision': String(revision) },
      });

  /** The first revisions that a client gets of these responses, without waiting between them. */
  async function follow(count: number, ...responses: (() => Response)[]) {
    await using server = startScriptedServer(...responses);
    const client = server.client({ tries: 1 });
    const waits: number[] = [];
    const clock = {
      nowMs: () => 0,
      random: () => 0,
      wait: async (ms: number) => void waits.push(ms),
    };
    const source: RevisionSource = {
      async openEvents(after) {
        const headers = { ...(after !== undefined && { 'last-event-id': String(after) }) };
        const response = await fetch(`${server.address}/events`, { headers });
        if (response.status === 200) return response;
        throw await catchError(client.revisions());
      },
      readRevisions: async () => (await client.revisions()).data,
      forgetSeenRevision: () => undefined,
    };
    const numbers: number[] = [];
    for await (const { revision } of followRevisions(source, {}, clock)) {
      if (numbers.push(revision) === count) break;
    }
    const ids = server.requests.map(({ headers }) => headers.get('last-event-id'));
    return { numbers, waits, ids };
  }

  test('goes on after the last revision when the stream ends', async () => {
    const first = stream(event(8) + event(9).slice(0, -20));
    const { numbers, ids, waits } = await follow(3, first, stream(event(9) + event(10)));
    expect(numbers).toEqual([8, 9, 10]);
    expect(ids).toEqual([null, '8']);
    expect(waits).toEqual([500]);
  });

  test('waits as short as at first after each stream that had a revision', async () => {
    const streams = [8, 9, 10, 11].map((revision) => stream(event(revision)));
    const { numbers, waits } = await follow(4, ...streams);
    expect(numbers).toEqual([8, 9, 10, 11]);
    expect(waits).toEqual([500, 500, 500]);
    const busy = errorResponse(503, 'temporarily_unavailable');
    const outage = await follow(1, busy, busy, busy, busy, stream(event(8)));
    expect(outage.waits).toEqual([500, 1_000]);
  });

  test('reads characters that arrive in two pieces', async () => {
    const bytes = new TextEncoder().encode('event: revision\ndata: "Zürich"\n\n');
    const cut = bytes.indexOf(0xc3) + 1;
    const body = new ReadableStream({
      start(controller) {
        for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)])
          controller.enqueue(piece);
        controller.close();
      },
    });
    const events = parseEvents(new Response(body), 1_000);
    expect(await Array.fromAsync(events)).toEqual(['"Zürich"']);
  });

  test('polls if there are no events', async () => {
    const missing = errorResponse(404, 'not_found');
    const page = (...revisions: number[]) =>
      ok(revisions.map((revision) => ({ revision }) as RevisionsRecord));
    const responses = [missing, missing, page(7), missing, missing, page(9, 8, 7)];
    const { numbers, waits } = await follow(2, ...responses);
    expect(numbers).toEqual([8, 9]);
    expect(waits).toEqual([30_000]);
  });

  test('starts anew with the newest revision when the database was replaced by an older one', async () => {
    await using server = startScriptedServer(
      stream(event(8)),
      errorResponse(400, 'header "Last-Event-ID" must be a revision'),
      ok([{ revision: 3 }], { 'tenor-revision': '3' }),
      stream(event(4), 3),
    );
    const revisions = server.client().follow();
    const numbers = [];
    for (let count = 0; count < 3; count += 1)
      numbers.push((await revisions.next()).value.revision);
    expect(numbers).toEqual([8, 3, 4]);
    const ids = server.requests.map(({ headers }) => headers.get('last-event-id'));
    expect(ids).toEqual([null, '8', null, '3']);
    // The service would wait for a revision that it does not have any more.
    for (const request of server.requests) expect(request.headers.get('tenor-revision')).toBeNull();
  });

  test('starts anew when the database was replaced by one with as many revisions', async () => {
    const published = (revision: number, publishedAt: string) =>
      event(revision).replace(/}$/m, `,"publishedAt":"${publishedAt}"}`);
    const since = (publishedAt: string, text: string) => () => {
      const response = stream(text)();
      response.headers.set('tenor-since-published-at', publishedAt);
      return response;
    };
    const { numbers, ids } = await follow(
      ...[4, stream(published(8, 'A')), since('A', published(9, 'A')), since('B', event(10))],
      ...[ok([{ revision: 9, publishedAt: 'B' }]), since('B', event(10))],
    );
    expect(numbers).toEqual([8, 9, 9, 10]);
    expect(ids).toEqual([null, '8', '9', null, '9']);
  });

  test('survives an outage while polling', async () => {
    const missing = errorResponse(404, 'not_found');
    const busy = errorResponse(503, 'temporarily_unavailable');
    const page = (revision: number) => ok([{ revision }]);
    const responses = [missing, missing, page(7), missing, missing, busy, missing, missing];
    expect((await follow(1, ...responses, page(8))).numbers).toEqual([8]);
  });

  test('throws errors that do not pass', async () => {
    await using server = startScriptedServer(errorResponse(401, 'unauthorized_request'));
    const error = await catchError(server.client().follow().next());
    expect(error).toMatchObject({ kind: 'unauthorized' });
  });
});
