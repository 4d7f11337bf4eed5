import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { AnyRecord } from '../../catalogue/model/dataset.ts';
import { computeEtag } from '../responses/etag.ts';
import { createJsonHeaders, type HttpResponse } from '../responses/response.ts';

/** What a request that is made for a guest keeps of its own. */
export function keepInstant({ headers }: Request): { readonly headers: Headers } {
  const instant = headers.get(ACCEPT_DATETIME);
  return { headers: new Headers(instant === null ? {} : { [ACCEPT_DATETIME]: instant }) };
}

/** The records of a successful response; none where it has no data, as that of an unknown fund. */
export async function readRecords({ body }: HttpResponse): Promise<readonly AnyRecord[]> {
  const text = typeof body === 'string' ? body : await body?.text();
  const { data = [] } = JSON.parse(text ?? '{}') as { data?: AnyRecord | AnyRecord[] };
  return Array.isArray(data) ? data : [data];
}

/** What a response that is made from another one keeps of it. */
const KEPT_HEADERS = ['Cache-Control', 'Tenor-Revision', 'Memento-Datetime', 'Link'];

/** A response of JSON without an envelope; given another one, it is made from that. */
export function createJsonResponse(content: unknown, source?: HttpResponse): HttpResponse {
  const json = JSON.stringify(content);
  const headers = createJsonHeaders('private, no-cache');
  for (const name of KEPT_HEADERS) {
    const value = source?.headers.get(name);
    if (value) headers.set(name, value);
  }
  const etag = computeEtag(json);
  headers.set('ETag', etag);
  headers.set('Vary', `Accept-Encoding, Authorization, ${ACCEPT_DATETIME}`);
  const { revision = null } = source ?? {};
  const body = new Blob([json]);
  return { status: 200, body, headers, revision, validators: { etag }, isCompressible: true };
}
