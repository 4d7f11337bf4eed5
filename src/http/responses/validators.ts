import { system } from '../../shared/system.ts';
import { VERSION } from '../../version.ts';

export interface Validators {
  /** Strong: responses with the same tag have the same bytes. */
  readonly etag: string;
  readonly modified?: LastModified;
}

export interface LastModified {
  /** In whole seconds, the resolution of HTTP dates. */
  readonly atMs: number;
  /** Whether an earlier version has the same second, so that the date does not distinguish them. */
  readonly isAmbiguous: boolean;
}

/** The revision that last changed a dataset, and when it was published. */
export interface LastChange extends LastModified {
  readonly revision: number;
  readonly publishedAt: string;
}

export type PreconditionResult = 'send' | 'unchanged' | 'failed';

/** Evaluates the conditions of a GET (RFC 9110, 13.2.2): send the response, a 304 or a 412. */
export function evaluatePreconditions(
  headers: Headers,
  { etag, modified: lastModified }: Validators,
): PreconditionResult {
  // The response does not have a date in the future.
  const modified = lastModified && lastModified.atMs <= system.now() ? lastModified : undefined;
  const ifMatch = headers.get('if-match');
  if (ifMatch !== null) {
    if (!parseEtags(ifMatch).some((tag) => tag === '*' || tag === etag)) return 'failed';
  } else if (modified) {
    const sinceMs = parseHttpDate(headers.get('if-unmodified-since'));
    if (modified.atMs > sinceMs) return 'failed';
  }
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch !== null)
    return ifNoneMatch === etag || matchesAnyEtag(ifNoneMatch, etag) ? 'unchanged' : 'send';
  return modified && isNotModifiedSince(headers, modified) ? 'unchanged' : 'send';
}

/** Compares weakly, as RFC 9110 has it for `If-None-Match`. */
function matchesAnyEtag(header: string, etag: string): boolean {
  return parseEtags(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

function isNotModifiedSince(headers: Headers, { atMs, isAmbiguous }: LastModified): boolean {
  const sinceMs = parseHttpDate(headers.get('if-modified-since'));
  return isAmbiguous ? atMs < sinceMs : atMs <= sinceMs;
}

function parseEtags(header: string): readonly string[] {
  if (header.trim() === '*') return ['*'];
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** NaN, which compares as neither before nor after, if the header is no HTTP date. */
export function parseHttpDate(header: string | null): number {
  if (header === null || !HTTP_DATE_PATTERNS.some((pattern) => pattern.test(header)))
    return Number.NaN;
  const ms = Date.parse(header.includes('GMT') ? header : `${header} GMT`);
  // Parsing turns 31 June into 1 July: the day, the first number in all formats, must be the same.
  return new Date(ms).getUTCDate() === Number(/\d+/.exec(header)?.[0]) ? ms : Number.NaN;
}

/** The current format of HTTP dates, and the two obsolete ones. */
const HTTP_DATE_PATTERNS = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Another version of the program or of Bun may write the same records in other bytes. */
const ETAG_SEED = Bun.hash.xxHash3(`${VERSION} ${Bun.version}`);

interface EtagOptions {
  /** Comes after the hash: the format, if it is not JSON. */
  readonly suffix?: string | undefined;
  /** A text that the response depends on besides its content. */
  readonly dependency?: string | undefined;
}

/** A strong entity tag for a response with this content. */
export function computeEtag(content: string, { suffix, dependency }: EtagOptions = {}): string {
  // The dependency is hashed into the seed: joining the texts would copy megabytes.
  const seed = dependency ? Bun.hash.xxHash3(dependency, ETAG_SEED) : ETAG_SEED;
  const hash = Bun.hash.xxHash3(content, seed).toString(36);
  return suffix === undefined ? `"${hash}"` : `"${hash}-${suffix}"`;
}

/** The entity tag of the same response in a content encoding. */
export function etagForEncoding(etag: string, encoding: string): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}
