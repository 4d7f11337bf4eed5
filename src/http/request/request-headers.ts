import { randomBytes } from 'node:crypto';
import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import { memoize } from '../../shared/memoize.ts';
import { HttpError } from '../http-error.ts';

/** Without a comma, which a host may have, but which also joins several headers of one name. */
const HOST_PATTERN = /^[\w.~!$&'()*+;=%:[\]-]*$/;

export const INVALID_HOST_ERROR = new HttpError('bad_header', {
  header: 'Host',
  allowed: 'given once, a host name or an address, with a port if need be',
});

/**
 * Proxies and servers that take different ones of two hosts can be played off against each other,
 * so RFC 9112 wants such requests refused. Bun refuses those without a host, except in HTTP/1.0.
 */
export function hasValidHost(headers: Headers): boolean {
  const host = headers.get('host');
  return host === null || HOST_PATTERN.test(host);
}

/** Needs no escaping in a log or a header. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Differs between processes; a counter follows. */
const PROCESS_PREFIX = `${randomBytes(9).toString('hex')}-`;
let requestCount = 0;

/** The client's request id if it is valid, or a new one. */
export function getRequestId(headers: Headers): string {
  const requestId = headers.get('x-request-id');
  return requestId !== null && VALID_REQUEST_ID.test(requestId)
    ? requestId
    : PROCESS_PREFIX + requestCount++;
}

/** Later versions may add parts at the end. */
const TRACE_PARENT_PATTERN =
  /^(?!ff)[\da-f]{2}-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?:(?<!^00-.*)-.*)?$/;

/** A request's part of a trace (W3C Trace Context). */
export interface Trace {
  readonly traceId: string;
  /** The span of the client. */
  readonly spanId: string;
  /** The span of this request. */
  readonly childSpanId: string;
  readonly flags: string;
}

/** Continues the trace of a `traceparent`; undefined if that is invalid. */
export function continueTrace(header: string): Trace | undefined {
  const { traceId, spanId, flags } = TRACE_PARENT_PATTERN.exec(header)?.groups ?? {};
  if (!traceId || !spanId || !flags) return undefined;
  // An id of zeros is no id.
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return undefined;
  return { traceId, spanId, childSpanId: randomBytes(8).toString('hex'), flags };
}

/** The value of `traceresponse` (W3C Trace Context, level 2). */
export function formatTraceResponse({ traceId, childSpanId, flags }: Trace): string {
  return `00-${traceId}-${childSpanId}-${flags}`;
}

/**
 * Scheme and host by which a client reached the service. Behind a proxy, the scheme that the client
 * used: a client that claims another one misleads only itself. Empty if the request names no valid host.
 */
export function getOrigin({ url, headers }: Request): string {
  const parsed = URL.parse(url);
  if (!parsed) return '';
  const { protocol, host } = parsed;
  return headers.get('x-forwarded-proto') === 'https' ? `https://${host}` : `${protocol}//${host}`;
}

/** Content encodings, in the order of preference. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

const MAX_MEMOIZED_HEADERS = 500;
const MAX_MEMOIZED_LENGTH = 500;

/** The format that `Accept` prefers; JSON if it names none of ours (RFC 9110, 12.5.1). */
export const negotiateFormat = memoizeHeader((accept): ResponseFormatName => {
  // Parameters are ignored: of a type with several sets of them, the best quality counts.
  const ranges = parseWeightedList(accept).toSorted((a, b) => b.quality - a.quality);
  const candidates = FORMAT_ENTRIES.flatMap(([name, { mediaType }]) => {
    const match = findBestRange(ranges, mediaType);
    return match && match.quality > 0 ? [{ ...match, name }] : [];
  });
  // Of equal quality, the more precise range wins, then the one that comes first.
  candidates.sort(
    (a, b) => b.quality - a.quality || b.precision - a.precision || a.position - b.position,
  );
  return candidates[0]?.name ?? 'json';
}, 'json');

/** The encoding that `Accept-Encoding` prefers; undefined for none (RFC 9110, 12.5.3). */
export const negotiateEncoding = memoizeHeader((acceptEncoding): ContentEncoding | undefined => {
  const qualities = new Map(
    parseWeightedList(acceptEncoding).map(({ name, quality }) => [name, quality]),
  );
  const alias = qualities.get('x-gzip');
  if (alias !== undefined && !qualities.has('gzip')) qualities.set('gzip', alias);
  const defaultQuality = qualities.get('*') ?? 0;
  let best: ContentEncoding | undefined;
  // Unless it is listed, identity comes after every accepted encoding.
  let max = qualities.get('identity') ?? 0;
  for (const encoding of ENCODINGS) {
    const quality = qualities.get(encoding) ?? defaultQuality;
    if (quality > max || (quality === max && quality > 0 && best === undefined)) {
      best = encoding;
      max = quality;
    }
  }
  return best;
}, undefined);

/** Whether `Prefer` asks for `count=exact`; of two preferences the first holds (RFC 7240). */
export const prefersExactCount = memoizeHeader((prefer): boolean => {
  const preferences = splitOutsideQuotes(prefer, COMMAS).map(
    (preference) => splitOutsideQuotes(preference, SEMICOLONS)[0] ?? '',
  );
  const count = preferences.find((preference) => /^count *(?:=|$)/i.test(preference)) ?? '';
  return /^count *= *(?:exact|"exact")$/i.test(count);
}, false);

const FORMAT_ENTRIES = Object.entries(RESPONSE_FORMATS) as [
  ResponseFormatName,
  { mediaType: string },
][];

export interface WeightedElement {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly quality: number;
  readonly position: number;
}

/** The most precise range that matches a media type. */
function findBestRange(ranges: readonly WeightedElement[], mediaType: string) {
  const names = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*'];
  for (const [vagueness, name] of names.entries()) {
    const range = ranges.find((candidate) => candidate.name === name);
    if (range) return { ...range, precision: -vagueness };
  }
  return undefined;
}

const QVALUE_PATTERN = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The elements of a header's list; malformed ones are left out. */
export function parseWeightedList(header: string): WeightedElement[] {
  return splitOutsideQuotes(header.toLowerCase(), COMMAS).flatMap((element, position) => {
    const [name = '', ...parameters] = splitOutsideQuotes(element, SEMICOLONS);
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (!/^[\w!#$%&'*+.^`|~/-]+$/.test(name) || !QVALUE_PATTERN.test(weight)) return [];
    return [{ name, parameters, quality: Number(weight), position }];
  });
}

/** Elements between separators outside of quotes. A quote that is not closed ends with the text. */
const COMMAS = /(?:[^,"]+|"(?:[^"\\]|\\.?)*(?:"|$))+/g;
const SEMICOLONS = /(?:[^;"]+|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

function splitOutsideQuotes(text: string, separators: RegExp): string[] {
  return (text.match(separators) ?? []).map((part) => part.trim());
}

/** Clients send the same few headers many times; longer ones are not worth their memory. */
export function memoizeHeader<T>(
  parse: (header: string) => T,
  absent: T,
): (header: string | null) => T {
  const parseCached = memoize(MAX_MEMOIZED_HEADERS, parse);
  return (header) => {
    if (header === null) return absent;
    return header.length > MAX_MEMOIZED_LENGTH ? parse(header) : parseCached(header);
  };
}
