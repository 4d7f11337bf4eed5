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
  readonly origin: RecordSource;
  readonly reading: ReadResult;
  readonly form: ResponseFormatName;
  /** What last changed the dataset behind it; undefined where nothing was published. */
  readonly modified: LastChange | undefined;
  /** To the answers around it, where more match than it has. */
  readonly links: string | undefined;
}

/** The answer that is given to what was read. Errors are always JSON. */
export function createDataResponse(
  material: DataResponseInput,
): HttpResponse | Promise<HttpResponse> {
  const { origin, reading, form } = material;
  if (isFund(origin) && reading.count === 0) {
    return withMetadataHeaders(
      errorResponse(createHttpError('no_record_found'), reading.revision),
      material,
    );
  }
  if (form === 'json') return createSuccessResponse(material, wrapInEnvelope(origin, reading));
  const texts = reading.count === 0 ? [] : reading.records.split('\n');
  return collectBody(encodeRecords(origin, form, texts)).then(
    (body) => createSuccessResponse(material, body),
    (cause) => notAcceptableResponse(cause, material),
  );
}

function notAcceptableResponse(cause: unknown, material: DataResponseInput): HttpResponse {
  if (!(cause instanceof NotWritable)) throw cause;
  const { form, reading } = material;
  const refusal = createHttpError('not_writable', { form, why: cause.message });
  return withMetadataHeaders(errorResponse(refusal, reading.revision), material);
}

/** In parts: an answer may be megabytes, and joining it first would be one more copy of it. */
function wrapInEnvelope(origin: RecordSource, { records }: ReadResult): Blob {
  const [open, close] = isFund(origin) ? ['', ''] : ['[', ']'];
  const said = 'message' in origin && origin.message ? '"message":"",' : '';
  return new Blob([`{"status":"ok",${said}"data":${open}`, records, `${close}}`]);
}

function isFund(origin: RecordSource): boolean {
  return 'shape' in origin && origin.shape === 'fund';
}

async function collectBody(pieces: AsyncIterable<Uint8Array>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) all.push(piece as Uint8Array<ArrayBuffer>);
  return new Blob(all);
}

function createSuccessResponse(material: DataResponseInput, body: Blob): HttpResponse {
  const { origin, reading, form, modified, links } = material;
  const { contentType, extension, compressible } = RESPONSE_FORMATS[form];
  const { revision, records } = reading;
  // What follows belongs to an answer that was cut: a client that has this one, and goes on from
  // there, gets no more than it may know of.
  const followed = links === undefined ? '' : `cut at ${modified?.revision}`;
  const etag = computeEtag(records, form === 'json' ? undefined : form, followed);
  const headers = createCorsHeaders();
  headers.set('Content-Type', contentType);
  headers.set('Cache-Control', 'private, no-cache');
  headers.set('Tenor-Revision', String(revision));
  headers.set('ETag', etag);
  if (modified) headers.set('Last-Modified', new Date(modified.atMs).toUTCString());
  if (form !== 'json') {
    const filename = `${origin.name}.${extension}`;
    headers.set('Content-Disposition', `attachment; filename="${filename}"`);
  }
  const validators = modified ? { etag, modified } : { etag };
  const answer = { status: 200, body, headers, revision, validators, isCompressible: compressible };
  return withMetadataHeaders(answer, material);
}

const VARY_HEADERS = `Accept, Accept-Encoding, Prefer, ${ACCEPT_DATETIME}`;

/** With what is told beside the data, whatever became of it. */
function withMetadataHeaders(
  answer: HttpResponse,
  { reading, links }: DataResponseInput,
): HttpResponse {
  const { headers } = answer;
  headers.set('Vary', VARY_HEADERS);
  if (links !== undefined) headers.set('Link', links);
  if (reading.total !== undefined) {
    headers.set('Tenor-Total-Count', String(reading.total));
    headers.set('Preference-Applied', 'count=exact');
  }
  return answer;
}
