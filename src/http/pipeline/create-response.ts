import type { Dataset } from '../../catalogue/model/dataset.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/parameter.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import { DATA_PACKAGE_PATH } from '../../operations/data-package/data-package-operation.ts';
import type { Awaitable } from '../../shared/awaitable.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import type { RecordSource } from '../../tabular/encode-records.ts';
import type { JsonData, ResponseParts } from '../background/background-work.ts';
import { HttpError } from '../http-error.ts';
import { createBaseHeaders } from '../responses/cors.ts';
import type { EncodedPage, ResponseBody } from '../responses/encode-page.ts';
import {
  computeEtag,
  createJsonHeaders,
  errorResponse,
  type HttpResponse,
  IMMUTABLE_CACHE_CONTROL,
  storableResponse,
  withReprDigest,
} from '../responses/response.ts';
import { setHistoryHeaders } from './database.ts';
import type { DataRoute, PageQuery, PlannedRequest } from './route.ts';

/** Responds with what was read: an error, a page of records in the format of its query, or JSON. */
export function createResponse(
  { route, query, view, target }: PlannedRequest,
  parts: ResponseParts,
): Awaitable<HttpResponse> {
  if (parts.error) return errorResponse(parts.error);
  const response = parts.page
    ? pageResponse(route, query as PageQuery, parts as PageParts)
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

type PageParts = ResponseParts & { readonly page: EncodedPage };

function pageResponse(
  { getScopeKey, successor }: DataRoute,
  query: PageQuery,
  parts: PageParts,
): HttpResponse {
  const { page, links } = parts;
  const response = page.body
    ? createSuccessResponse(query, parts, page.body)
    : pageErrorResponse(query, page);
  const { headers } = response;
  const describes = page.body && !isComputed(query);
  // The data package describes the records of datasets, not what is computed from them.
  const allLinks = [links, describes && DESCRIBED_BY_LINK].filter(Boolean).join(', ');
  if (allLinks !== '') headers.set('Link', allLinks);
  if (query.includesTotal && page.total !== undefined) {
    headers.set('Tenor-Total-Count', String(page.total));
    headers.set('Preference-Applied', 'count=exact');
  }
  if (getScopeKey) headers.append('Vary', 'Authorization');
  if (successor) addSuccessor(headers, successor);
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

/** Errors are always JSON. */
function pageErrorResponse({ format }: PageQuery, { problem, revision }: EncodedPage) {
  const error =
    problem === undefined
      ? new HttpError('no_record_found')
      : new HttpError('not_writable', { format, why: problem });
  const response = errorResponse(error, revision);
  response.headers.set('Vary', VARY_HEADERS);
  return response;
}

function createSuccessResponse(
  query: PageQuery,
  { page, modified, links }: PageParts,
  body: ResponseBody,
): HttpResponse {
  const { source, format } = query;
  const isCompressible = !RESPONSE_FORMATS[format].traits.isCompressed;
  const { revision, contentHash } = page;
  const etag = computeEtag(contentHash, {
    suffix: format === 'json' ? undefined : format,
    dependency: [
      // The cursor pins a revision: a client that revalidates must get the current one.
      links && `cut at ${modified?.revision ?? revision}`,
      // Titles and units of columns are those of the declaration.
      format !== 'json' && source.declared && `declared by ${source.declared.revision}`,
    ]
      .filter(Boolean)
      .join(),
  });
  // No date tells whether another release has computed it.
  const dated = isComputed(query) ? undefined : modified;
  const headers = new Headers(getSharedHeaders(source, format, revision, dated?.atMs));
  headers.set('ETag', etag);
  if ('computedUnits' in source)
    headers.set('Tenor-Units', formatStringList(source.computedUnits as readonly string[]));
  const validators = dated ? { etag, modified: dated } : { etag };
  const { count: records } = page;
  return { status: 200, body, headers, revision, records, validators, isCompressible };
}

/** A list of strings by RFC 9651, whose display strings hold other characters than those of ASCII. */
function formatStringList(texts: readonly string[]): string {
  return texts
    .map((text) =>
      /^[ -~]*$/.test(text)
        ? `"${text.replace(/["\\]/g, '\\$&')}"`
        : `%"${encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())}"`,
    )
    .join(', ');
}

const MAX_CACHED_HEADERS = 100;
const sharedHeadersCache = createBoundedMap<string, Headers>(MAX_CACHED_HEADERS);

/** The headers that all responses of a dataset in a format share until its next revision. */
function getSharedHeaders(
  { name }: RecordSource,
  format: ResponseFormatName,
  revision: number,
  modifiedMs: number | undefined,
): Headers {
  const key = `${name} ${format} ${revision} ${modifiedMs}`;
  const cached = sharedHeadersCache.get(key);
  if (cached) return cached;
  const { contentType, extension } = RESPONSE_FORMATS[format];
  const headers = createBaseHeaders();
  headers.set('Content-Type', contentType);
  headers.set('Cache-Control', 'private, no-cache');
  headers.set('Tenor-Revision', String(revision));
  headers.set('Vary', VARY_HEADERS);
  if (modifiedMs !== undefined) headers.set('Last-Modified', new Date(modifiedMs).toUTCString());
  if (format !== 'json')
    headers.set('Content-Disposition', `attachment; filename="${name}.${extension}"`);
  sharedHeadersCache.set(key, headers);
  return headers;
}

const VARY_HEADERS = `Accept, Accept-Encoding, Prefer, ${ACCEPT_DATETIME}`;

/** A table of quotes is computed, unlike the records in it. */
type Origin = Pick<PageQuery, 'source' | 'includesDataset'> & { readonly quoteTable?: object };

/** Whether records are neither those of a dataset nor a list of them: another release may give others. */
function isComputed({ source, includesDataset, quoteTable }: Origin): boolean {
  if (quoteTable || 'computedUnits' in source) return true;
  return 'dataSchema' in source && !includesDataset;
}

/** Adds the headers of a memento (RFC 7089): the instant of the data, and its time gate. */
export function withMemento(response: HttpResponse, instant: Date, target: string): HttpResponse {
  const headers = new Headers(response.headers);
  // HTTP dates have whole seconds: a fraction is dropped, never rounded up.
  headers.set('Memento-Datetime', instant.toUTCString());
  headers.append('Link', formatLink(target, 'original timegate'));
  return { ...response, headers };
}

/** Links to the next page, which has the cursor, and to the first, for a `Link` header. */
export function createPaginationLinks(target: string, cursor: string): string {
  const first = encodeInvalid(removeParameter(target, 'cursor'));
  const separator = first.includes('?') ? '&' : '?';
  return `<${first}${separator}cursor=${cursor}>; rel="next", <${first}>; rel="first"`;
}

/** One link of a `Link` header (RFC 8288). */
export function formatLink(target: string, relation: string): string {
  return `<${encodeInvalid(target)}>; rel="${relation}"`;
}

function encodeInvalid(target: string): string {
  return INVALID_IN_LINK.test(target) ? target.replace(ALL_INVALID, encodeURIComponent) : target;
}

/** Characters that may not stand between angle brackets, or in a header: percent-encoded. */
const INVALID_IN_LINK = /[^!-~]|[<>"\\^`{|}]/u;
const ALL_INVALID = new RegExp(INVALID_IN_LINK, 'gu');

/** The link from data to its description: the data package. */
export const DESCRIBED_BY_LINK = formatLink(DATA_PACKAGE_PATH, 'describedby');

/** Also if a name is percent-encoded, or a segment empty, which is left out too. */
const MAY_HAVE_PARAMETER = {
  as_of: /%|[?&](?:as_of|&|$)/,
  asOf: /%|[?&](?:asOf|&|$)/,
  cursor: /%|[?&](?:cursor|&|$)/,
};

/** The target without a parameter; the others keep their spelling. */
export function removeParameter(target: string, name: keyof typeof MAY_HAVE_PARAMETER): string {
  if (!MAY_HAVE_PARAMETER[name].test(target)) return target;
  const [path = '', ...query] = target.split('?');
  const pairs = query.join('?').split('&');
  const others = pairs.filter(
    (pair) => pair !== '' && decodeURIComponent(pair.split('=', 1)[0] ?? '') !== name,
  );
  return others.length === 0 ? path : `${path}?${others.join('&')}`;
}
