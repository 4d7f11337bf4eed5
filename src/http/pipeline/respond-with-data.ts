import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type Awaitable, whenReady } from '../../shared/awaitable.ts';
import { getDataset } from '../../tabular/encode-records.ts';
import type { EncodedPage } from '../pages/encode-page.ts';
import { computeEtag } from '../responses/etag.ts';
import { createPaginationLinks, formatLink } from '../responses/links.ts';
import { createRecordsResponse } from '../responses/records-response.ts';
import { IMMUTABLE_CACHE_CONTROL } from '../responses/requested-revision.ts';
import { createJsonHeaders, type HttpResponse, storableResponse } from '../responses/response.ts';
import {
  includeDeclaration,
  type LastChange,
  withHistoryHeaders,
} from '../responses/store-lookups.ts';
import type {
  DataContext,
  DataRoute,
  JsonResult,
  OperationQuery,
  OperationResult,
  PageQuery,
} from './route.ts';

/** Responds with what an operation has read: a page of records in the format of its query, or JSON. */
export function respondWithData(
  data: DataContext,
  route: DataRoute,
  { target, query, result }: { target: string; query: OperationQuery; result: OperationResult },
): Awaitable<HttpResponse> {
  const response = whenReady(createNextCursor(data, query, result), (cursor) => {
    const links = cursor && createPaginationLinks(target, cursor);
    if ('data' in result) return jsonResponse(route, result as JsonResult, links);
    const pageQuery = query as PageQuery;
    const page = result as EncodedPage;
    // What depends on scopes describes the program as well: no date tells whether it is the same.
    const datedDatasets = route.getScopeKey ? [] : pageQuery.datasets;
    return whenReady(findLastChangeOfAny(data, datedDatasets, page.revision), (change) => {
      const modified = includeDeclaration(change, getDataset(pageQuery.source) ?? {});
      const response = createRecordsResponse({ ...pageQuery, page, modified, links });
      if (route.getScopeKey) response.headers.append('Vary', 'Authorization');
      if (route.successor) addSuccessor(response.headers, route.successor);
      return response;
    });
  });
  return whenReady(response, (created) => withHistoryHeaders(data, created, query.since));
}

/** Says that another dataset has taken the place of this one, and since when (RFC 9745). */
function addSuccessor(headers: Headers, { paths, declared }: Dataset): void {
  const seconds = Math.floor(Date.parse(declared?.supersedesSince ?? '') / 1_000);
  headers.set('Deprecation', `@${seconds}`);
  headers.append('Link', formatLink(paths[0], 'successor-version'));
}

/** All pages are of the revision of the first one. */
function createNextCursor(
  { cursors, findRevision }: DataContext,
  { cursorScope = '' }: OperationQuery,
  { revision, nextPosition }: OperationResult,
): Awaitable<string | undefined> {
  if (!nextPosition) return undefined;
  return whenReady(findRevision(revision), (found) => {
    const publishedMs = found ? Date.parse(found.publishedAt) : 0;
    return cursors.encode(cursorScope, [revision, publishedMs, ...nextPosition]);
  });
}

/** Responds with JSON: in the envelope, unless the operation's data is a document. */
function jsonResponse(
  { operation, isAlwaysCurrent }: DataRoute,
  { data, revision, isFinal }: JsonResult,
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

/** The last change of several datasets; most records are of one. */
function findLastChangeOfAny(
  { findLastChange }: Pick<DataContext, 'findLastChange'>,
  [dataset, ...others]: readonly string[],
  revision: number,
): Awaitable<LastChange | undefined> {
  const first = dataset === undefined ? undefined : findLastChange(dataset, revision);
  if (others.length === 0) return first;
  const changes = [first, ...others.map((other) => findLastChange(other, revision))];
  return Promise.all(changes).then((all) => {
    const [last, earlier] = all
      .filter((change) => change !== undefined)
      .toSorted((a, b) => b.revision - a.revision);
    return last && { ...last, isAmbiguous: last.isAmbiguous || last.atMs === earlier?.atMs };
  });
}
