import type { RepresentationName } from '../../catalogue/representation.ts';
import { representations } from '../../catalogue/representation.ts';

/** Ways to make a body smaller on its way, in the order of preference. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The form that `Accept` prefers; JSON where it names none that there is (RFC 9110, 12.5.1). */
export const representationFor = remembering((accept): RepresentationName => {
  // Parameters are not looked at: of what is named with several, what it likes best counts.
  const ranges = elementsOf(accept).toSorted((a, b) => b.quality - a.quality);
  const candidates = FORMS.flatMap(([name, { mediaType }]) => {
    const fit = fitting(ranges, mediaType);
    return fit && fit.quality > 0 ? [{ ...fit, name }] : [];
  });
  // Of what a client likes equally, it wants what it names, and first what it names first.
  candidates.sort(
    (a, b) => b.quality - a.quality || b.precision - a.precision || a.place - b.place,
  );
  return candidates[0]?.name ?? 'json';
}, 'json');

/** The encoding that `Accept-Encoding` prefers; undefined for none (RFC 9110, 12.5.3). */
export const encodingFor = remembering((acceptEncoding): Encoding | undefined => {
  const qualities = new Map(elementsOf(acceptEncoding).map(({ name, quality }) => [name, quality]));
  const alias = qualities.get('x-gzip');
  if (alias !== undefined && !qualities.has('gzip')) qualities.set('gzip', alias);
  const others = qualities.get('*') ?? 0;
  let best: Encoding | undefined;
  // Unless it is named, a body as it is goes behind all that is welcome.
  let most = qualities.get('identity') ?? 0;
  for (const encoding of ENCODINGS) {
    const quality = qualities.get(encoding) ?? others;
    if (quality > most || (quality === most && quality > 0 && best === undefined)) {
      best = encoding;
      most = quality;
    }
  }
  return best;
}, undefined);

/** Whether `Prefer` asks how many records match in all; said twice, the first holds (RFC 7240). */
export const isCountWanted = remembering((prefer): boolean => {
  const preferences = between(prefer, COMMAS).map((each) => between(each, SEMICOLONS)[0] ?? '');
  const count = preferences.find((each) => /^count *(?:=|$)/i.test(each)) ?? '';
  return /^count *= *(?:exact|"exact")$/i.test(count);
}, false);

const FORMS = Object.entries(representations) as [RepresentationName, { mediaType: string }][];

/** An element of a list with its weight, and where it stands. */
interface Element {
  readonly name: string;
  readonly quality: number;
  readonly place: number;
}

/** How well the ranges fit a media type: by the most precise of them. */
function fitting(ranges: readonly Element[], mediaType: string) {
  const names = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*'];
  for (const [vagueness, name] of names.entries()) {
    const range = ranges.find((each) => each.name === name);
    if (range) return { ...range, precision: -vagueness };
  }
  return undefined;
}

const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The elements of a header's list; those that are not well formed are left out. */
function elementsOf(header: string): Element[] {
  return between(header.toLowerCase(), COMMAS).flatMap((element, place) => {
    const [name = '', ...parameters] = between(element, SEMICOLONS);
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (!/^[\w!#$%&'*+.^`|~/-]+$/.test(name) || !WEIGHT.test(weight)) return [];
    return [{ name, quality: Number(weight), place }];
  });
}

/** Between separators, but for those in quotes. A quote that is never closed goes to the end. */
const COMMAS = /(?:[^,"]+|"(?:[^"\\]|\\.?)*(?:"|$))+/g;
const SEMICOLONS = /(?:[^;"]+|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

function between(text: string, separators: RegExp): string[] {
  return (text.match(separators) ?? []).map((part) => part.trim());
}

const MOST_REMEMBERED = 500;
/** What is longer is nothing that a client sends again and again. */
const LONGEST_REMEMBERED = 500;

/** Clients send the same few headers again and again: what one means is found once. */
function remembering<T>(find: (header: string) => T, absent: T): (header: string | null) => T {
  const known = new Map<string, T>();
  return (header) => {
    if (header === null) return absent;
    if (known.has(header)) return known.get(header) as T;
    const found = find(header);
    if (header.length > LONGEST_REMEMBERED) return found;
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(header, found);
    return found;
  };
}
