import { describe, expect, test } from 'bun:test';
import { TenorError } from '../../clients/typescript/src/index.ts';
import { catchError, errorResponse, ok, startScriptedServer } from './typescript-support.ts';

describe('a failed request', () => {
  test.each([
    [400, 'parameter "limit" must be …', 'bad_request'],
    [401, 'unauthorized_request', 'unauthorized'],
    [403, 'forbidden', 'forbidden'],
    [404, 'not_found', 'not_found'],
    [410, 'the cursor is too old', 'bad_request'],
    [500, 'internal_error', 'internal_error'],
    [200, 'no_record_found', 'no_record_found'],
    [200, 'no fund_id provided', 'no_fund_id'],
    [200, 'something new', 'bad_request'],
  ] as const)(
    'with status %d and message %j is an error of kind %s, and is not retried',
    async (...row) => {
      const [status, message, kind] = row;
      await using server = startScriptedServer(
        errorResponse(status, message, { 'X-Request-Id': 'r-1' }),
      );
      const error = await catchError(server.client().fundAllocation({ fund_id: 'x' }));
      expect(error).toBeInstanceOf(TenorError);
      expect(error).toMatchObject({ name: 'TenorError', kind, message, status, requestId: 'r-1' });
      expect(error.url).toBe(`${server.address}/3.0/funds/allocation?fund_id=x`);
      expect(server.requests.length).toBe(1);
    },
  );

  test.each([
    ['HTML', 502, () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['nothing', 500, () => new Response(null, { status: 500 })],
    ['a list', 404, () => Response.json([], { status: 404 })],
  ])('whose body is %s has its status as message', async (_, status, respond) => {
    await using server = startScriptedServer(respond);
    const error = await catchError(server.client({ tries: 1 }).quotes());
    expect(error).toMatchObject({ status, message: `HTTP status ${status}` });
  });

  test.each([
    ['not JSON', () => new Response('{"status":"ok","data":[')],
    ['null', () => Response.json(null)],
    ['without data', () => Response.json({ status: 'ok' })],
    ['without a list', ok({})],
    ['of another status', () => Response.json({ status: 'busy', data: [] })],
    ['without a message', () => Response.json({ status: 'error' })],
    ['empty', () => new Response(null, { status: 204 })],
    ['that of an unexpected 304', () => new Response(null, { status: 304 })],
  ])('is an error of kind malformed if the body is %s', async (_, respond) => {
    await using server = startScriptedServer(respond);
    const error = await catchError(server.client().quotes());
    expect(error).toMatchObject({ name: 'TenorError', kind: 'malformed' });
    expect(server.requests.length).toBe(1);
  });

  test('is an error of kind network with its cause if nobody listens', async () => {
    const server = startScriptedServer(ok());
    await server[Symbol.asyncDispose]();
    const error = await catchError(server.client({ tries: 1 }).quotes());
    expect(error).toMatchObject({ kind: 'network', status: undefined });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('is an error of kind timeout if the response does not start or does not end', async () => {
    const never = () => new Promise<Response>(() => {});
    const unending = () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) }));
    for (const respond of [never, unending]) {
      await using server = startScriptedServer(respond);
      const error = await catchError(server.client({ tries: 1, timeoutMs: 50 }).quotes());
      expect(error).toMatchObject({ kind: 'timeout' });
    }
  });
});

test('the timeout also ends a custom fetch that ignores its signal', async () => {
  await using server = startScriptedServer(ok());
  const client = server.client({ fetch: () => new Promise(() => {}), timeoutMs: 20, tries: 1 });
  expect(await catchError(client.quotes())).toMatchObject({ kind: 'timeout' });
});

describe('a temporary error', () => {
  test.each([429, 502, 503, 504])('with status %d is retried', async (status) => {
    await using server = startScriptedServer(
      errorResponse(status, 'later', { 'Retry-After': '0' }),
      ok([], { 'Tenor-Revision': '7' }),
    );
    expect((await server.client().quotes()).meta.revision).toBe(7);
    expect(server.requests.length).toBe(2);
  });

  test('such as a truncated response or a timeout is retried', async () => {
    const truncated = () =>
      new Response(
        new ReadableStream({
          start(body) {
            body.enqueue(new TextEncoder().encode('{"status":"ok",'));
            setTimeout(() => body.error(new Error('cut')), 10);
          },
        }),
      );
    await using server = startScriptedServer(truncated, () => new Promise(() => {}), ok());
    expect((await server.client({ tries: 3, timeoutMs: 200 }).quotes()).data).toEqual([]);
    expect(server.requests.length).toBe(3);
  });

  test('is thrown at once if Retry-After is too long', async () => {
    await using server = startScriptedServer(
      errorResponse(429, 'too_many_requests', { 'Retry-After': '9000' }),
    );
    const error = await catchError(server.client().quotes());
    expect(error).toMatchObject({ kind: 'too_many_requests', retryAfterMs: 9_000_000 });
    expect(server.requests.length).toBe(1);
  });
});

describe('an abort', () => {
  test('rejects a request with the reason of the signal', async () => {
    await using server = startScriptedServer(() => new Promise(() => {}));
    const controller = new AbortController();
    const call = server.client().quotes({}, { signal: controller.signal });
    controller.abort(new Error('enough'));
    expect(await catchError(call)).toMatchObject({ name: 'Error', message: 'enough' });
    const after = server.client().quotes({}, { signal: controller.signal });
    expect((await catchError(after)).message).toBe('enough');
  });

  test('ends the wait before a retry', async () => {
    const controller = new AbortController();
    await using server = startScriptedServer(() => {
      setTimeout(() => controller.abort(new Error('enough')), 20);
      return errorResponse(503, 'temporarily_unavailable', { 'Retry-After': '60' })();
    });
    const call = server.client().quotes({}, { signal: controller.signal });
    expect((await catchError(call)).message).toBe('enough');
  });

  test('leaves no listener on the signal', async () => {
    await using server = startScriptedServer(
      errorResponse(503, 'later', { 'Retry-After': '0' }),
      ok(),
    );
    const { signal } = new AbortController();
    let listening = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...listener: Parameters<typeof addEventListener>) => {
      listening += 1;
      addEventListener.apply(signal, listener);
    };
    signal.removeEventListener = (...listener: Parameters<typeof removeEventListener>) => {
      listening -= 1;
      removeEventListener.apply(signal, listener);
    };
    await server.client().quotes({}, { signal });
    expect(server.requests.length).toBe(2);
    expect(listening).toBe(0);
  });

  test('ends the reading of a download', async () => {
    const controller = new AbortController();
    await using server = startScriptedServer(() => {
      const body = new ReadableStream({ start: (sent) => sent.enqueue(new Uint8Array(9)) });
      return new Response(body, { headers: { 'Content-Type': 'text/csv' } });
    });
    const { signal } = controller;
    const response = await server.client().download('quotes', 'csv', {}, { signal });
    const text = response.text();
    controller.abort(new Error('enough'));
    expect((await catchError(text)).message).toBe('enough');
  });
});
