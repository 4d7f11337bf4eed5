import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { type ExportFile, exportsOperation } from '../../catalogue/operations/exports.ts';
import { formatContentRange, parseRangeHeader } from '../exports/byte-range.ts';
import { createFileSender, type FileRequest, type FileSender } from '../exports/file-sender.ts';
import {
  type FileVersion,
  getValidators,
  resolveIfRangeVersion,
  resolveRequestedVersion,
} from '../exports/file-version.ts';
import { createHttpError, isHttpError } from '../http-error.ts';
import { parseDataQuery } from '../request/data-query.ts';
import { matchPath } from '../request/request-target.ts';
import { createBaseHeaders } from '../responses/cors.ts';
import { DESCRIBED_BY_LINK } from '../responses/links.ts';
import { evaluatePreconditions } from '../responses/preconditions.ts';
import { IMMUTABLE_CACHE_CONTROL } from '../responses/requested-revision.ts';
import {
  errorResponse,
  FORBIDDEN_RESPONSE,
  type HttpResponse,
  PRECONDITION_FAILED_RESPONSE,
  withMemento,
} from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';

/** The operation that sends complete datasets as files. */
export function createExportRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  const operation = exportsOperation(catalogue);
  const sender = createFileSender();
  return [
    {
      path: operation.path,
      operation,
      async respond(context, { principal, signal }, { path, query }, request) {
        const file = matchPath(operation, path)?.file as ExportFile;
        if (!principal.scopes.has(file.dataset.scope)) return FORBIDDEN_RESPONSE;
        const values = parseDataQuery(query, operation.parameters);
        if (isHttpError(values)) return errorResponse(values);
        const { headers } = request;
        const { format } = file;
        const { dataset } = file;
        const version = await resolveRequestedVersion(context, dataset, headers, values.asOf);
        if (isHttpError(version)) return errorResponse(version);
        switch (evaluatePreconditions(headers, getValidators(version, format))) {
          case 'failed':
            return PRECONDITION_FAILED_RESPONSE;
          case 'unchanged':
            return createFileResponse(file, version, { status: 304, body: null });
          case 'send': {
            const fileRequest = { context, tokenId: principal.id, version, format, signal };
            return request.method === 'HEAD'
              ? respondToHead(sender, file, fileRequest)
              : respondWithFile(sender, file, fileRequest, headers);
          }
        }
      },
    },
  ];
}

/** Without these headers Bun would say that the body is empty. */
async function respondToHead(
  sender: FileSender,
  file: ExportFile,
  request: FileRequest,
): Promise<HttpResponse> {
  const length = await sender.getSize(request);
  const headers: Record<string, string> =
    length === undefined
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': String(length) };
  return createFileResponse(file, request.version, { body: null }, headers);
}

async function respondWithFile(
  sender: FileSender,
  file: ExportFile,
  request: FileRequest,
  headers: Headers,
): Promise<HttpResponse> {
  const { context, version: requested, format } = request;
  const range = parseRangeHeader(headers.get('range'));
  const ifRange = headers.get('if-range');
  const partVersion =
    range && ifRange !== null
      ? await resolveIfRangeVersion(context.findLastChange, requested, format, ifRange)
      : requested;
  // A client whose part is of another file gets the complete one.
  const version = partVersion ?? requested;
  const transfer = await sender.send({ ...request, version }, partVersion && range);
  if (!transfer) return TOO_MANY_EXPORTS_RESPONSE;
  const { part, ...content } = transfer;
  if (!part) return createFileResponse(file, version, content);
  const contentRange = { 'Content-Range': formatContentRange(part.span, part.total) };
  if (!part.span) return errorResponse(createHttpError('range_not_satisfiable', {}, contentRange));
  return createFileResponse(file, version, { status: 206, ...content }, contentRange);
}

function createFileResponse(
  { name, format }: ExportFile,
  version: FileVersion,
  content: Pick<HttpResponse, 'body'> & Partial<HttpResponse>,
  extraHeaders: Readonly<Record<string, string>> = {},
): HttpResponse {
  const { revision, mementoDatetime, isPinned } = version;
  const { etag, modified } = getValidators(version, format);
  const headers = createBaseHeaders();
  const fileHeaders = {
    'Tenor-Revision': String(revision),
    ETag: etag,
    ...(modified && { 'Last-Modified': new Date(modified.atMs).toUTCString() }),
    'Cache-Control': isPinned ? IMMUTABLE_CACHE_CONTROL : 'private, no-cache',
    Vary: ACCEPT_DATETIME,
    Link: DESCRIBED_BY_LINK,
    ...(content.status !== 304 && {
      'Content-Type': RESPONSE_FORMATS[format].contentType,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Accept-Ranges': 'bytes',
    }),
    ...extraHeaders,
  };
  for (const [header, value] of Object.entries(fileHeaders)) headers.set(header, value);
  const response = { status: 200, headers, revision, ...content };
  return mementoDatetime ? withMemento(response, mementoDatetime, `/exports/${name}`) : response;
}

const TOO_MANY_EXPORTS_RESPONSE = errorResponse(
  createHttpError('temporarily_unavailable', {}, { 'Retry-After': '10' }),
);
