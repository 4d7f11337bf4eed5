import type { Catalogue } from '../../catalogue/catalogues.ts';
import { ACCEPT_DATETIME } from '../../catalogue/model/parameter.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import { HttpError } from '../../http/http-error.ts';
import { DESCRIBED_BY_LINK, withMemento } from '../../http/pipeline/create-response.ts';
import { withHistoryHeaders } from '../../http/pipeline/database.ts';
import { evaluatePreconditions } from '../../http/pipeline/finalize-response.ts';
import { assertNotOlder } from '../../http/pipeline/read-parts.ts';
import type { FileRoute } from '../../http/pipeline/route.ts';
import { matchPath, parseDataQuery } from '../../http/request/parse-query.ts';
import { createBaseHeaders } from '../../http/responses/cors.ts';
import {
  errorResponse,
  formatReprDigest,
  type HttpResponse,
  IMMUTABLE_CACHE_CONTROL,
  PRECONDITION_FAILED_RESPONSE,
  REPR_DIGEST,
} from '../../http/responses/response.ts';
import { DAMAGED_ERROR } from '../../http/scrub/known-damage.ts';
import {
  type ByteRange,
  type ByteSpan,
  formatContentRange,
  parseRangeHeader,
  resolveByteRange,
} from './byte-range.ts';
import type { OpenFile } from './export-file.ts';
import type { ExportFiles, FileRequest } from './export-files.ts';
import { type ExportFile, exportsOperation } from './exports-operation.ts';
import { FileStream } from './file-stream.ts';
import { getValidators, getVersion, resolveIfRangeVersion } from './file-version.ts';
import { SMALL_FILE_BYTES } from './uncached-file.ts';

/** The operation that sends complete datasets as files. */
export function createExportRoute(catalogue: Catalogue, files: ExportFiles): FileRoute {
  const operation = exportsOperation(catalogue.datasets);
  const findFile = (path: string) => matchPath(operation, path)?.file as ExportFile;
  return {
    path: operation.path,
    operation,
    findScope: ({ path }) => findFile(path).dataset.scope,
    async sendFile(exchange, view) {
      const { database, target, headers } = exchange;
      const values = parseDataQuery(target.parameters, operation.parameters);
      if (values instanceof HttpError) return errorResponse(values);
      const { name, dataset, format } = findFile(target.path);
      if (database.damage.covers([dataset.name])) return errorResponse(DAMAGED_ERROR);
      if (view.error) return errorResponse(view.error);
      await assertNotOlder(database.reader, view);
      const version = await getVersion(database, dataset, view);
      switch (evaluatePreconditions(headers, getValidators(version, format))) {
        case 'failed':
          return PRECONDITION_FAILED_RESPONSE;
        case 'unchanged':
          return withHistoryHeaders(
            database,
            createFileResponse({ name, version, format }, NOT_MODIFIED),
          );
        case 'send': {
          const request = { exchange, version, format };
          return respondWithFile(files, request, name);
        }
      }
    },
  };
}

const NOT_MODIFIED = { status: 304, body: null };

/** The complete file or a range of it; for HEAD, neither. */
async function respondWithFile(files: ExportFiles, request: FileRequest, name: string) {
  const { exchange, version: requested, format } = request;
  const { database, headers, method } = exchange;
  const range = method === 'HEAD' ? undefined : parseRangeHeader(headers.get('range'));
  const ifRange = headers.get('if-range');
  const partVersion =
    range && ifRange !== null
      ? await resolveIfRangeVersion(database, requested, format, ifRange)
      : requested;
  // A client whose part is of another file gets the complete one.
  const version = partVersion ?? requested;
  const hasRange = range !== undefined && partVersion !== undefined;
  const file = await files.open({ ...request, version }, hasRange);
  if (!file) return TOO_SLOW_RESPONSE;
  try {
    const sent = { ...request, version, name, range: hasRange ? range : undefined };
    return await withHistoryHeaders(database, await createResponse(file, sent));
  } catch (cause) {
    await file.close();
    throw cause;
  }
}

interface SentFile extends FileRequest {
  readonly name: string;
  readonly range: ByteRange | undefined;
}

async function createResponse(file: OpenFile, sent: SentFile): Promise<HttpResponse> {
  const { bytes, digest } = file;
  const { method, signal } = sent.exchange;
  const fileHeaders = digest && { [REPR_DIGEST]: formatReprDigest(digest) };
  const respond = (content: Content, extraHeaders?: Readonly<Record<string, string>>) =>
    createFileResponse(sent, content, { ...fileHeaders, ...extraHeaders });
  if (method === 'HEAD') {
    await file.close();
    const length = bytes === undefined ? undefined : String(bytes);
    // Without one of them Bun would say that the body is empty.
    return respond(
      { body: null },
      length === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': length },
    );
  }
  // A file that no cache can keep has no length until it ends: then the range is ignored.
  if (!sent.range || bytes === undefined) {
    const whole = { from: 0, to: bytes ?? Number.POSITIVE_INFINITY };
    return respond(await readContent(file, whole, signal));
  }
  const span = resolveByteRange(sent.range, bytes);
  const contentRange = { 'Content-Range': formatContentRange(span, bytes) };
  if (span)
    return respond({ status: 206, ...(await readContent(file, span, signal)) }, contentRange);
  await file.close();
  return errorResponse(new HttpError('range_not_satisfiable', {}, contentRange));
}

/** A few bytes at once, which have a length; others while the client reads them. */
async function readContent(file: OpenFile, span: ByteSpan, signal: AbortSignal): Promise<Content> {
  const chunks = file.read(span);
  if (span.to - span.from > SMALL_FILE_BYTES)
    return { body: null, stream: new FileStream(chunks, signal, file.close).body };
  try {
    return { body: new Blob(await Array.fromAsync(chunks)) };
  } finally {
    await file.close();
  }
}

type Content = Pick<HttpResponse, 'body'> & Partial<HttpResponse>;

function createFileResponse(
  { name, version, format }: Pick<FileRequest, 'version' | 'format'> & { readonly name: string },
  content: Content,
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

const TOO_SLOW_RESPONSE = errorResponse(
  new HttpError('temporarily_unavailable', {}, { 'Retry-After': '10' }),
);
