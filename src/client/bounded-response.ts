import { TenorError } from './errors.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What is read into memory as a whole, and the most bytes that it can have. */
export type BodyLimit = readonly [name: string, maxBytes: number];

const [KIB, MIB] = [1_024, 1_048_576];
const LIMITS: readonly (readonly [path: RegExp, limit: BodyLimit])[] = [
  [/(^|\/)(ledger|revisions\/\d+)\/checkpoint$/, ['a checkpoint', 4 * KIB]],
  // A hash has 32 bytes; an entry has its length before it.
  [/(^|\/)ledger\/tile\//, ['a tile', 256 * 34]],
  [/\/ledger\/proof\/\d+$/, ['a proof', 16 * KIB]],
  [/\/ledger\/keys$|\/keys\.json$/, ['the list of keys', MIB]],
  [/\/ledger\/entries\/\d+$|\/entry\.json$/, ['an entry', 4 * MIB]],
  [/(^|\/)latest\.json$/, ['latest.json', KIB]],
  [/\/manifest\.json$/, ['a manifest', 8 * MIB]],
  [/(^|\/)data\/\w+\.parquet$/, ['a data file', 128 * MIB]],
];
const RESPONSE_LIMIT: BodyLimit = ['a response', 64 * MIB];
const ERROR_LIMIT: BodyLimit = ['an error response', MIB];
/** Of what has no other: that of the largest of them. */
export const BUFFER_LIMIT: BodyLimit = ['a response', 128 * MIB];
/** Their readers hold a part of them, or are the caller's. */
const STREAMS = /^(application\/x-ndjson|text\/event-stream)$/;
const STATUSES_WITHOUT_BODY: readonly number[] = [204, 205, 304];
const STREAMED_FILES = /\.ndjson$|\/exports\/[^/]+\.\w+$/;

/** By the address that is requested, never by what the response says of itself. */
function findLimit(target: string, accept: string | null): BodyLimit | undefined {
  const [path = ''] = target.split('?');
  const [, limit] = LIMITS.find(([pattern]) => pattern.test(path)) ?? [];
  if (limit) return limit;
  return STREAMS.test(accept ?? '') || STREAMED_FILES.test(path) ? undefined : RESPONSE_LIMIT;
}

/** The same response, whose body ends with an error that names it if it is larger than it can be. */
export function boundResponse(
  response: Response,
  target: string,
  accept: string | null = null,
  limit = findLimit(target, accept),
): Response {
  const { body, status } = response;
  const [name, maxBytes] = status < 300 ? (limit ?? []) : ERROR_LIMIT;
  // Browsers give these an empty stream, and refuse to make them with one.
  const hasBody = body && !STATUSES_WITHOUT_BODY.includes(status);
  if (!hasBody || name === undefined || maxBytes === undefined) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      const message = `${name} can have ${maxBytes.toLocaleString('en-US')} bytes at most, and ${target} sends more`;
      throw new TenorError('malformed', message, { url: target, status });
    },
  });
  return replaceBody(response, body.pipeThrough(counter));
}

/** The `fetch` of the platform; that of Bun would inflate all that it receives, however large it gets. */
export const fetchInflated: Fetch = async (url, init) => {
  if (!('Bun' in globalThis)) return fetch(url, init);
  const headers = new Headers(init.headers);
  headers.set('accept-encoding', [...INFLATERS.keys()].join());
  const response = await fetch(url, { ...init, headers, decompress: false } as RequestInit);
  const encoding = response.headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (!response.body || encoding === 'identity') return response;
  const format = INFLATERS.get(encoding);
  const { status } = response;
  if (!format)
    throw new TenorError('malformed', `${url} sends the encoding ${encoding}`, { url, status });
  const body = response.body.pipeThrough(new DecompressionStream(format as 'gzip'));
  const inflated = replaceBody(response, body);
  for (const name of ['content-encoding', 'content-length']) inflated.headers.delete(name);
  return inflated;
};

const INFLATERS = new Map(Object.entries({ zstd: 'zstd', br: 'brotli', gzip: 'gzip' }));

/** A response with its whole body, unless it is one whose parts are read as they come. */
export const fetchBuffered: Fetch = async (url, init) => {
  const accept = new Headers(init.headers).get('accept');
  const response = boundResponse(await fetchInflated(url, init), url, accept);
  if (STREAMS.test(accept ?? '')) return response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, response);
};

/** The same response with another body. */
export function replaceBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const replaced = new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, response);
  return Object.defineProperty(replaced, 'url', { value: response.url });
}
