import { afterEach, describe, expect, test } from 'bun:test';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Tenor, type TenorOptions, VerificationError } from '../../clients/typescript/src/index.ts';
import { Mirror } from '../../clients/typescript/src/mirror.ts';
import { readTable } from '../../src/client/mirror/read-table.ts';
import { parseEvents } from '../../src/client/parse-events.ts';
import { MAX_REVISIONS } from '../../src/ledger/read-leaves.ts';
import { BOMBS, buildCrafted, pageV1, text } from '../formats/support/crafted-parquet.ts';
import { closeAfterEach } from '../support/close-after-each.ts';
import { createFollower } from '../support/create-follower.ts';
import { FakeLedger } from '../support/fake-ledger.ts';
import { publishHistory } from '../support/published-ledger.ts';
import { createStore } from '../support/store.ts';
import { startTestServer } from '../support/test-server.ts';

const MIB = 1_048_576;
const { closing, removing } = closeAfterEach();
const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

const add = (id: string) => ({ change: 'added', record: { id, value: 1 } }) as const;

async function createLedger(): Promise<FakeLedger> {
  const ledger = await FakeLedger.create();
  await ledger.publish('rates', add('a'), add('b'));
  await ledger.publish('prices', add('x'));
  return ledger;
}

/** A body that only its reader ends, and the bytes that were read of it. */
function sendEndlessly(text: string, type: string, status = 200) {
  const chunk = new TextEncoder().encode(text.repeat(Math.ceil(65_536 / text.length)));
  const sent = { bytes: 0 };
  const respond = () => {
    const body = new ReadableStream({
      pull(controller) {
        // A reader that takes everything ends too.
        if (sent.bytes > 512 * MIB) return controller.close();
        controller.enqueue(chunk.slice());
        sent.bytes += chunk.length;
      },
    });
    return new Response(body, { status, headers: { 'content-type': type } });
  };
  return { respond, sent };
}

function createClient(
  fetch: (url: string) => Response | Promise<Response>,
  options: TenorOptions = {},
) {
  const baseUrl = 'http://ledger.example';
  return new Tenor({
    baseUrl,
    token: 'token',
    tries: 1,
    fetch: async (url) => fetch(url),
    ...options,
  });
}

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';
const NDJSON = 'application/x-ndjson';

describe('of a log, a client reads no more than can be of', () => {
  test.each([
    ['/ledger/checkpoint', TEXT, 'a checkpoint can have 4,096 bytes'],
    ['/ledger/keys', JSON_TYPE, 'the list of keys can have 1,048,576 bytes'],
    ['/ledger/tile/0/000.p/2', 'application/octet-stream', 'a tile can have 8,704 bytes'],
    ['/ledger/entries/2', JSON_TYPE, 'an entry can have 4,194,304 bytes'],
    ['/catalogue', JSON_TYPE, 'a response can have 67,108,864 bytes'],
  ])('%s', async (path, type, message) => {
    const ledger = await createLedger();
    const { respond, sent } = sendEndlessly(' ', type);
    ledger.overrides.set(path, respond);
    await expect(createClient(ledger.fetch).verify()).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringMatching(
        new RegExp(`^${message} at most, and http://ledger.example${path}.* sends more$`),
      ),
    });
    expect(sent.bytes).toBeLessThan(80 * MIB);
  });

  test('a line of changes or of an export', async () => {
    for (const path of ['/changes/rates', '/exports/rates.ndjson']) {
      const ledger = await createLedger();
      const { respond, sent } = sendEndlessly('x', NDJSON);
      ledger.overrides.set(path, respond);
      await expect(createClient(ledger.fetch).verify()).rejects.toThrow(
        'a line of records can have 16,777,216 characters at most',
      );
      expect(sent.bytes).toBeLessThan(32 * MIB);
    }
  });

  test('an error', async () => {
    const { respond, sent } = sendEndlessly('x', JSON_TYPE, 500);
    await expect(createClient(respond).verify()).rejects.toThrow(
      'an error response can have 1,048,576 bytes at most',
    );
    expect(sent.bytes).toBeLessThan(8 * MIB);
  });

  test('changes: as many as its entry says', async () => {
    const ledger = await createLedger();
    const { respond, sent } = sendEndlessly(`${JSON.stringify(add('z'))}\n`, NDJSON);
    ledger.overrides.set('/changes/rates', respond);
    await expect(createClient(ledger.fetch).verify()).rejects.toThrow(
      'The more than 2 records that the service says revision 1 of rates changed',
    );
    expect(sent.bytes).toBeLessThan(8 * MIB);
    // Also if it says nothing.
    ledger.entries[0] = (ledger.entries[0] ?? '').replace('"added":2', '"added":"x"');
    await expect(createClient(ledger.fetch).verify()).rejects.toThrow(VerificationError);
  });

  test('records that were never published, with long keys or none', async () => {
    for (const record of ['{"id":"z"}', '[]', `{"id":"${'z'.repeat(60_000)}"}`]) {
      const ledger = await createLedger();
      const { respond, sent } = sendEndlessly(`${record}\n`, NDJSON);
      ledger.overrides.set('/exports/rates.ndjson', respond);
      const error = await createClient(ledger.fetch)
        .verify()
        .catch((cause) => cause);
      expect(error.problems).toMatchObject([{ problem: 'altered-data', dataset: 'rates' }]);
      expect(error.message).toContain('and 999 more');
      expect(error.message.length).toBeLessThan(2_000);
      expect(sent.bytes).toBeLessThan(100 * MIB);
    }
  });

  test('revisions', async () => {
    const ledger = await createLedger();
    const [text = ''] = (await ledger.sign()).split('\n\n');
    const note = await ledger.signText(text.replace('\n2\n', `\n${MAX_REVISIONS + 1}\n`));
    ledger.overrides.set(
      '/ledger/checkpoint',
      () => new Response(note, { headers: { 'content-type': TEXT } }),
    );
    await expect(createClient(ledger.fetch).verify()).rejects.toThrow(
      `a log of ${MAX_REVISIONS + 1} revisions is too large`,
    );
  });
});

test('pages of records and copies are bounded as well, and an event', async () => {
  const { respond, sent } = sendEndlessly(' ', JSON_TYPE);
  await expect(createClient(respond).quotes()).rejects.toThrow('a response can have 67,108,864');
  expect(sent.bytes).toBeLessThan(80 * MIB);
  const events = sendEndlessly('data: x\n', 'text/event-stream');
  await expect(Array.fromAsync(parseEvents(events.respond(), 1_000))).rejects.toThrow(
    'sends an event without end',
  );
  expect(events.sent.bytes).toBeLessThan(16 * MIB);
});

test('the files of a mirror are bounded by what they are', async () => {
  for (const [files, message, limit] of [
    [[], 'latest.json can have 1,024 bytes', 1],
    [['{"revision":1}'], 'a manifest can have 8,388,608 bytes', 16],
  ] as const) {
    const answers: (string | undefined)[] = [...files];
    const { respond, sent } = sendEndlessly(' ', JSON_TYPE);
    const fetch = async () => {
      const answer = answers.shift();
      return answer === undefined ? respond() : new Response(answer);
    };
    const mirror = new Mirror('http://mirror.example', { fetch, tries: 1 });
    await expect(mirror.datasets()).rejects.toThrow(
      `${message} at most, and http://mirror.example/`,
    );
    expect(sent.bytes).toBeLessThan(limit * MIB);
  }
  const fetch = async () => new Response(`{"revision":${MAX_REVISIONS + 1}}`);
  await expect(new Mirror('http://mirror.example', { fetch }).datasets()).rejects.toThrow(
    'there is no mirror',
  );
});

describe('a data file of a mirror is rejected before it fills the memory', () => {
  test.each(BOMBS)('by %s', async (_, file, message) => {
    await expect(readTable(buildCrafted(file).slice().buffer, 'quotes')).rejects.toThrow(
      `a file with records of quotes cannot be read: ${message}`,
    );
  });

  test('by row groups that each may be, and together may not', async () => {
    const zeros = new Uint8Array(16 * MIB);
    const bytes = Bun.zstdCompressSync(zeros);
    const page = { ...pageV1(1, 'PLAIN', []), bytes, uncompressedBytes: zeros.length };
    const pages = Array(40).fill({ ...page, bytes: new Uint8Array([...bytes]) });
    const file = { rows: 40, element: text, codec: 'ZSTD', pages } as const;
    await expect(readTable(buildCrafted(file).slice().buffer, 'quotes')).rejects.toThrow(
      'inflates to far more than its',
    );
    const rows = { rows: 16_000_000, pages: [] };
    await expect(readTable(buildCrafted(rows).slice().buffer, 'quotes')).rejects.toThrow(
      '16000000 rows are more than are read of one file',
    );
  });
});

test('a follower names what is larger than it can be, and goes on with a source that is not', async () => {
  const store = await createStore();
  await publishHistory(store);
  await using source = await startTestServer(store);
  let [damaged, damage] = ['', () => new Response()];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url, headers }) {
      const { pathname, search } = new URL(url);
      if (pathname === damaged) return damage();
      return fetch(source.address + pathname + search, { headers });
    },
  });
  servers.push(server);
  const own = removing(await createStore());
  const follower = closing(createFollower(own, `http://127.0.0.1:${server.port}`));
  const more = `${JSON.stringify({ change: 'added', record: {} })}\n`;
  for (const [path, type, text, problem, cause] of [
    ['/ledger/checkpoint', TEXT, ' ', 'malformed', 'a checkpoint can have 4,096 bytes'],
    ['/ledger/entries/1', JSON_TYPE, ' ', 'malformed', 'an entry can have 4,194,304 bytes'],
    ['/changes/quotes', NDJSON, 'x', 'malformed', 'a line of records can have 16,777,216'],
    ['/changes/quotes', NDJSON, more, 'altered-changes', 'The more than 3 records'],
  ] as const) {
    const { respond, sent } = sendEndlessly(text, type);
    [damaged, damage] = [path, respond];
    expect([path, await follower.poll()]).toMatchObject([path, { problem, revision: 0 }]);
    expect(follower.statuses.at(-1)?.cause).toContain(cause);
    // What waits in the connections counts as sent.
    expect(sent.bytes).toBeLessThan(256 * MIB);
  }
  damaged = '';
  expect(await follower.poll()).toMatchObject({ state: 'following', revision: 6 });
});

test('a compressed response is read as it is, in each encoding that is asked for', async () => {
  const ledger = await createLedger();
  const encodings = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync };
  for (const [encoding, compress] of Object.entries(encodings)) {
    let accepted: string | null = null;
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch({ url, headers: sent }) {
        accepted = sent.get('accept-encoding');
        const response = await ledger.fetch(url);
        const { headers, status } = response;
        headers.set('content-encoding', encoding);
        return new Response(compress(await response.bytes()), { status, headers });
      },
    });
    servers.push(server);
    const client = new Tenor({ baseUrl: `http://127.0.0.1:${server.port}`, token: 'token' });
    expect(await client.verify()).toMatchObject({ datasets: { rates: 2, prices: 1 } });
    expect(accepted as unknown).toBe('zstd,br,gzip');
  }
});

test('an encoding that was not asked for is named', async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response('x', { headers: { 'content-encoding': 'constructor' } }),
  });
  servers.push(server);
  const client = new Tenor({ baseUrl: `http://127.0.0.1:${server.port}`, token: 'token' });
  await expect(client.quotes()).rejects.toThrow('sends the encoding constructor');
});
