import { Tenor, type TenorError, type TenorOptions } from '../../clients/typescript/src/index.ts';
import { type TestServer, TOKEN } from '../support/test-server.ts';

export const SECRET = 'tenor_secret-of-the-test';

/** A server that answers as a test says, and a client of it. */
export interface Misbehaving extends AsyncDisposable {
  readonly address: string;
  /** What arrived, in order. */
  readonly requests: Arrived[];
  client(options?: Partial<TenorOptions>): Tenor;
}

export interface Arrived {
  readonly target: string;
  readonly headers: Headers;
}

/** Answers the first request with the first reply, and so on; the last reply is given again. */
export function answering(
  ...replies: readonly ((request: Request) => Response | Promise<Response>)[]
): Misbehaving {
  const requests: Arrived[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    fetch(request) {
      const target = request.url.slice(request.url.indexOf('/', 7));
      requests.push({ target, headers: new Headers(request.headers) });
      const reply = replies[Math.min(requests.length, replies.length) - 1];
      return reply ? reply(request) : new Response(null, { status: 500 });
    },
  });
  const address = `http://127.0.0.1:${server.port}`;
  return {
    address,
    requests,
    client: (options) => new Tenor({ baseUrl: address, token: SECRET, tries: 2, ...options }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A success with these records and headers. */
export const ok =
  (data: unknown = [], headers: Record<string, string> = {}) =>
  () =>
    Response.json({ status: 'ok', data }, { headers });

/** A refusal as the service words it. */
export const refusal =
  (status: number, message: string, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ status: 'error', message }, { status, headers });

/** A client of a real server. */
export function clientOf({ address }: TestServer, options: Partial<TenorOptions> = {}): Tenor {
  return new Tenor({ baseUrl: address, token: TOKEN, ...options });
}

/** What a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<TenorError> {
  const outcome = await call.then(
    () => undefined,
    (thrown: TenorError) => thrown,
  );
  if (!outcome) throw new Error('it did not fail');
  return outcome;
}
