import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { Dataset } from '../../catalogue/model/dataset.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import type { ExportFile } from '../../catalogue/operations/exports.ts';
import { exportsOperation } from '../../catalogue/operations/exports.ts';
import { formatContentRange, parseRangeHeader } from '../exports/byte-range.ts';
import { createFileSender, type FileSender } from '../exports/file-sender.ts';
import {
  type FileVersion,
  getValidators,
  resolveIfRangeVersion,
  resolveRequestedVersion,
} from '../exports/file-version.ts';
import { createHttpError, isHttpError } from '../http-error.ts';
import { parseQuery } from '../request/parse-query.ts';
import { matchPath } from '../request/request-target.ts';
import { INVALID_DATETIME_RESPONSE } from '../responses/as-of-response.ts';
import { evaluatePreconditions } from '../responses/preconditions.ts';
import type { HttpResponse } from '../responses/response.ts';
import {
  createCorsHeaders,
  errorResponse,
  FORBIDDEN_RESPONSE,
  PRECONDITION_FAILED_RESPONSE,
  withMemento,
} from '../responses/response.ts';
import type { OperationRoute } from '../route.ts';
import type { ServerContext } from '../server-context.ts';

/** The operation that sends whole datasets. */
export function createExportRoutes(catalogue: readonly Dataset[]): OperationRoute[] {
  const operation = exportsOperation(catalogue);
  const files = createFileSender();
  const route: OperationRoute = {
    path: operation.path,
    operation,
    async respond(context, principal, { path, query }, request) {
      const file = matchPath(operation, path)?.file as ExportFile;
      if (!principal.scopes.has(file.dataset.scope)) return FORBIDDEN_RESPONSE;
      const values = parseQuery(query, operation.parameters);
      if (isHttpError(values)) return errorResponse(values);
      const version = await resolveRequestedVersion(context, file.dataset, request.headers);
      if (!version) return INVALID_DATETIME_RESPONSE;
      switch (evaluatePreconditions(request.headers, getValidators(version, file.format))) {
        case 'failed':
          return PRECONDITION_FAILED_RESPONSE;
        case 'unchanged':
          return createFileResponse(file, version, { status: 304, body: null });
        case 'send':
          return respondWithFile(files, {
            service: context,
            token: principal.id,
            file,
            version,
            request,
          });
      }
    },
  };
  return [route];
}

interface ExportRequest {
  readonly service: ServerContext;
  readonly token: string;
  readonly file: ExportFile;
  readonly version: FileVersion;
  readonly request: Request;
}

async function respondWithFile(
  files: FileSender,
  { service: context, token, file, version, request }: ExportRequest,
) {
  const { method, headers, signal } = request;
  const { format } = file;
  const wanted = { service: context, tokenId: token, version, format, signal };
  if (method === 'HEAD') {
    return withContentLength(
      createFileResponse(file, version, { body: null }),
      await files.getSize(wanted),
    );
  }
  const range = parseRangeHeader(headers.get('range'));
  const ifRange = headers.get('if-range');
  const held =
    range && ifRange !== null
      ? await resolveIfRangeVersion(context.findLastChange, version, format, ifRange)
      : version;
  // Of no use to a client that has a part of something else: it gets the whole.
  const asked = held ? range : undefined;
  const sent = held ?? version;
  const sending = await files.send({ ...wanted, version: sent }, asked);
  if (!sending) return TOO_MANY_EXPORTS_RESPONSE;
  const { part, ...bytes } = sending;
  if (!part) return createFileResponse(file, sent, bytes);
  const inAll = { 'Content-Range': formatContentRange(part.span, part.total) };
  if (!part.span) return errorResponse(createHttpError('range_not_satisfiable', {}, inAll));
  return createFileResponse(file, sent, { status: 206, ...bytes }, inAll);
}

/** Bun says that the body of a HEAD is empty, unless it is told what GET would send. */
function withContentLength(response: HttpResponse, length: number | undefined): HttpResponse {
  if (length === undefined) response.headers.set('Transfer-Encoding', 'chunked');
  else response.headers.set('Content-Length', String(length));
  return response;
}

/** An answer with a file or about one, as that version has it. */
function createFileResponse(
  { name, format }: ExportFile,
  version: FileVersion,
  answer: Pick<HttpResponse, 'body'> & Partial<HttpResponse>,
  more: Readonly<Record<string, string>> = {},
): HttpResponse {
  const { revision, mementoDatetime } = version;
  const { etag, modified } = getValidators(version, format);
  const headers = createCorsHeaders();
  const told = {
    'Tenor-Revision': String(revision),
    ETag: etag,
    ...(modified && { 'Last-Modified': new Date(modified.atMs).toUTCString() }),
    'Cache-Control': 'private, no-cache',
    Vary: ACCEPT_DATETIME,
    ...(answer.status !== 304 && {
      'Content-Type': RESPONSE_FORMATS[format].contentType,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Accept-Ranges': 'bytes',
    }),
    ...more,
  };
  for (const [header, value] of Object.entries(told)) headers.set(header, value);
  const whole = { status: 200, headers, revision, ...answer };
  return mementoDatetime ? withMemento(whole, mementoDatetime, `/exports/${name}`) : whole;
}

const TOO_MANY_EXPORTS_RESPONSE = errorResponse(
  createHttpError('temporarily_unavailable', {}, { 'Retry-After': '10' }),
);
