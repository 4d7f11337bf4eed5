import { describe, expect, test } from 'bun:test';
import { TenorError } from '../../clients/typescript/src/index.ts';
import { answering, failureOf, ok, refusal } from './typescript-support.ts';

describe('a failure', () => {
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
  ] as const)('of status %d with %j is of the kind %s, and is not tried again', async (...row) => {
    const [status, message, kind] = row;
    await using server = answering(refusal(status, message, { 'X-Request-Id': 'r-1' }));
    const failure = await failureOf(server.client().fundAllocation({ fund_id: 'x' }));
    expect(failure).toBeInstanceOf(TenorError);
    expect(failure).toMatchObject({ name: 'TenorError', kind, message, status, requestId: 'r-1' });
    expect(failure.url).toBe(`${server.address}/3.0/funds/allocation?fund_id=x`);
    expect(server.requests.length).toBe(1);
  });

  test.each([
    ['HTML', 502, () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['nothing', 500, () => new Response(null, { status: 500 })],
    ['a list', 404, () => Response.json([], { status: 404 })],
  ])('whose body is %s is told by its status', async (_, status, reply) => {
    await using server = answering(reply);
    const failure = await failureOf(server.client({ tries: 1 }).quotes());
    expect(failure).toMatchObject({ status, message: `HTTP status ${status}` });
  });

  test.each([
    ['no JSON', () => new Response('{"status":"ok","data":[')],
    ['null', () => Response.json(null)],
    ['without data', () => Response.json({ status: 'ok' })],
    ['without a list', ok({})],
    ['without a message', () => Response.json({ status: 'error' })],
    ['empty', () => new Response(null, { status: 204 })],
    ['a 304 that nobody asked for', () => new Response(null, { status: 304 })],
  ])('is malformed where the answer is %s', async (_, reply) => {
    await using server = answering(reply);
    const failure = await failureOf(server.client().quotes());
    expect(failure).toMatchObject({ name: 'TenorError', kind: 'malformed' });
    expect(server.requests.length).toBe(1);
  });

  test('is of the network where nobody listens, with its cause', async () => {
    const server = answering(ok());
    await server[Symbol.asyncDispose]();
    const failure = await failureOf(server.client({ tries: 1 }).quotes());
    expect(failure).toMatchObject({ kind: 'network', status: undefined });
    expect(failure.cause).toBeInstanceOf(Error);
  });

  test('is a timeout where the answer does not come, or does not end', async () => {
    const never = () => new Promise<Response>(() => {});
    const unending = () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) }));
    for (const reply of [never, unending]) {
      await using server = answering(reply);
      const failure = await failureOf(server.client({ tries: 1, timeoutMs: 50 }).quotes());
      expect(failure).toMatchObject({ kind: 'timeout' });
    }
  });
});

test('time ends even where a fetch does not listen', async () => {
  await using server = answering(ok());
  const deaf = server.client({ fetch: () => new Promise(() => {}), timeoutMs: 20, tries: 1 });
  expect(await failureOf(deaf.quotes())).toMatchObject({ kind: 'timeout' });
});

describe('what may pass', () => {
  test.each([429, 502, 503, 504])('is tried again: %d', async (status) => {
    await using server = answering(
      refusal(status, 'later', { 'Retry-After': '0' }),
      ok([], { 'Tenor-Revision': '7' }),
    );
    expect((await server.client().quotes()).meta.revision).toBe(7);
    expect(server.requests.length).toBe(2);
  });

  test('is tried again: an answer that is cut, or takes too long', async () => {
    const cut = () =>
      new Response(
        new ReadableStream({
          start(body) {
            body.enqueue(new TextEncoder().encode('{"status":"ok",'));
            setTimeout(() => body.error(new Error('cut')), 10);
          },
        }),
      );
    await using server = answering(cut, () => new Promise(() => {}), ok());
    expect((await server.client({ tries: 3, timeoutMs: 200 }).quotes()).data).toEqual([]);
    expect(server.requests.length).toBe(3);
  });

  test('is told in the end, with how long to wait', async () => {
    await using server = answering(refusal(429, 'too_many_requests', { 'Retry-After': '9000' }));
    const failure = await failureOf(server.client().quotes());
    expect(failure).toMatchObject({ kind: 'too_many_requests', retryAfterMs: 9_000_000 });
    expect(server.requests.length).toBe(1);
  });
});

describe('an abort', () => {
  test('ends a request with its own reason', async () => {
    await using server = answering(() => new Promise(() => {}));
    const controller = new AbortController();
    const call = server.client().quotes({}, { signal: controller.signal });
    controller.abort(new Error('enough'));
    expect(await failureOf(call)).toMatchObject({ name: 'Error', message: 'enough' });
    const after = server.client().quotes({}, { signal: controller.signal });
    expect((await failureOf(after)).message).toBe('enough');
  });

  test('ends a wait', async () => {
    const controller = new AbortController();
    await using server = answering(() => {
      setTimeout(() => controller.abort(new Error('enough')), 20);
      return refusal(503, 'temporarily_unavailable', { 'Retry-After': '60' })();
    });
    const call = server.client().quotes({}, { signal: controller.signal });
    expect((await failureOf(call)).message).toBe('enough');
  });

  test('leaves nothing behind on a signal that lives on', async () => {
    await using server = answering(refusal(503, 'later', { 'Retry-After': '0' }), ok());
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

  test('ends the body of a download', async () => {
    const controller = new AbortController();
    await using server = answering(() => {
      const body = new ReadableStream({ start: (sent) => sent.enqueue(new Uint8Array(9)) });
      return new Response(body, { headers: { 'Content-Type': 'text/csv' } });
    });
    const { signal } = controller;
    const response = await server.client().download('quotes', 'csv', {}, { signal });
    const text = response.text();
    controller.abort(new Error('enough'));
    expect((await failureOf(text)).message).toBe('enough');
  });
});
