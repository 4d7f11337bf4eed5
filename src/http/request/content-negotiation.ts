import {
  RESPONSE_FORMATS,
  type ResponseFormatName,
} from '../../catalogue/model/response-format.ts';
import { memoize } from '../../shared/memoize.ts';

/** Content encodings, in the order of preference. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

const MAX_MEMOIZED_HEADERS = 500;
const MAX_MEMOIZED_LENGTH = 500;

/** The format that `Accept` prefers; JSON where it names none of ours (RFC 9110, 12.5.1). */
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

interface WeightedElement {
  readonly name: string;
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
function parseWeightedList(header: string): WeightedElement[] {
  return splitOutsideQuotes(header.toLowerCase(), COMMAS).flatMap((element, position) => {
    const [name = '', ...parameters] = splitOutsideQuotes(element, SEMICOLONS);
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (!/^[\w!#$%&'*+.^`|~/-]+$/.test(name) || !QVALUE_PATTERN.test(weight)) return [];
    return [{ name, quality: Number(weight), position }];
  });
}

/** Elements between separators outside of quotes. A quote that is not closed ends with the text. */
const COMMAS = /(?:[^,"]+|"(?:[^"\\]|\\.?)*(?:"|$))+/g;
const SEMICOLONS = /(?:[^;"]+|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

function splitOutsideQuotes(text: string, separators: RegExp): string[] {
  return (text.match(separators) ?? []).map((part) => part.trim());
}

/** Clients send the same few headers many times; longer ones are not worth their memory. */
function memoizeHeader<T>(parse: (header: string) => T, absent: T): (header: string | null) => T {
  const parseCached = memoize(MAX_MEMOIZED_HEADERS, parse);
  return (header) => {
    if (header === null) return absent;
    return header.length > MAX_MEMOIZED_LENGTH ? parse(header) : parseCached(header);
  };
}
