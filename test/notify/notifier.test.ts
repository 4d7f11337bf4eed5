import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { isPrivateAddress } from '../../src/notify/is-private-address.ts';
import { Notifier, type NotifierState } from '../../src/notify/notifier.ts';
import { createWebhookHeaders, parseWebhookSecrets } from '../../src/notify/sign-webhook.ts';
import type { StoreReader } from '../../src/store/open-store.ts';
import { quote } from '../support/quote-fixture.ts';
import { createStore, type TestStore } from '../support/store.ts';

setDefaultTimeout(60_000);
const [SHORT_SECRET, LONG_SECRET] = [
  'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
  'whsec_ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoOEhYaHiImKi4yNjo+QkZKTlJWWl5iZmpucnZ6foKGiow==',
] as const;
const NEVER = new Promise<never>(() => {});
const BODY = '{"type":"revision.published","data":{"note":"Übung"}}';

describe('signatures', () => {
  // As the package standardwebhooks 1.1.0 for Python makes them.
  test.each([
    [
      SHORT_SECRET,
      'revision-published-7-1',
      1_782_900_000,
      BODY,
      'v1,A1+Fqza8IxYdwgCT6DrNDgqr+jmZAYAZ+wNboPlJByk=',
    ],
    [SHORT_SECRET, 'a', 1_600_000_000, '{}', 'v1,suStpQvW4PCKoGGz4zE73j+dkPqKjt9X5E6FHojU+/I='],
    [
      LONG_SECRET,
      'revision-published-7-1',
      1_782_900_000,
      BODY,
      'v1,ht9XeuqgotsL1EVwsUXjPlzpuLvZxVN8oFsyiNgvPlQ=',
    ],
    [LONG_SECRET, 'a', 1_600_000_000, '{}', 'v1,K0YB9TDScYjiPA9CNaO7z6CUX0MEOZh48eHcQsPNpxc='],
  ])('are those of another implementation (%#)', (secret, id, seconds, body, signature) => {
    const secrets = parseWebhookSecrets(`${secret}\n`) ?? [];
    const headers = createWebhookHeaders({ id, body }, secrets, seconds * 1_000 + 999);
    expect(headers).toMatchObject({
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
    });
    const both = parseWebhookSecrets(`${secret}\n${SHORT_SECRET}\n`) ?? [];
    const signed = createWebhookHeaders({ id, body }, both, seconds * 1_000);
    expect(signed['webhook-signature']?.split(' ')[0]).toBe(signature);
  });

  test.each(['', 'secret', 'whsec_AAECAw==', `${SHORT_SECRET}\nx`])('%p is no secret', (text) => {
    expect(parseWebhookSecrets(text)).toBeUndefined();
  });
});

test.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['0.0.0.0', true],
  ['::1', true],
  ['::ffff:10.0.0.1', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['64:ff9b::a00:1', true],
  ['8.8.8.8', false],
  ['172.32.0.1', false],
  ['2606:4700::1', false],
])('%s is private: %p', (address, isPrivate) => {
  expect(isPrivateAddress(address)).toBe(isPrivate);
});

interface Message {
  readonly type: string;
  readonly data: { readonly revision: number; readonly dataset: string };
}

describe('a notifier', () => {
  let store: TestStore;
  let reader: StoreReader;
  let state: NotifierState | undefined;
  let respond: (count: number) => Response | Promise<Response>;
  let received: { readonly id: string; readonly revision: number; readonly attempt: number }[];
  let server: ReturnType<typeof Bun.serve>;
  let notes: string[];
  let controller: AbortController;
  beforeEach(async () => {
    store = await createStore();
    await store.publish(online, [online.example]);
    reader = store.reader();
    [state, received, notes] = [undefined, [], []];
    controller = new AbortController();
    respond = () => new Response();
    server = Bun.serve({
      port: 0,
      async fetch(request) {
        const { type, data } = (await request.json()) as Message;
        if (type !== 'revision.published') return new Response();
        const id = request.headers.get('webhook-id') ?? '';
        received.push({ id, revision: data.revision, attempt: received.length + 1 });
        return respond(received.length);
      },
    });
  });
  afterEach(async () => {
    await server.stop(true);
    reader.close();
    await store.remove();
  });
  const start = (options: Partial<Parameters<typeof Notifier.start>[0]> = {}) =>
    Notifier.start(
      {
        url: `http://127.0.0.1:${server.port}/hook`,
        secrets: parseWebhookSecrets(SHORT_SECRET) ?? [],
        allowsPrivate: true,
        // Longer than a busy machine takes.
        timeoutMs: 30_000,
        readState: () => state,
        writeState: (next) => {
          state = next;
        },
        onNote: (text) => notes.push(text),
        signal: controller.signal,
        minPauseMs: 1,
        ...options,
      },
      reader,
    );
  const publish = (symbol: string) => store.publish(quotes, [quote({ symbol })]);
  const revisions = () => received.map(({ revision }) => revision);

  test('sends each revision once, in order, from the next one on, and goes on where it stopped', async () => {
    const notifier = await start();
    await publish('AAA');
    await publish('BBB');
    await notifier.send(reader);
    expect(revisions()).toEqual([2, 3]);
    await publish('CCC');
    await (await start()).send(reader);
    await (await start()).send(reader);
    expect(revisions()).toEqual([2, 3, 4]);
    expect(state).toMatchObject({ revision: 4 });
  });

  test.each([
    ['fails', () => new Response('no', { status: 500 }), 'it responds with 500', {}],
    ['redirects', () => Response.redirect('http://127.0.0.1:1/'), 'it responds with 302', {}],
    ['hangs', () => NEVER, 'it does not respond within 1500 ms', { timeoutMs: 1_500 }],
  ])(
    'sends a revision again to a receiver that %s, with the same identifier, until it takes it',
    async (_, fail, reason, options) => {
      respond = (count) => (count < 3 ? fail() : new Response());
      const notifier = await start(options);
      await publish('AAA');
      await publish('BBB');
      await notifier.send(reader);
      expect(revisions()).toEqual([2, 2, 2, 3]);
      expect(new Set(received.map(({ id }) => id)).size).toBe(2);
      expect(notes[0]).toContain(`was not delivered, since ${reason}`);
      expect(notes.at(-1)).toEndWith('was delivered');
    },
  );

  test('ends if the receiver is gone, and has not sent what it did not take', async () => {
    respond = () => new Response('', { status: 410 });
    const notifier = await start();
    await publish('AAA');
    await expect(notifier.send(reader)).rejects.toThrow('410: it wants no more messages');
    expect(state).toMatchObject({ revision: 1 });
  });

  test('sends nothing to a private address unless that is allowed', async () => {
    const notifier = await start({ allowsPrivate: false, minPauseMs: 10_000 });
    await publish('AAA');
    const sending = notifier.send(reader);
    while (notes.length === 0) await Bun.sleep(5);
    controller.abort(new Error('stopped'));
    await expect(sending).rejects.toThrow('stopped');
    expect(notes[0]).toContain('its address 127.0.0.1 is private, which --allow-private allows');
    expect(received).toEqual([]);
  });

  test('sends revisions of some datasets only', async () => {
    const notifier = await start({ datasets: [online.name] });
    await publish('AAA');
    await store.publish(online, [{ ...online.example, year: '2019' }]);
    await notifier.send(reader);
    expect(revisions()).toEqual([3]);
  });

  test('goes on with the newest revision of a database that was restored', async () => {
    state = { revision: 9, publishedAt: '2026-01-01T00:00:00.000Z', late: {} };
    const notifier = await start();
    await notifier.send(reader);
    await publish('AAA');
    await notifier.send(reader);
    expect(revisions()).toEqual([2]);
    expect(notes[0]).toContain('the database was restored');
  });

  test('tells once that a dataset is late, and once that it has recovered', async () => {
    await store.publish(quotes, [quote({ symbol: 'AAA', date: '2020-01-02' })]);
    const types: string[] = [];
    respond = () => new Response();
    await server.reload({
      fetch: async (request) => {
        const { type, data } = (await request.json()) as Message;
        types.push(`${type} ${data.dataset}`);
        return new Response();
      },
    });
    const notifier = await start({ datasets: [quotes.name] });
    await notifier.send(reader);
    await (await start({ datasets: [quotes.name] })).send(reader);
    expect(types).toEqual(['dataset.late quotes']);
    const today = new Date().toISOString().slice(0, 10);
    await store.publish(quotes, [quote({ symbol: 'AAA', date: today })]);
    await (await start({ datasets: [quotes.name] })).send(reader);
    expect(types).toEqual([
      'dataset.late quotes',
      'revision.published quotes',
      'dataset.recovered quotes',
    ]);
  });
});
