import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import type { ReadResult } from '../../store/open-store.ts';
import type { RecordSource } from '../../tabular/encode-records.ts';
import { EncodingError, encodeRecords } from '../../tabular/encode-records.ts';
import { createHttpError } from '../http-error.ts';
import { createBaseHeaders } from './cors.ts';
import { computeEtag } from './etag.ts';
import { errorResponse, type HttpResponse } from './response.ts';
import type { LastChange } from './store-lookups.ts';

export interface RecordsResponseOptions {
  readonly source: RecordSource;
  readonly result: ReadResult;
  readonly format: ResponseFormatName;
  /** The last change of the dataset; undefined before its first revision. */
  readonly modified: LastChange | undefined;
  /** The `Link` header; undefined on the last page. */
  readonly links?: string | undefined;
}

/** A response with records in a format. Errors are always JSON. */
export function createRecordsResponse(
  options: RecordsResponseOptions,
): HttpResponse | Promise<HttpResponse> {
  const { source, result, format } = options;
  const { records, count, revision } = result;
  if (isFund(source) && count === 0) {
    const response = errorResponse(createHttpError('no_record_found'), revision);
    return withMetadataHeaders(response, options);
  }
  if (format === 'json') return createSuccessResponse(options, wrapInEnvelope(source, records));
  const texts = count === 0 ? [] : records.split('\n');
  return collectBody(encodeRecords(source, format, texts)).then(
    (body) => createSuccessResponse(options, body),
    (cause) => {
      if (!(cause instanceof EncodingError)) throw cause;
      const error = createHttpError('not_writable', { form: format, why: cause.message });
      return withMetadataHeaders(errorResponse(error, revision), options);
    },
  );
}

/** As parts of a blob: joining megabytes of records first would copy them. */
function wrapInEnvelope(source: RecordSource, records: string): Blob {
  const [open, close] = isFund(source) ? ['', ''] : ['[', ']'];
  const message = 'hasMessage' in source && source.hasMessage ? '"message":"",' : '';
  return new Blob([`{"status":"ok",${message}"data":${open}`, records, `${close}}`]);
}

function isFund(source: RecordSource): boolean {
  return 'shape' in source && source.shape === 'fund';
}

async function collectBody(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  return new Blob((await Array.fromAsync(chunks)) as Uint8Array<ArrayBuffer>[]);
}

function createSuccessResponse(options: RecordsResponseOptions, body: Blob): HttpResponse {
  const { source, result, format, modified, links } = options;
  const { contentType, extension, isCompressible } = RESPONSE_FORMATS[format];
  const { revision, records } = result;
  const etag = computeEtag(records, {
    suffix: format === 'json' ? undefined : format,
    // The cursor pins a revision: a client that revalidates must get the current one.
    dependency: links && `cut at ${modified?.revision}`,
  });
  const headers = createBaseHeaders();
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
  const response = { status: 200, body, headers, revision, validators, isCompressible };
  return withMetadataHeaders(response, options);
}

const VARY_HEADERS = `Accept, Accept-Encoding, Prefer, ${ACCEPT_DATETIME}`;

/** Adds the headers that success and error responses share. */
function withMetadataHeaders(
  response: HttpResponse,
  { result, links }: RecordsResponseOptions,
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
