import { describe, expect, test } from 'bun:test';
import { Catalogues, NONE_DECLARED } from '../../../src/catalogue/catalogues.ts';
import { NOT_FOUND_RESPONSE } from '../../../src/http/responses/response.ts';
import { loadSdk, type SdkSource } from '../../../src/operations/mcp/load-sdk.ts';
import { createMcpHandler, createMcpRoute } from '../../../src/operations/mcp/mcp-route.ts';
import { readMessage } from '../../../src/operations/mcp/read-message.ts';
import { createMessage, postMessage } from '../../support/mcp-client.ts';
import { createMcpRequest, LIST_TOOLS } from '../../support/mcp-request.ts';
import { createTestExchange } from '../../support/request-context.ts';
import { createStore, FILLED_DATASETS, fillStore } from '../../support/store.ts';
import { useTestServer } from '../../support/use-test-server.ts';

const service = useTestServer(async () => fillStore(await createStore()));
const post = (body: unknown, headers?: Record<string, string>) =>
  postMessage(service.address, body, headers);
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const LEGACY_CALL = { ...PING, method: 'tools/call', params: { name: 'get_quotes' } };
const CALL = createMessage('tools/call', { name: 'get_quotes', arguments: { limit: 1 } });

describe('a message to /mcp', () => {
  test('of the protocol without sessions gets one JSON response', async () => {
    const response = await post(CALL.body, CALL.headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toStartWith('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  });

  test('that came by a proxy gets addresses of the scheme that the client used', async () => {
    const headers = { ...CALL.headers, 'X-Forwarded-Proto': 'https' };
    const text = await (await post(CALL.body, headers)).text();
    expect(text).toContain(
      `"address":"${service.address.replace('http:', 'https:')}/2.0/bnb/quote`,
    );
  });

  test('that names no valid host gets addresses without one', async () => {
    for (const Host of ['a:99999', 'a%zz', '[']) {
      const response = await post(CALL.body, { ...CALL.headers, Host });
      expect(await response.text()).toContain('"address":"/2.0/bnb/quote');
    }
  });

  test('that asks what the server can do gets versions, tools, and how long they are valid', async () => {
    const discover = createMessage('server/discover');
    const { result } = await getJson(post(discover.body, discover.headers));
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      instructions: expect.stringContaining('describe_datasets'),
    });
    const list = createMessage('tools/list');
    const listed = await getJson(post(list.body, list.headers));
    expect(listed.result).toMatchObject({ ttlMs: 0, cacheScope: 'public' });
  });

  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'that initializes version %s gets that version',
    async (protocolVersion) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const response = await post({ ...PING, method: 'initialize', params });
      expect(response.headers.get('mcp-session-id')).toBeNull();
      expect(await response.text()).toContain(`"protocolVersion":"${protocolVersion}"`);
    },
  );

  test.each([
    [
      'a method that is not in its header',
      CALL.body,
      { ...CALL.headers, 'Mcp-Method': 'x' },
      -32020,
    ],
    ['a tool that is not in its header', CALL.body, { ...CALL.headers, 'Mcp-Name': 'x' }, -32020],
    ['no JSON', '{"a":', {}, -32700],
    ['nothing', '', {}, -32700],
    [
      'bytes that are not UTF-8',
      new Blob([Buffer.from('{"a":"\u00e4"}', 'latin1')]).stream(),
      {},
      -32700,
    ],
    ['a batch', [PING], {}, -32600],
    ['a text', '"x"', {}, -32600],
    ['no version of JSON-RPC', { id: 1, method: 'ping' }, {}, -32600],
    ['a response to it instead', '{}', {}, -32600],
    ['a status of its own', { isRpcError: true, status: 9999, error: {} }, {}, -32600],
    ['lists in lists', `{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, {}, -32600],
    [
      'lists in lists after closing brackets in a text',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\\"${']'.repeat(99)}":${'['.repeat(99)}${']'.repeat(99)}}}`,
      {},
      -32600,
    ],
  ])('with %s gets 400 and the error of the protocol', async (_, body, headers, code) => {
    const response = await post(body, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  test('of an unknown version gets 400 with those that there are', async () => {
    const text = JSON.stringify(CALL.body).replace('2026-07-28', '2030-01-01');
    const response = await post(text, { ...CALL.headers, 'MCP-Protocol-Version': '2030-01-01' });
    expect(response.status).toBe(400);
    const { error } = await getJson(response);
    expect(error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
  });

  test('of an unknown method gets 404, one of another content type 415', async () => {
    const unknown = createMessage('tools/drop');
    const response = await post(unknown.body, unknown.headers);
    expect([response.status, (await getJson(response)).error.code]).toEqual([404, -32601]);
    expect((await post(CALL.body, { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  test.each([
    ['initialize', undefined],
    ['tools/list', { cursor: 5 }],
    ['tools/call', undefined],
    ['tools/call', { name: 5 }],
  ])(
    'of the method %s with parameters %p gets the error of invalid ones',
    async (method, params) => {
      const response = await post({ ...PING, method, params });
      expect(await getJson(response)).toMatchObject({ id: PING.id, error: { code: -32602 } });
    },
  );

  test('with the name of the prototype as an argument gets an error to read', async () => {
    const text = JSON.stringify(CALL.body).replace('"limit"', '"__proto__"');
    const { result } = await getJson(post(text, CALL.headers));
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain('unknown argument \\"__proto__\\"');
  });

  test('that expects no response gets 202', async () => {
    const response = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  test('of more than 64 KiB gets 413, whether its length is given or not', async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
    });
    for (const body of [JSON.stringify({ x: 'x'.repeat(70_000) }), endless]) {
      const response = await post(body);
      expect([response.status, response.headers.get('connection')]).toEqual([413, 'close']);
    }
  });

  test('that arrives too slowly is given up', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    });
    const request = new Request('http://localhost/mcp', { method: 'POST', body });
    expect((await readMessage(request, 20)).error).toMatchObject({ status: 408 });
  });

  test.each([
    ['https://evil.example', 403],
    ['http://localhost.evil.example', 403],
    ['null', 403],
    ['http://localhost:99999', 403],
    ['http://localhost:x', 403],
    ['http://localhost/', 403],
    ['http://localhost:6274/path', 403],
    ['http://user@localhost', 403],
    ['http://localhost@evil.example', 403],
    ['HTTP://LOCALHOST', 403],
    ['http://localhost.', 403],
    ['http:localhost', 403],
    ['ws://localhost', 403],
    ['http://[::2]', 403],
    ['http://[0:0:0:0:0:0:0:1]', 403],
    ['http://127.1', 403],
    ['http://localhost, http://localhost:6274', 403],
    ['http://localhost:6274', 200],
    ['https://127.0.0.1:65535', 200],
    ['http://[::1]:6274', 200],
    ['https://allowed.example', 200],
  ])('from a page of %s gets %d', async (Origin, status) => {
    const response = await post(PING, { Origin });
    expect(response.status).toBe(status);
    // What is not read is not waited for.
    expect(response.headers.get('connection') === 'close').toBe(status === 403);
  });

  test('needs a token, POST, and no parameters', async () => {
    expect((await post(PING, { Authorization: '' })).status).toBe(401);
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
      const response = await service.request('/mcp', {}, method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
    const target = await fetch(`${service.address}/mcp?x=1`, { method: 'POST', body: '{}' });
    expect(target.status).toBe(401);
    const parameter = await service.request('/mcp?x=1', {}, 'POST');
    expect(await parameter.json()).toMatchObject({
      message: 'unknown parameter "x"; none is taken here',
    });
  });

  test('may come from another origin, with whatever headers its users chose', async () => {
    const requested = { 'access-control-request-headers': 'content-type,mcp-method,x-own' };
    const response = await service.request('/mcp', { authorization: '', ...requested }, 'OPTIONS');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    const allowed = response.headers.get('access-control-allow-headers')?.split(', ');
    for (const name of ['Authorization', 'content-type', 'mcp-method', 'x-own'])
      expect(allowed).toContain(name);
  });

  test('is logged with its revision and without what it says', async () => {
    service.events.length = 0;
    await post(CALL.body, CALL.headers);
    await post(LEGACY_CALL);
    const line = { event: 'request', method: 'POST', route: '/mcp', status: 200 };
    const logged = { ...line, revision: FILLED_DATASETS.length };
    expect(service.events).toMatchObject([logged, logged]);
  });
});

test.each([
  ['the protocol without sessions', CALL],
  ['the version before it', { body: LEGACY_CALL, headers: {} }],
])('what fails while a tool is called fails a request of %s, and is not sent', async (_, sent) => {
  const handle = createMcpHandler(await loadSdk());
  const catalogues = new Catalogues([], { declarations: () => NONE_DECLARED });
  const getNewestView = () => ({ revision: 0, catalogue: catalogues.current, namedBy: 'nothing' });
  const request = createMcpRequest(undefined, sent.headers);
  const exchange = createTestExchange({ catalogues, getNewestView }, request);
  const fail = async () => {
    await new Promise(setImmediate);
    throw new Error('the cause');
  };
  const handled = handle(exchange, fail, sent.body);
  await expect(handled).rejects.toThrow('the cause');
});

test('a library that has failed to load is loaded as a bundle, as soon as that can be made', async () => {
  let canBundle = false;
  const sdkSource: SdkSource = {
    // Bun remembers the failure for as long as the process runs.
    importPackage: () => Promise.reject(new Error('no file can be opened')),
    importBundle: (cause) =>
      canBundle ? import('@modelcontextprotocol/server') : Promise.reject(cause),
  };
  const route = createMcpRoute(new Set(), () => loadSdk(sdkSource));
  const list = () => {
    const catalogues = new Catalogues([], { declarations: () => NONE_DECLARED });
    const exchange = createTestExchange({ catalogues }, createMcpRequest(LIST_TOOLS));
    return route.respond(exchange, async () => NOT_FOUND_RESPONSE);
  };
  await expect(list()).rejects.toThrow('no file can be opened');
  canBundle = true;
  expect((await list()).status).toBe(200);
});

interface RpcResponse {
  readonly result: unknown;
  readonly error: { readonly code: number };
}

async function getJson(response: Response | Promise<Response>): Promise<RpcResponse> {
  return (await (await response).json()) as RpcResponse;
}
