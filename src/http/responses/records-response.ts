import { ACCEPT_DATETIME } from '../../catalogue/model/accept-datetime.ts';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import { createBoundedMap } from '../../shared/memoize.ts';
import { getDataset, type RecordSource } from '../../tabular/encode-records.ts';
import { HttpError } from '../http-error.ts';
import { createBaseHeaders } from './cors.ts';
import type { EncodedPage, ResponseBody } from './encode-page.ts';
import { computeEtag } from './etag.ts';
import { DESCRIBED_BY_LINK } from './links.ts';
import { errorResponse, type HttpResponse } from './response.ts';
import type { LastChange } from './store-lookups.ts';

export interface RecordsResponseOptions {
  readonly source: RecordSource;
  readonly page: EncodedPage;
  readonly format: ResponseFormatName;
  /** The last change of the dataset; undefined before its first revision. */
  readonly modified: LastChange | undefined;
  /** The links to other pages; undefined on the last one. */
  readonly links?: string | undefined;
  /** Whether an operation's records include those of a dataset, which the data package describes. */
  readonly includesDataset?: true | undefined;
  /** What a table adds to the records of quotes. */
  readonly quoteTable?: object | undefined;
}

/** A response with a page of records. Errors are always JSON. */
export function createRecordsResponse(options: RecordsResponseOptions): HttpResponse {
  const { format, page, links } = options;
  if (page.body) return createSuccessResponse(options, page.body);
  const error =
    page.problem === undefined
      ? new HttpError('no_record_found')
      : new HttpError('not_writable', { format, why: page.problem });
  const response = errorResponse(error, page.revision);
  response.headers.set('Vary', VARY_HEADERS);
  return withPageHeaders(response, options, links);
}

function createSuccessResponse(options: RecordsResponseOptions, body: ResponseBody): HttpResponse {
  const { source, page, format, modified, links } = options;
  const isCompressible = !RESPONSE_FORMATS[format].traits.isCompressed;
  const { revision, contentHash } = page;
  const { declared } = getDataset(source) ?? {};
  const etag = computeEtag(contentHash, {
    suffix: format === 'json' ? undefined : format,
    dependency: [
      // The cursor pins a revision: a client that revalidates must get the current one.
      links && `cut at ${modified?.revision ?? revision}`,
      // Titles and units of columns are those of the declaration.
      format !== 'json' && declared && `declared by ${declared.revision}`,
    ]
      .filter(Boolean)
      .join(),
  });
  // No date tells whether another release has computed it.
  const dated = isComputed(options) ? undefined : modified;
  const headers = new Headers(getSharedHeaders(source, format, revision, dated?.atMs));
  headers.set('ETag', etag);
  if ('computedUnits' in source)
    headers.set('Tenor-Units', formatStringList(source.computedUnits as readonly string[]));
  const validators = dated ? { etag, modified: dated } : { etag };
  const response = { status: 200, body, headers, revision, validators, isCompressible };
  return withPageHeaders(response, options, withDescription(options));
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

type Origin = Pick<RecordsResponseOptions, 'source' | 'includesDataset' | 'quoteTable'>;

/** Whether records are neither those of a dataset nor a list of them: another release may give others. */
export function isComputed({ source, includesDataset, quoteTable }: Origin): boolean {
  if (quoteTable || 'computedUnits' in source) return true;
  return 'dataSchema' in source && !includesDataset;
}

/** The data package describes the records of datasets, not what is computed from them. */
function withDescription({ links, ...options }: RecordsResponseOptions) {
  if (isComputed(options)) return links;
  return links === undefined ? DESCRIBED_BY_LINK : `${links}, ${DESCRIBED_BY_LINK}`;
}

function withPageHeaders(
  response: HttpResponse,
  { page }: RecordsResponseOptions,
  links: string | undefined,
): HttpResponse {
  const { headers } = response;
  if (links !== undefined) headers.set('Link', links);
  if (page.total !== undefined) {
    headers.set('Tenor-Total-Count', String(page.total));
    headers.set('Preference-Applied', 'count=exact');
  }
  return response;
}
