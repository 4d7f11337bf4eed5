import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import type { JsonData, ResponseParts } from '../background/background-work.ts';
import { computeEtag } from '../responses/etag.ts';
import { formatLink, removeParameter } from '../responses/links.ts';
import { createRecordsResponse, isComputed } from '../responses/records-response.ts';
import { withReprDigest } from '../responses/repr-digest.ts';
import { IMMUTABLE_CACHE_CONTROL } from '../responses/requested-revision.ts';
import {
  createJsonHeaders,
  errorResponse,
  type HttpResponse,
  storableResponse,
  withMemento,
} from '../responses/response.ts';
import { setHistoryHeaders } from '../responses/store-lookups.ts';
import type { PlannedRequest } from './read-parts.ts';
import type { DataRoute, PageQuery } from './route.ts';

/** Responds with what was read: an error, a page of records in the format of its query, or JSON. */
export async function createResponse(
  { route, query, view, target }: PlannedRequest,
  parts: ResponseParts,
): Promise<HttpResponse> {
  if (parts.error) return errorResponse(parts.error);
  const response = parts.page
    ? pageResponse(route, query as PageQuery, { ...parts, page: parts.page })
    : jsonResponse(route, parts.json as JsonData, parts.links);
  setHistoryHeaders(response, parts);
  if (view.mementoDatetime === undefined || response.revision === null) return response;
  // With the parameter, another instant in the header would have no effect.
  const memento = withMemento(response, view.mementoDatetime, removeParameter(target, 'as_of'));
  const isPinned = view.namedBy === 'number' && !isComputed(query as PageQuery);
  if (!isPinned || response.status !== 200) return memento;
  memento.headers.set('Cache-Control', IMMUTABLE_CACHE_CONTROL);
  return withReprDigest(memento);
}

function pageResponse(
  { getScopeKey, successor }: DataRoute,
  query: PageQuery,
  parts: ResponseParts & { readonly page: NonNullable<ResponseParts['page']> },
): HttpResponse {
  const { page, modified, links } = parts;
  const { total, ...others } = page;
  const counted = query.includesTotal && total !== undefined ? { ...others, total } : others;
  const response = createRecordsResponse({ ...query, page: counted, modified, links });
  if (getScopeKey) response.headers.append('Vary', 'Authorization');
  if (successor) addSuccessor(response.headers, successor);
  return response;
}

/** Says that another dataset has taken the place of this one, and since when (RFC 9745). */
function addSuccessor(headers: Headers, { paths, declared }: Dataset): void {
  const seconds = Math.floor(Date.parse(declared?.supersedesSince ?? '') / 1_000);
  headers.set('Deprecation', `@${seconds}`);
  headers.append('Link', formatLink(paths[0], 'successor-version'));
}

/** Responds with JSON: in the envelope, unless the operation's data is a document. */
function jsonResponse(
  { operation, isAlwaysCurrent }: DataRoute,
  { data, revision, isFinal }: JsonData,
  links: string | undefined,
): HttpResponse {
  const json = operation?.isDocument ? data : `{"status":"ok","data":${data}}`;
  const headers = createJsonHeaders(isFinal ? IMMUTABLE_CACHE_CONTROL : 'private, no-cache');
  headers.set('Tenor-Revision', String(revision));
  headers.set('Vary', 'Accept-Encoding, Authorization');
  if (!isAlwaysCurrent) headers.append('Vary', ACCEPT_DATETIME);
  if (links !== undefined) headers.set('Link', links);
  return storableResponse(new Blob([json]), headers, {
    // The cursor pins a revision, and is signed by each database with a secret of its own.
    etag: computeEtag(data, { dependency: links && `cut at ${revision}` }),
    revision,
  });
}
