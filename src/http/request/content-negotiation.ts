import type { ResponseFormatName } from '../../catalogue/model/response-format.ts';
import { RESPONSE_FORMATS } from '../../catalogue/model/response-format.ts';

/** Ways to make a body smaller on its way, in the order of preference. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/** The form that `Accept` prefers; JSON where it names none that there is (RFC 9110, 12.5.1). */
export const negotiateFormat = memoizeHeader((accept): ResponseFormatName => {
  // Parameters are not looked at: of what is named with several, what it likes best counts.
  const ranges = parseWeightedList(accept).toSorted((a, b) => b.quality - a.quality);
  const candidates = FORMAT_ENTRIES.flatMap(([name, { mediaType }]) => {
    const fit = findBestRange(ranges, mediaType);
    return fit && fit.quality > 0 ? [{ ...fit, name }] : [];
  });
  // Of what a client likes equally, it wants what it names, and first what it names first.
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
  const others = qualities.get('*') ?? 0;
  let best: ContentEncoding | undefined;
  // Unless it is named, a body as it is goes behind all that is welcome.
  let max = qualities.get('identity') ?? 0;
  for (const encoding of ENCODINGS) {
    const quality = qualities.get(encoding) ?? others;
    if (quality > max || (quality === max && quality > 0 && best === undefined)) {
      best = encoding;
      max = quality;
    }
  }
  return best;
}, undefined);

/** Whether `Prefer` asks how many records match in all; said twice, the first holds (RFC 7240). */
export const prefersExactCount = memoizeHeader((prefer): boolean => {
  const preferences = splitOutsideQuotes(prefer, COMMAS).map(
    (each) => splitOutsideQuotes(each, SEMICOLONS)[0] ?? '',
  );
  const count = preferences.find((each) => /^count *(?:=|$)/i.test(each)) ?? '';
  return /^count *= *(?:exact|"exact")$/i.test(count);
}, false);

const FORMAT_ENTRIES = Object.entries(RESPONSE_FORMATS) as [
  ResponseFormatName,
  { mediaType: string },
][];

/** An element of a list with its weight, and where it stands. */
interface WeightedElement {
  readonly name: string;
  readonly quality: number;
  readonly position: number;
}

/** How well the ranges fit a media type: by the most precise of them. */
function findBestRange(ranges: readonly WeightedElement[], mediaType: string) {
  const names = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*'];
  for (const [vagueness, name] of names.entries()) {
    const range = ranges.find((each) => each.name === name);
    if (range) return { ...range, precision: -vagueness };
  }
  return undefined;
}

const QVALUE_PATTERN = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The elements of a header's list; those that are not well formed are left out. */
function parseWeightedList(header: string): WeightedElement[] {
  return splitOutsideQuotes(header.toLowerCase(), COMMAS).flatMap((element, position) => {
    const [name = '', ...parameters] = splitOutsideQuotes(element, SEMICOLONS);
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (!/^[\w!#$%&'*+.^`|~/-]+$/.test(name) || !QVALUE_PATTERN.test(weight)) return [];
    return [{ name, quality: Number(weight), position }];
  });
}

/** Between separators, but for those in quotes. A quote that is never closed goes to the end. */
const COMMAS = /(?:[^,"]+|"(?:[^"\\]|\\.?)*(?:"|$))+/g;
const SEMICOLONS = /(?:[^;"]+|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

function splitOutsideQuotes(text: string, separators: RegExp): string[] {
  return (text.match(separators) ?? []).map((part) => part.trim());
}

const MAX_MEMOIZED_HEADERS = 500;
/** What is longer is nothing that a client sends again and again. */
const MAX_MEMOIZED_LENGTH = 500;

/** Clients send the same few headers again and again: what one means is found once. */
function memoizeHeader<T>(find: (header: string) => T, absent: T): (header: string | null) => T {
  const known = new Map<string, T>();
  return (header) => {
    if (header === null) return absent;
    if (known.has(header)) return known.get(header) as T;
    const found = find(header);
    if (header.length > MAX_MEMOIZED_LENGTH) return found;
    if (known.size >= MAX_MEMOIZED_HEADERS) known.clear();
    known.set(header, found);
    return found;
  };
}
