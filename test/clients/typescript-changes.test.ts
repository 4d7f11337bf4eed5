import { describe, expect, test } from 'bun:test';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { followRevisions, type RevisionSource } from '../../clients/typescript/src/follow.ts';
import type { RevisionsRecord } from '../../clients/typescript/src/index.ts';
import { syncCopy } from '../../clients/typescript/src/sync.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { getKey, publishAt } from '../support/publish-at.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, createTempFolder } from '../support/store.ts';
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

describe('syncCopy', () => {
  const servers = [createStore, createStore].map((create) => useTestServer(create));
  const [server, other] = servers as [(typeof servers)[0], (typeof servers)[0]];

  test('keeps a copy in step, and copies everything where file or database is another one', async () => {
    const folder = createTempFolder();
    const path = join(folder, 'quotes.ndjson');
    const sync = async (from = server) => {
      const result = await syncCopy(createClient(from), 'quotes', path);
      const exported = await from.request('/exports/quotes.ndjson');
      expect(readFileSync(path, 'utf8')).toBe(await exported.text());
      return [result.revision, result.changes];
    };
    const publish = (revision: number, symbols: string[], retired: string[] = []) =>
      publishAt(server.store, instant(revision), quotes, {
        records: symbols.map((symbol) => build(symbol, revision)),
        retiredKeys: retired.map((symbol) => getKey(quotes, build(symbol))),
      });
    await publish(1, ['B', 'D', '𝄞', 'ﬀ']);
    expect(await sync()).toEqual([1, undefined]);
    expect(await sync()).toEqual([1, 0]);
    await publish(2, ['A', 'D', 'E', 'AB'], ['B']);
    await publish(3, ['Z', 'é'], ['A']);
    expect(await sync()).toEqual([3, 6]);
    await publish(4, [], ['D', 'E', 'AB', 'Z', 'é', '𝄞', 'ﬀ']);
    expect(await sync()).toEqual([4, 7]);
    appendFileSync(path, '{}');
    expect(await sync()).toEqual([4, undefined]);
    await publishAt(other.store, instant(9), quotes, { records: [build('A')] });
    expect(await sync(other)).toEqual([1, undefined]);
    expect(await sync()).toEqual([4, undefined]);
    await expect(syncCopy(createClient(server), 'quotes', 'x.csv')).rejects.toThrow('.ndjson');
    rmSync(folder, { recursive: true });
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

  test('polls where there are no events', async () => {
    const missing = errorResponse(404, 'not_found');
    const page = (...revisions: number[]) =>
      ok(revisions.map((revision) => ({ revision }) as RevisionsRecord));
    const responses = [missing, missing, page(7), missing, missing, page(9, 8, 7)];
    const { numbers, waits } = await follow(2, ...responses);
    expect(numbers).toEqual([8, 9]);
    expect(waits).toEqual([30_000]);
  });

  test('starts anew when the database was replaced by one with fewer revisions', async () => {
    const wrong = errorResponse(400, 'header "Last-Event-ID" must be a revision');
    const { numbers, ids } = await follow(2, stream(event(8)), wrong, wrong, stream(event(4), 3));
    expect(numbers).toEqual([8, 4]);
    expect(ids).toEqual([null, '8', null, null]);
  });

  test('throws errors that do not pass', async () => {
    await using server = startScriptedServer(errorResponse(401, 'unauthorized_request'));
    const error = await catchError(server.client().follow().next());
    expect(error).toMatchObject({ kind: 'unauthorized' });
  });
});
