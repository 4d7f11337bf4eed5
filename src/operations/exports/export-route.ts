import type { Catalogue } from '../../catalogue/catalogues.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { HttpError } from '../../http/http-error.ts';
import { assertNotOlder } from '../../http/pipeline/read-parts.ts';
import type { FileRoute } from '../../http/pipeline/route.ts';
import { parseDataQuery } from '../../http/request/data-query.ts';
import { DESCRIBED_BY_LINK, matchPath } from '../../http/request/request-target.ts';
import { createBaseHeaders } from '../../http/responses/cors.ts';
import {
  errorResponse,
  type HttpResponse,
  IMMUTABLE_CACHE_CONTROL,
  PRECONDITION_FAILED_RESPONSE,
  withMemento,
} from '../../http/responses/response.ts';
import { withHistoryHeaders } from '../../http/responses/store-lookups.ts';
import { evaluatePreconditions } from '../../http/responses/validators.ts';
import { DAMAGED_ERROR } from '../../http/scrub/known-damage.ts';
import { formatContentRange, parseRangeHeader } from './byte-range.ts';
import { type ExportFile, exportsOperation } from './exports-operation.ts';
import type { FileRequest, FileSender } from './file-sender.ts';
import {
  type FileVersion,
  getValidators,
  getVersion,
  resolveIfRangeVersion,
} from './file-version.ts';

/** The operation that sends complete datasets as files. */
export function createExportRoute(catalogue: Catalogue, sender: FileSender): FileRoute {
  const operation = exportsOperation(catalogue.datasets);
  const findFile = (path: string) => matchPath(operation, path)?.file as ExportFile;
  return {
    path: operation.path,
    operation,
    findScope: ({ path }) => findFile(path).dataset.scope,
    async sendFile(exchange, view) {
      const { database, target, headers, method } = exchange;
      const values = parseDataQuery(target.parameters, operation.parameters);
      if (values instanceof HttpError) return errorResponse(values);
      const file = findFile(target.path);
      const { dataset, format } = file;
      if (database.damage.covers([dataset.name])) return errorResponse(DAMAGED_ERROR);
      if (view.error) return errorResponse(view.error);
      await assertNotOlder(database.reader, view);
      const version = await getVersion(database, dataset, view);
      switch (evaluatePreconditions(headers, getValidators(version, format))) {
        case 'failed':
          return PRECONDITION_FAILED_RESPONSE;
        case 'unchanged':
          return withHistoryHeaders(database, createFileResponse(file, version, NOT_MODIFIED));
        case 'send': {
          const request = { exchange, version, format };
          const respond = method === 'HEAD' ? respondToHead : respondWithFile;
          return withHistoryHeaders(database, await respond(sender, file, request));
        }
      }
    },
  };
}

const NOT_MODIFIED = { status: 304, body: null };

/** Without these headers Bun would say that the body is empty. */
async function respondToHead(sender: FileSender, file: ExportFile, request: FileRequest) {
  const length = await sender.getSize(request);
  const headers = {
    ...(length === undefined && { 'Transfer-Encoding': 'chunked' }),
    ...(length !== undefined && { 'Content-Length': String(length) }),
    ...sender.getDigestHeader(request),
  };
  return createFileResponse(file, request.version, { body: null }, headers);
}

async function respondWithFile(
  sender: FileSender,
  file: ExportFile,
  request: FileRequest,
): Promise<HttpResponse> {
  const { exchange, version: requested, format } = request;
  const { database, headers } = exchange;
  const range = parseRangeHeader(headers.get('range'));
  const ifRange = headers.get('if-range');
  const partVersion =
    range && ifRange !== null
      ? await resolveIfRangeVersion(database, requested, format, ifRange)
      : requested;
  // A client whose part is of another file gets the complete one.
  const version = partVersion ?? requested;
  const transfer = await sender.send({ ...request, version }, partVersion && range);
  if (!transfer) return TOO_MANY_EXPORTS_RESPONSE;
  const { part, ...content } = transfer;
  const digest = sender.getDigestHeader({ ...request, version });
  if (!part) return createFileResponse(file, version, content, digest);
  const contentRange = { 'Content-Range': formatContentRange(part.span, part.total) };
  if (!part.span) return errorResponse(new HttpError('range_not_satisfiable', {}, contentRange));
  const partContent = { status: 206, ...content };
  return createFileResponse(file, version, partContent, { ...contentRange, ...digest });
}

function createFileResponse(
  { name, format }: ExportFile,
  version: FileVersion,
  content: Pick<HttpResponse, 'body'> & Partial<HttpResponse>,
  extraHeaders: Readonly<Record<string, string>> = {},
): HttpResponse {
  const { revision, mementoDatetime, namedBy } = version.view;
  const { etag, modified } = getValidators(version, format);
  const headers = createBaseHeaders({
    'Tenor-Revision': String(revision),
    ETag: etag,
    ...(modified && { 'Last-Modified': new Date(modified.atMs).toUTCString() }),
    'Cache-Control': namedBy === 'number' ? IMMUTABLE_CACHE_CONTROL : 'private, no-cache',
    Vary: ACCEPT_DATETIME,
    Link: DESCRIBED_BY_LINK,
    ...(content.status !== 304 && {
      'Content-Type': RESPONSE_FORMATS[format].contentType,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Accept-Ranges': 'bytes',
    }),
    ...extraHeaders,
  });
  const response = { status: 200, headers, revision, ...content };
  return mementoDatetime ? withMemento(response, mementoDatetime, `/exports/${name}`) : response;
}

const TOO_MANY_EXPORTS_RESPONSE = errorResponse(
  new HttpError('temporarily_unavailable', {}, { 'Retry-After': '10' }),
);
