import { describe, expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { EventLog, type LogEvent } from '../../src/event-log.ts';
import { limitAnonymousRequests } from '../../src/http/pipeline/send-response.ts';
import { startServer } from '../../src/http/server/start-server.ts';
import { issueToken } from '../../src/tokens/issue-token.ts';
import { generateTokenSecret, hashTokenSecret } from '../../src/tokens/token-secret.ts';
import { retryUntil } from '../support/eventually.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { quote } from '../support/quote-fixture.ts';
import { sendRaw } from '../support/raw-http.ts';
import { spawnChild } from '../support/spawn-child.ts';
import { createFilledStore, createStore } from '../support/store.ts';
import { SERVER_SETTINGS, startTestServer, TOKEN } from '../support/test-server.ts';
import { useTestServer } from '../support/use-test-server.ts';

const service = useTestServer(createFilledStore);

const request: LogEvent = {
  event: 'request',
  requestId: 'r1',
  token: 'tk_1',
  address: '::1',
  method: 'GET',
  route: '/2.0/bnb/quote',
  status: 200,
  bytes: 10,
  ms: 0.25,
  revision: 3,
};

describe('requests without a token', () => {
  const anonymous: LogEvent = { ...request, token: null, status: 401 };

  test('are logged a thousand times in ten seconds, then counted', () => {
    const logged: LogEvent[] = [];
    const emit = limitAnonymousRequests((event) => logged.push(event));
    for (let count = 0; count < 5_000; count++) emit(anonymous);
    emit(request);
    emit({ event: 'service.stopped' });
    expect(logged).toHaveLength(1_003);
    expect(logged.slice(-3)).toEqual([
      request,
      { event: 'requests.unlogged', count: 4_000 },
      { event: 'service.stopped' },
    ]);
  });

  test('are counted in the log of a server by whatever path they come', async () => {
    const server = await startTestServer(await createStore());
    const path = (index: number) => ['/nowhere', '/2.0/bnb/quote'][index % 2];
    const requests = Array.from(
      { length: 2_000 },
      (_, index) => `GET ${path(index)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    const last = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    await sendRaw(server.address, requests.join('') + last);
    await server.stop();
    expect(server.events.filter(({ event }) => event === 'request')).toHaveLength(1_000);
    expect(server.events).toContainEqual({ event: 'requests.unlogged', count: 1_001 });
  });
});

describe('a request', () => {
  test('is logged once, with its metadata and no secret', async () => {
    service.events.length = 0;
    const response = await service.request('/2.0/bnb/quote?limit=2', { 'x-request-id': 'seen' });
    const bytes = (await response.arrayBuffer()).byteLength;
    expect(service.events).toMatchObject([
      {
        event: 'request',
        requestId: 'seen',
        token: 'API_TOKEN',
        method: 'GET',
        route: '/2.0/bnb/quote',
        status: 200,
        bytes,
        revision: Number(response.headers.get('tenor-revision')),
      },
    ]);
    expect(service.events[0]).toHaveProperty('ms', expect.any(Number));
  });

  test('is logged with the bytes of its response, not the characters', async () => {
    const server = await startTestServer(await createStore());
    await server.store.publish(quotes, [quote({ symbol: 'Žluťoučký 日本 😀' })]);
    const response = await fetchRaw(server, '/2.0/bnb/quote');
    const again = await fetchRaw(server, '/2.0/bnb/quote');
    await server.stop();
    const { length } = response.bytes;
    expect(length).toBeGreaterThan(response.text.length);
    expect(again.bytes).toEqual(response.bytes);
    const requests = server.events.filter(({ event }) => event === 'request');
    expect(requests).toMatchObject([{ bytes: length }, { bytes: length }]);
  });

  test('is logged without tokens and their digests, valid or not', async () => {
    const wrong = 'wrong-token-1';
    await service.request('/2.0/bnb/quote');
    await service.request('/2.0/bnb/quote', { authorization: `Bearer ${wrong}` });
    await service.request('/nowhere', { authorization: `Bearer ${wrong}` });
    await service.request(`/2.0/bnb/quote?token=${wrong}`);
    const logged = JSON.stringify(service.events);
    for (const secret of [TOKEN, wrong]) {
      expect(logged).not.toContain(secret);
      expect(logged).not.toContain(hashTokenSecret(secret));
    }
  });

  test('with a token that lacks the scope is logged with the id of the token', async () => {
    const tokens = service.store.tokens();
    const terms = { name: 'n', scopes: ['funds'], rate: null, expiresAt: null };
    const { token, secret } = await issueToken(tokens, terms);
    tokens.close();
    await retryUntil(3_000, async () => {
      const response = await service.request('/2.0/bnb/quote', {
        authorization: `Bearer ${secret}`,
      });
      expect(response.status).toBe(403);
    });
    expect(service.events.at(-1)).toMatchObject({ status: 403, token: token.id });
  });

  test('is logged with the address of the client, and with what is wrong', async () => {
    service.events.length = 0;
    await service.request('/nowhere/at/all?token=x');
    await service.request('/2.0/bnb/quote?limit=0');
    await service.request('/2.0/bnb/quote', { authorization: '' });
    await service.request('/2.0/bnb/quote');
    const address = '127.0.0.1';
    expect(service.events).toMatchObject([
      { status: 404, address, details: { path: '/nowhere/at/all' } },
      { status: 400, address, details: { reason: expect.stringContaining('parameter "limit"') } },
      { status: 401, address },
      { status: 200, address, details: undefined },
    ]);
    expect(service.events[2]).not.toHaveProperty('details.reason');
  });

  test.each([
    ['the query of an unknown path', '/nowhere?token=SECRET'],
    ['an unknown path', '/SECRET'],
    ['an unknown path with more parts', '/2.0/SECRET/quote'],
    ['the name of a parameter', '/2.0/bnb/quote?SECRET'],
    ['the value of an unknown parameter', '/2.0/bnb/quote?token=SECRET'],
    ['the value of an invalid parameter', '/2.0/bnb/quote?limit=SECRET'],
    ['a repeated parameter', '/2.0/bnb/quote?SECRET=1&SECRET=2'],
    ['a parameter that is not UTF-8', '/2.0/bnb/quote?SECRET=%ff'],
  ])('is logged without a token in %s', async (_, target) => {
    const secret = generateTokenSecret();
    service.events.length = 0;
    await service.request(target.replaceAll('SECRET', secret));
    expect(service.events).toMatchObject([{ event: 'request' }]);
    expect(JSON.stringify(service.events)).not.toContain(secret.slice(6, 20));
  });

  test('is logged with the start of a long path', async () => {
    service.events.length = 0;
    await service.request(`/${'no-where/'.repeat(1_000)}`);
    const path = `/${'no-where/'.repeat(23)}`.slice(0, 200);
    expect(service.events).toMatchObject([{ status: 404, details: { path: `${path}…` } }]);
  });

  test('is logged with the ids of its traceparent, and answered with its own, if that is valid', async () => {
    const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const find = async (traceparent: string) => {
      service.events.length = 0;
      const { headers } = await service.request('/2.0/bnb/quote', { traceparent });
      const [event] = service.events;
      const details = event?.event === 'request' ? event.details : undefined;
      return { details, traceResponse: headers.get('traceresponse') };
    };
    const children = new Set<string | undefined>();
    for (const [traceparent, flags] of [
      [`00-${traceId}-${spanId}-01`, '01'],
      [`cc-${traceId}-${spanId}-00-what-is-new`, '00'],
    ] as const) {
      const { details, traceResponse } = await find(traceparent);
      const { childSpanId = '' } = details ?? {};
      expect(details).toEqual({ traceId, spanId, childSpanId });
      expect(traceResponse).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-${flags}$`));
      expect(traceResponse).toBe(`00-${traceId}-${childSpanId}-${flags}`);
      children.add(childSpanId);
    }
    expect(children.size).toBe(2);
    const invalid = [
      `00-${traceId}-${spanId}-01-x`,
      `ff-${traceId}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      '"}',
    ];
    for (const header of invalid)
      expect(await find(header)).toEqual({ details: undefined, traceResponse: null });
  });

  test('that takes long is logged with where the time went, even if requests are not', async () => {
    const events: LogEvent[] = [];
    const { address, stop } = await startServer({
      store: service.store,
      catalogue,
      settings: { ...SERVER_SETTINGS, logRequests: 'off', logSlowMs: 0.001 },
      emit: (event) => events.push(event),
    });
    const headers = { authorization: `Bearer ${TOKEN}`, 'Accept-Encoding': 'identity' };
    const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const response = await fetch(`${address}/2.0/bnb/quote?limit=10000`, {
      headers: { ...headers, accept: xlsx },
    });
    await response.arrayBuffer();
    await stop();
    const [request] = events.filter(({ event }) => event === 'request');
    expect(request).toMatchObject({ status: 200, details: { slow: expect.any(Object) } });
    expect(request).toMatchObject({ address: '127.0.0.1' });
  });

  test('that is rejected is logged', async () => {
    service.events.length = 0;
    await service.request('/nowhere');
    await service.request('/2.0/bnb/quote', { authorization: '' });
    await service.request('/2.0/bnb/quote', {}, 'HEAD');
    expect(service.events).toMatchObject([
      { route: null, status: 404, token: null, revision: null },
      { route: '/2.0/bnb/quote', status: 401, token: null, revision: null },
      { route: '/2.0/bnb/quote', status: 200, method: 'HEAD', bytes: 0 },
    ]);
  });
});

describe('LOG_REQUESTS', () => {
  test.each([
    ['all', [200, 304, 404, 401]],
    ['errors', [404, 401]],
    ['off', []],
  ] as const)(
    '%s logs the requests with status %j, and all other events',
    async (logRequests, statuses) => {
      const events: LogEvent[] = [];
      const { address, stop } = await startServer({
        store: service.store,
        catalogue,
        settings: { ...SERVER_SETTINGS, logRequests },
        emit: (event) => events.push(event),
      });
      const headers = { authorization: `Bearer ${TOKEN}` };
      const { headers: seen } = await fetch(`${address}/2.0/bnb/quote`, { headers });
      const known = { ...headers, 'if-none-match': seen.get('etag') ?? '' };
      await fetch(`${address}/2.0/bnb/quote`, { headers: known });
      await fetch(`${address}/nowhere`, { headers });
      await fetch(`${address}/2.0/bnb/quote`);
      await stop();
      const logged = events.flatMap((event) => (event.event === 'request' ? [event.status] : []));
      expect(logged).toEqual([...statuses]);
      const others = events.flatMap(({ event }) => (event === 'request' ? [] : [event]));
      expect(others).toEqual(['service.started', 'service.stopped']);
    },
  );
});

describe('the event log', () => {
  const written = async (isTTY: boolean, events: readonly LogEvent[]) => {
    const writes: string[] = [];
    const log = new EventLog({ isTTY, write: (text) => writes.push(text) });
    for (const event of events) log.emit(event);
    expect(writes).toEqual([]);
    await retryUntil(5_000, async () => expect(writes).not.toEqual([]));
    return writes;
  };

  test('writes a line of JSON for each event, several at once, if the output is no terminal', async () => {
    const writes = await written(false, [request, { event: 'service.stopped' }]);
    expect(writes).toHaveLength(1);
    const lines = writes
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { time: expect.any(String), ...request },
      { time: expect.any(String), event: 'service.stopped' },
    ]);
    expect(new Date(lines[0].time).toISOString()).toBe(lines[0].time);
  });

  test('writes readable lines to a terminal', async () => {
    const [text = ''] = await written(true, [request]);
    expect(text).toMatch(/^\S+ 200 GET \/2.0\/bnb\/quote 10 B 0.25 ms rev 3 tk_1 ::1 r1\n$/);
  });

  test('writes what most requests do not have at the end of the line, escaped', async () => {
    const path = '/a"\u202e\u001b[2J\n';
    const details = { path, reason: 'x', slow: { queueMs: 2, readMs: 3 } };
    const [json = ''] = await written(false, [{ ...request, details }]);
    expect(JSON.parse(json)).toEqual({ time: expect.any(String), ...request, ...details });
    expect(json.trimEnd()).toMatch(/^[ -~]*$/);
    const [text = ''] = await written(true, [{ ...request, details }]);
    expect(text.trimEnd()).toMatch(/^[ -~]*$/);
    expect(text).toContain('r1 path=/a"\\u202e\\u001b[2J');
    expect(text).toEndWith(' reason=x slow={"queueMs":2,"readMs":3}\n');
  });

  test.each([
    ['json', true, '{'],
    ['text', false, ' 200 GET '],
  ] as const)('writes %s if LOG_FORMAT says so, on a terminal: %p', (format, isTTY, expected) => {
    let text = '';
    const log = new EventLog({ isTTY, write: (lines) => (text += lines) }, format);
    log.emit(request);
    log.flush();
    expect(text).toContain(expected);
  });

  test('begins each line with the priority of its event in a journal', () => {
    let text = '';
    const log = new EventLog({ write: (lines) => (text += lines) }, 'json', true);
    const found = { event: 'server.found', server: 'x' } as const;
    const events: LogEvent[] = [
      request,
      { ...request, status: 503 },
      { event: 'store.lost', cause: 'x' },
      { event: 'worker.died', pid: 1, code: 1, signal: null },
      { ...found, condition: 'unreachable' },
      { ...found, condition: 'healthy' },
    ];
    for (const event of events) log.emit(event);
    log.flush();
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, 4))).toEqual(
      [6, 4, 3, 4, 4, 6].map((priority) => `<${priority}>{`),
    );
    expect(lines.map((line) => JSON.parse(line.slice(3)).event)).toEqual(
      events.map(({ event }) => event),
    );
  });

  test('writes the same line if there is nothing else to say', async () => {
    const [json = ''] = await written(false, [{ ...request, details: {} }]);
    expect(JSON.parse(json)).toEqual({ time: expect.any(String), ...request });
  });

  test('writes buffered events once when it is flushed', async () => {
    const writes: string[] = [];
    const log = new EventLog({ write: (text) => writes.push(text) });
    log.emit(request);
    log.flush();
    log.flush();
    expect(writes).toHaveLength(1);
    log.emit({ event: 'service.stopped' });
    await retryUntil(5_000, async () => expect(writes).toHaveLength(2));
    expect(writes[1]).not.toContain('"request"');
  });

  test('plans one write for later, however much is written before', () => {
    const planned = spyOn(globalThis, 'setTimeout');
    const log = new EventLog({ write: () => true });
    for (let line = 0; line < 1_000; line++) log.emit(request);
    expect(planned).toHaveBeenCalledTimes(1);
    planned.mockRestore();
  });

  test.each(['process.exit(1)', 'throw new Error("a bug")'])(
    'has the last lines of a process that ends by %s',
    async (end) => {
      const script = `
        import { EventLog } from ${JSON.stringify(join(import.meta.dir, '../../src/event-log.ts'))};
        const log = new EventLog(process.stderr, 'json');
        log.flushAtExit();
        log.emit({ event: 'revision.seen', revision: 7 });
        ${end};`;
      const child = spawnChild([process.execPath, '-e', script], { stderr: 'pipe' });
      expect(await new Response(child.stderr).text()).toMatch(/^\{.*"revision":7\}$/m);
      expect(await child.exited).toBe(1);
    },
  );
});
