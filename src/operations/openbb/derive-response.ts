import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/parameter.ts';
import type { Database } from '../../http/pipeline/database.ts';
import {
  computeEtag,
  createJsonHeaders,
  type HttpResponse,
  REPR_DIGEST,
  storableResponse,
  withReprDigest,
} from '../../http/responses/response.ts';
import type { Awaitable } from '../../shared/awaitable.ts';

/** The headers of a request to OpenBB's endpoints that the request for its data keeps. */
export function keepInstant({ headers }: Request): { readonly headers: Headers } {
  const instant = headers.get(ACCEPT_DATETIME);
  return { headers: new Headers(instant === null ? {} : { [ACCEPT_DATETIME]: instant }) };
}

/** A response with what is made of the records of another one; `key` says what. */
export function deriveResponse(
  { responseCache }: Pick<Database, 'responseCache'>,
  source: HttpResponse,
  key: string,
  build: (records: readonly AnyRecord[]) => unknown,
): Promise<HttpResponse> {
  return deriveOnce(source, key, (records) => {
    const response = createJsonResponse(build(records), source);
    responseCache.attach(response, source);
    return source.headers.has(REPR_DIGEST) ? withReprDigest(response) : response;
  });
}

const derivedValues = new WeakMap<HttpResponse, Map<string, Promise<unknown>>>();

/** Makes something of the records of a response, once for as long as that is cached. */
export function deriveOnce<T>(
  source: HttpResponse,
  key: string,
  create: (records: readonly AnyRecord[]) => Awaitable<T>,
): Promise<T> {
  const values = derivedValues.getOrInsertComputed(source, () => new Map());
  return values.getOrInsertComputed(key, () => readRecords(source).then(create)) as Promise<T>;
}

/** The records of a successful response; none if it has no data, as that of an unknown fund. */
async function readRecords({ body }: HttpResponse): Promise<readonly AnyRecord[]> {
  const text = typeof body === 'string' ? body : await body?.text();
  const { data = [] } = JSON.parse(text ?? '{}') as { data?: AnyRecord | AnyRecord[] };
  return Array.isArray(data) ? data : [data];
}

/** The headers that a derived response keeps of its source. */
const KEPT_HEADERS = [
  ...['Cache-Control', 'Tenor-Revision', 'Tenor-Published-At', 'Memento-Datetime', 'Link'],
];

/** A response of JSON without an envelope; derived from another one, if that is given. */
export function createJsonResponse(content: unknown, source?: HttpResponse): HttpResponse {
  const json = JSON.stringify(content);
  const headers = createJsonHeaders('private, no-cache');
  for (const name of KEPT_HEADERS) {
    const value = source?.headers.get(name);
    if (value) headers.set(name, value);
  }
  headers.set('Vary', `Accept-Encoding, Authorization, ${ACCEPT_DATETIME}`);
  const { revision = null } = source ?? {};
  return storableResponse(new Blob([json]), headers, { etag: computeEtag(json), revision });
}
