/** What tells versions of an answer apart. */
export interface Validators {
  /** Strong: the same tag is the same bytes. */
  readonly etag: string;
  readonly modified?: LastModified;
}

/** When a version was made. */
export interface LastModified {
  /** In whole seconds, as HTTP has them. */
  readonly atMs: number;
  /** Whether an earlier version has the same second, which then does not tell them apart. */
  readonly isAmbiguous: boolean;
}

/** What a request's conditions come to: send it, say that nothing changed, or refuse. */
export type PreconditionResult = 'send' | 'unchanged' | 'failed';

/** Holds a GET's conditions against the answer that it would get (RFC 9110, 13.2.2). */
export function evaluatePreconditions(
  headers: Headers,
  { etag, modified }: Validators,
): PreconditionResult {
  const wanted = headers.get('if-match');
  if (wanted !== null) {
    if (!parseEtags(wanted).some((tag) => tag === '*' || tag === etag)) return 'failed';
  } else if (modified) {
    const sinceMs = parseHttpDate(headers.get('if-unmodified-since'));
    if (modified.atMs > sinceMs) return 'failed';
  }
  const known = headers.get('if-none-match');
  if (known !== null) return known === etag || matchesAnyEtag(known, etag) ? 'unchanged' : 'send';
  return modified && isNotModifiedSince(headers, modified) ? 'unchanged' : 'send';
}

/** Compared weakly: what a client says of a tag does not matter where nothing is sent. */
function matchesAnyEtag(header: string, etag: string): boolean {
  return parseEtags(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

function isNotModifiedSince(headers: Headers, { atMs, isAmbiguous }: LastModified): boolean {
  const sinceMs = parseHttpDate(headers.get('if-modified-since'));
  return isAmbiguous ? atMs < sinceMs : atMs <= sinceMs;
}

/** The tags of a list, each as it is written; `*` is every one. */
function parseEtags(header: string): readonly string[] {
  if (header.trim() === '*') return ['*'];
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** NaN, which is neither before nor after, where there is no HTTP date. */
export function parseHttpDate(header: string | null): number {
  if (header === null || !HTTP_DATE_PATTERNS.some((form) => form.test(header))) return Number.NaN;
  const ms = Date.parse(header.includes('GMT') ? header : `${header} GMT`);
  // In all three forms the day comes first of the numbers; one that there is not becomes another.
  return new Date(ms).getUTCDate() === Number(/\d+/.exec(header)?.[0]) ? ms : Number.NaN;
}

/** The form that is sent, and the two older ones that are still to be understood. */
const HTTP_DATE_PATTERNS = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];
