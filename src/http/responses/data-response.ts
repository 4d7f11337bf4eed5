import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';
import type { ReadResult } from '../../store/open-store.ts';
import { encodeRecords, NotWritable } from '../../tabular/encode-records.ts';
import type { RecordSource } from '../../tabular/response-layout.ts';
import { createHttpError } from '../http-error.ts';
import { computeEtag } from './etag.ts';
import type { LastChange } from './last-change.ts';
import type { HttpResponse } from './response.ts';
import { createCorsHeaders, errorResponse } from './response.ts';

/** What an answer with records is made from. */
export interface DataResponseInput {
  readonly source: RecordSource;
  readonly result: ReadResult;
  readonly format: ResponseFormatName;
  /** What last changed the dataset behind it; undefined where nothing was published. */
  readonly modified: LastChange | undefined;
  /** To the answers around it, where more match than it has. */
  readonly links: string | undefined;
}

/** The answer that is given to what was read. Errors are always JSON. */
export function createDataResponse(
  material: DataResponseInput,
): HttpResponse | Promise<HttpResponse> {
  const { source, result, format } = material;
  if (isFund(source) && result.count === 0) {
    return withMetadataHeaders(
      errorResponse(createHttpError('no_record_found'), result.revision),
      material,
    );
  }
  if (format === 'json') return createSuccessResponse(material, wrapInEnvelope(source, result));
  const texts = result.count === 0 ? [] : result.records.split('\n');
  return collectBody(encodeRecords(source, format, texts)).then(
    (body) => createSuccessResponse(material, body),
    (cause) => notAcceptableResponse(cause, material),
  );
}

function notAcceptableResponse(cause: unknown, material: DataResponseInput): HttpResponse {
  if (!(cause instanceof NotWritable)) throw cause;
  const { format, result } = material;
  const error = createHttpError('not_writable', { form: format, why: cause.message });
  return withMetadataHeaders(errorResponse(error, result.revision), material);
}

/** In parts: an answer may be megabytes, and joining it first would be one more copy of it. */
function wrapInEnvelope(origin: RecordSource, { records }: ReadResult): Blob {
  const [open, close] = isFund(origin) ? ['', ''] : ['[', ']'];
  const said = 'hasMessage' in origin && origin.hasMessage ? '"message":"",' : '';
  return new Blob([`{"status":"ok",${said}"data":${open}`, records, `${close}}`]);
}

function isFund(origin: RecordSource): boolean {
  return 'shape' in origin && origin.shape === 'fund';
}

async function collectBody(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) all.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(all);
}

function createSuccessResponse(material: DataResponseInput, body: Blob): HttpResponse {
  const { source, result, format, modified, links } = material;
  const { contentType, extension, isCompressible } = RESPONSE_FORMATS[format];
  const { revision, records } = result;
  // What follows belongs to an answer that was cut: a client that has this one, and goes on from
  // there, gets no more than it may know of.
  const followed = links === undefined ? '' : `cut at ${modified?.revision}`;
  const etag = computeEtag(records, format === 'json' ? undefined : format, followed);
  const headers = createCorsHeaders();
  headers.set('Content-Type', contentType);
  headers.set('Cache-Control', 'private, no-cache');
  headers.set('Tenor-Revision', String(revision));
  headers.set('ETag', etag);
  if (modified) headers.set('Last-Modified', new Date(modified.atMs).toUTCString());
  if (format !== 'json') {
    const filename = `${source.name}.${extension}`;
    headers.set('Content-Disposition', `attachment; filename="${filename}"`);
  }
  const validators = modified ? { etag, modified } : { etag };
  const answer = { status: 200, body, headers, revision, validators, isCompressible };
  return withMetadataHeaders(answer, material);
}

const VARY_HEADERS = `Accept, Accept-Encoding, Prefer, ${ACCEPT_DATETIME}`;

/** With what is told beside the data, whatever became of it. */
function withMetadataHeaders(
  response: HttpResponse,
  { result, links }: DataResponseInput,
): HttpResponse {
  const { headers } = response;
  headers.set('Vary', VARY_HEADERS);
  if (links !== undefined) headers.set('Link', links);
  if (result.total !== undefined) {
    headers.set('Tenor-Total-Count', String(result.total));
    headers.set('Preference-Applied', 'count=exact');
  }
  return response;
}
