import { Tenor, type TenorError, type TenorOptions } from '../../clients/typescript/src/index.ts';
import { type TestServer, TOKEN } from '../support/test-server.ts';

export const SECRET = 'tenor_secret-of-the-test';

/** A server that sends the responses of a test, and a client of it. */
export interface ScriptedServer extends AsyncDisposable {
  readonly address: string;
  /** The requests it received, in order. */
  readonly requests: ReceivedRequest[];
  client(options?: Partial<TenorOptions>): Tenor;
}

export interface ReceivedRequest {
  readonly target: string;
  readonly headers: Headers;
}

/** Sends the first response to the first request, and so on; the last response is repeated. */
export function startScriptedServer(
  ...responses: readonly ((request: Request) => Response | Promise<Response>)[]
): ScriptedServer {
  const requests: ReceivedRequest[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    fetch(request) {
      const target = request.url.slice(request.url.indexOf('/', 7));
      requests.push({ target, headers: new Headers(request.headers) });
      const respond = responses[Math.min(requests.length, responses.length) - 1];
      return respond ? respond(request) : new Response(null, { status: 500 });
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

/** An error response of the service. */
export const errorResponse =
  (status: number, message: string, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ status: 'error', message }, { status, headers });

/** A client of a real server. */
export function createClient({ address }: TestServer, options: Partial<TenorOptions> = {}): Tenor {
  return new Tenor({ baseUrl: address, token: TOKEN, ...options });
}

/** The error that a call rejects with. */
export async function catchError(call: Promise<unknown>): Promise<TenorError> {
  const error = await call.then(
    () => undefined,
    (thrown: TenorError) => thrown,
  );
  if (!error) throw new Error('the call did not fail');
  return error;
}
